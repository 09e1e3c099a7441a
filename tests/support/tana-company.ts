/**
 * A small company's workspace: one project with a plan, people, meetings, texts and decisions. Each
 * lens finds something else around the project: texts are its children, tasks and people its
 * fields, specs and meetings point at it.
 */
import type { WorkspaceSpec } from './tana-workspace.ts'

/** 2026-01-15, noon. */
export const COMPANY_NOW = Date.UTC(2026, 0, 15, 12)

/** What the example asks about. */
export const COMPANY_PROJECT = 'atlas-search'

export const COMPANY: WorkspaceSpec = {
  id: 'company',
  name: 'Lantern Works',
  now: COMPANY_NOW,
  tags: {
    entity: [],
    project: ['entity'],
    person: ['entity'],
    team: ['entity'],
    goal: [],
    milestone: [],
    task: [],
    bug: ['task'],
    meeting: [],
    action: ['task'],
    agenda: [],
    note: [],
    draft: ['note'],
    article: [],
    spec: [],
    decision: [],
    architecture: ['spec'],
  },
  fields: [
    { name: 'Status', type: 'options' },
    { name: 'Due', type: 'date' },
    { name: 'Date', type: 'date' },
    { name: 'Priority', type: 'options' },
    { name: 'Assignee', type: 'reference' },
    { name: 'Owner', type: 'reference' },
    { name: 'Attendees', type: 'reference' },
    { name: 'Blocked-by', type: 'reference' },
    { name: 'Project', type: 'reference' },
    { name: 'Approved', type: 'checkbox' },
    { name: 'Budget', type: 'number' },
    { name: 'Homepage', type: 'url' },
    { name: 'Email', type: 'text' },
  ],
  home: [
    {
      id: 'atlas-search',
      name: 'Atlas search engine',
      tags: ['project'],
      description: 'Search over everything that the company has written down.',
      daysAgo: 2,
      fields: {
        Status: 'active',
        Owner: { ref: 'mara-lindt' },
        Due: '{{date:2026-03-31}}',
        Budget: '48000',
        Approved: true,
        Homepage: 'https://lantern.example/atlas',
      },
      children: [
        {
          id: 'atlas-goal',
          name: 'People find the right page with their first query',
          tags: ['goal'],
          daysAgo: 30,
          fields: { Status: 'on track', Due: '{{date:2026-03-31}}' },
          children: [
            {
              id: 'atlas-beta',
              name: 'Beta with ten customers',
              tags: ['milestone'],
              daysAgo: 12,
              fields: { Due: '{{date:2026-02-15}}', Status: 'planned' },
              children: [
                {
                  id: 'invite-testers',
                  name: 'Invite the first ten testers',
                  tags: ['task'],
                  daysAgo: 3,
                  fields: {
                    Status: 'waiting',
                    Due: '{{date:2026-02-01}}',
                    Assignee: { ref: 'noor-haddad' },
                    'Blocked-by': { ref: 'fix-ranking' },
                  },
                },
                {
                  id: 'write-guide',
                  name: 'Write the guide for testers',
                  tags: ['task'],
                  daysAgo: 5,
                  fields: {
                    Status: 'done',
                    Due: '{{date:2026-01-12}}',
                    Assignee: { ref: 'pim-okafor' },
                  },
                  props: { _done: Date.UTC(2026, 0, 11, 9) },
                },
              ],
            },
            {
              id: 'atlas-launch',
              name: 'Public launch',
              tags: ['milestone'],
              daysAgo: 40,
              fields: { Due: '{{date:2026-03-31}}', Status: 'planned' },
              children: [
                {
                  id: 'book-venue',
                  name: 'Book a room for the launch evening',
                  tags: ['task'],
                  daysAgo: 20,
                  fields: { Status: 'open', Due: '{{date:2026-W09}}' },
                },
              ],
            },
          ],
        },
        {
          id: 'fix-ranking',
          name: 'Ranking puts old pages first',
          tags: ['bug'],
          daysAgo: 1,
          fields: {
            Status: 'in progress',
            Priority: 'high',
            Due: '{{date:2026-01-20}}',
            Assignee: { ref: 'jonas-weber' },
            Project: { ref: 'atlas-search' },
          },
          children: [
            { id: 'ranking-cause', name: 'The recency weight was read as days, not as seconds' },
            { id: 'ranking-plan', name: 'Plan: see {{ranking-spec}}, then test with real queries' },
          ],
        },
        {
          id: 'atlas-texts',
          name: 'Texts',
          daysAgo: 8,
          children: [
            {
              id: 'launch-article',
              name: 'Article: how Atlas reads a question',
              tags: ['article'],
              daysAgo: 6,
              fields: { Status: 'in review', Assignee: { ref: 'pim-okafor' } },
              children: [
                { id: 'article-opening', name: 'A question is a promise that an answer exists.' },
                {
                  id: 'article-middle',
                  name: 'Words first, meaning second, freshness <b>last</b>.',
                },
                { id: 'article-end', name: 'What we cut: the story about the library in Turin.' },
              ],
            },
            {
              id: 'guide-draft',
              name: 'Draft of the guide for testers',
              tags: ['draft'],
              daysAgo: 4,
              children: [
                { id: 'guide-first', name: 'Ask in your own words; quotes are not needed.' },
                { id: 'guide-second', name: 'Report a bad answer with the button below it.' },
              ],
            },
            {
              id: 'interview-note',
              name: 'Interviews: people search for names, then for dates',
              tags: ['note'],
              daysAgo: 45,
              children: ['noor-haddad'],
            },
          ],
        },
      ],
    },
    {
      id: 'lantern-site',
      name: 'New website',
      tags: ['project'],
      daysAgo: 60,
      fields: { Status: 'paused', Owner: { ref: 'pim-okafor' } },
      children: [
        {
          id: 'site-search',
          name: 'Put Atlas behind the search box of the website',
          tags: ['task'],
          daysAgo: 50,
          fields: {
            Status: 'blocked',
            'Blocked-by': { ref: 'atlas-launch' },
            Project: { ref: 'atlas-search' },
          },
        },
        { id: 'site-colours', name: 'Colours: amber and ink', daysAgo: 90 },
      ],
    },
    {
      id: 'company-calendar',
      name: 'Calendar',
      docType: 'journal',
      children: [
        {
          id: 'day-2026-01-13',
          name: '2026-01-13 - Tuesday',
          docType: 'journalPart',
          daysAgo: 2,
          children: [
            {
              id: 'atlas-weekly',
              name: 'Weekly on {{atlas-search}}',
              tags: ['meeting'],
              daysAgo: 2,
              fields: {
                Date: '{{date:2026-01-13}}',
                Attendees: [{ ref: 'mara-lindt' }, { ref: 'jonas-weber' }, { ref: 'noor-haddad' }],
                Status: 'held',
              },
              children: [
                {
                  id: 'weekly-agenda',
                  name: 'Agenda: ranking, testers, launch evening',
                  tags: ['agenda'],
                  daysAgo: 3,
                },
                { id: 'weekly-ranking', name: 'Jonas shows the numbers for {{fix-ranking}}' },
                {
                  id: 'send-numbers',
                  name: 'Send the numbers to the testers',
                  tags: ['action'],
                  daysAgo: 2,
                  fields: { Assignee: { ref: 'jonas-weber' }, Status: 'open' },
                },
                'atlas-decision',
              ],
            },
          ],
        },
        {
          id: 'day-2026-01-14',
          name: '2026-01-14 - Wednesday',
          docType: 'journalPart',
          daysAgo: 1,
          children: [
            { id: 'day-thought', name: 'Thought: {{atlas-search}} should say why a page is there' },
            'fix-ranking',
          ],
        },
      ],
    },
    {
      id: 'open-tasks',
      name: 'Open tasks',
      docType: 'search',
      daysAgo: 1,
      children: ['invite-testers', 'book-venue', 'fix-ranking', 'send-numbers'],
    },
  ],
  library: [
    {
      id: 'mara-lindt',
      name: 'Mara Lindt',
      tags: ['person'],
      daysAgo: 20,
      fields: { Email: 'mara@lantern.example' },
      children: [
        { id: 'mara-prefers', name: 'Prefers one page to ten slides; asks about cost first' },
      ],
    },
    {
      id: 'jonas-weber',
      name: 'Jonas Weber',
      tags: ['person'],
      daysAgo: 25,
      children: [{ id: 'jonas-knows', name: 'Knows ranking, dislikes meetings before ten' }],
    },
    { id: 'noor-haddad', name: 'Noor Haddad', tags: ['person'], daysAgo: 70 },
    { id: 'pim-okafor', name: 'Pim Okafor', tags: ['person'], daysAgo: 70 },
    {
      id: 'search-team',
      name: 'Search team',
      tags: ['team'],
      daysAgo: 100,
      children: ['mara-lindt', 'jonas-weber', 'noor-haddad'],
    },
    {
      id: 'ranking-spec',
      name: 'Spec: ranking of {{atlas-search}}',
      tags: ['spec'],
      daysAgo: 9,
      fields: {
        Status: 'accepted',
        Priority: 'high',
        Assignee: { ref: 'jonas-weber' },
        Project: { ref: 'atlas-search' },
      },
      children: [
        { id: 'spec-formula', name: 'score = words + 0.4 × links + 0.2 × freshness' },
        {
          id: 'spec-code',
          name: 'const score = words + 0.4 * links + 0.2 * freshness',
          docType: 'codeblock',
        },
      ],
    },
    {
      id: 'index-architecture',
      name: 'Architecture: one index per workspace',
      tags: ['architecture'],
      daysAgo: 35,
      fields: { Status: 'accepted', Project: { ref: 'atlas-search' } },
      children: [{ id: 'index-why', name: 'A workspace can then be deleted as one file' }],
    },
    {
      id: 'atlas-decision',
      name: 'We keep the index on the customer’s machine',
      tags: ['decision'],
      daysAgo: 15,
      description: 'Decided for {{atlas-search}} after {{index-architecture}} was accepted.',
      fields: { Status: 'final', Approved: true },
    },
    {
      id: 'atlas-paper',
      name: 'https://papers.example/ranking-by-use',
      docType: 'url',
      daysAgo: 120,
    },
    {
      id: 'holiday-note',
      name: 'Holidays: the office is closed from 24 December',
      tags: ['note'],
      daysAgo: 40,
    },
  ],
  trash: [
    {
      id: 'old-plan',
      name: 'Old plan for Atlas',
      tags: ['note'],
      daysAgo: 200,
      children: [{ id: 'old-plan-detail', name: 'Buy a search engine instead of Atlas' }],
    },
  ],
}
