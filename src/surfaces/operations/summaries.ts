/**
 * What each operation is for, in the order that help lists them: all that anybody needs to know of
 * those that are not asked for, so that a command loads no other.
 */
export const SUMMARIES = {
  pack: 'Put together the pieces of a repository that a task needs, within a token budget, with the reason for each.',
  'pack diff': 'Say what entered, left, moved and is shown otherwise between two packs, and why.',
  'pack verify':
    'Make a pack again from its request, and prove that it has the same bytes, or say where not.',
  'context-pack':
    'Make a context pack with every choice of a request, of an index that is there; keep it, or read one that was kept.',
  'context-pack get':
    'Read a context pack again by its id, as long as the index is the one it was made of.',
  index: 'Index a repository: its code as chunks, symbols and a graph, its text for search.',
  'index export':
    'Write the index of a repository out as JSONL or LMDB, to be sent around and read.',
  'index import': 'Make the index of a repository from what `dossier index export` wrote.',
  status: 'Say what is in the index of a repository, how old it is, and what was left out and why.',
  eval: 'Replay the history of a repository: how much of what each commit changed was in a pack for its message.',
  context:
    'Assemble structured context from a knowledge graph of notes (Tana, Obsidian, Logseq, Markdown) for a topic or a note.',
  'notes import':
    'Import notes into a workspace: a Tana export, a Tana Intermediate Format file, a folder of Markdown, or the Tana Local API.',
  'notes sync':
    'Bring imported notes up to date with their sources: one workspace, or all of them.',
  'notes list':
    'Say which workspaces of notes there are, where they come from, and how old each copy is.',
  'notes embed': 'Make vectors of the notes of a workspace, so that likeness in meaning counts.',
  'ctx build': 'Build the context pack of a folder of Markdown documents from scratch.',
  'ctx sync':
    'Bring the context pack up to date: read what changed, repair what was altered, write only then.',
  'ctx validate': 'Check that the pack is whole and still says what its documents say.',
  'ctx search': 'Find the sections of the documentation that answer a question.',
  'ctx get': 'Read sections of the documentation by id, within a token budget.',
  'ctx stats': 'Show how large the pack is in real tokens, and what it saves.',
  'ctx prompt': 'Print digest and index, ready to paste in a system prompt.',
  'flow new': 'Begin a flow: a folder for the hand-picked context of one task.',
  'flow list': 'List the flows of this repository; the one in use is marked.',
  'flow use': 'Use a flow from now on, wherever no other is named.',
  'flow status':
    'Show the flow in use: where it is, what it holds, and whether its prompt is up to date.',
  'evidence add': 'Pick files, lines, bytes, symbols, documents or notes as evidence.',
  'evidence list': 'List the parts of the context, with their variables, ranks, sizes and states.',
  'evidence status':
    'Show what the context holds by role, what is skipped, and how much of the budget it takes.',
  'evidence plan':
    'Show what an assembly would put together, in which order, without writing anything.',
  'evidence budget':
    'Show where the tokens go: a bar for the whole, for each band of ranks, and for each part.',
  'evidence toggle': 'Leave parts out of the assembly, or take them in again.',
  'evidence rank': 'Give a part another rank, and so another place in the assembly.',
  'evidence rebase': 'Number the evidence anew from 100 in steps of ten, in the order that it has.',
  'evidence remove': 'Take parts out of the flow. `evidence undo` brings them back.',
  'evidence undo': 'Undo the last change of the flow; again, the one before it.',
  'evidence focus': 'Keep active what speaks of something and skip the rest, until `focus off`.',
  'evidence deps': 'Show which evidence refers to a part, and what the part refers to, with lines.',
  'evidence refresh': 'Bring evidence up to date with its sources, and show what has changed.',
  'evidence diff': 'Show what has changed in the sources since they were added; changes nothing.',
  'evidence env': 'Print FLOW_DIR, EVIDENCE_COUNT and e1, e2, … for a shell to evaluate.',
  ask: 'Ask about the evidence: what covers something, what is missing for it, what is redundant.',
  assemble:
    'Put the active parts together as build/prompt.mdctx, with build/ctxplan.json about them.',
  submit:
    'Send the assembled context to a language model; the answer is printed and kept in build/.',
} as const

export type OperationName = keyof typeof SUMMARIES
