/**
 * The summary of each operation, in the order of the help. Kept apart so that a command loads only
 * its own operation.
 */
export const SUMMARIES = {
  pack: 'Collect the pieces of a repository that a task needs, within a token budget, with the reason for each.',
  'pack diff': 'Compare two packs: what was added, removed, moved or changed, and why.',
  'pack verify':
    'Rebuild a pack from its request and check that the bytes are the same, or show the differences.',
  'context-pack':
    'Build a context pack from an existing index, with every option of a request; store it, or read a stored one.',
  'context-pack get': 'Read a stored context pack by its id, as long as the index has not changed.',
  index: 'Index a repository: its code as chunks, symbols and a graph, its text for search.',
  'index export': 'Export the index of a repository as JSONL or LMDB.',
  'index import': 'Import the index of a repository from an export of `dossier index export`.',
  status:
    'Show what is in the index of a repository, how old it is, and what was left out and why.',
  eval: 'Replay the history of a repository: how much of what each commit changed was in a pack for its message.',
  context:
    'Assemble structured context from a knowledge graph of notes (Tana, Obsidian, Logseq, Markdown) for a topic or a note.',
  'notes import':
    'Import notes into a workspace: a Tana export, a Tana Intermediate Format file, a folder of Markdown, or the Tana Local API.',
  'notes sync': 'Update imported notes from their sources: one workspace, or all of them.',
  'notes list': 'List the workspaces of notes, with their sources and the age of each copy.',
  'notes embed': 'Embed the notes of a workspace, so that search also ranks by meaning.',
  'ctx build': 'Build the context pack of a folder of Markdown documents from scratch.',
  'ctx sync':
    'Update the context pack: read changed documents and repair altered files; write only if something changed.',
  'ctx validate': 'Check that the pack is complete and matches its documents.',
  'ctx search': 'Find the sections of the documentation that answer a question.',
  'ctx get': 'Read sections of the documentation by id, within a token budget.',
  'ctx stats': 'Show how large the pack is in real tokens, and what it saves.',
  'ctx prompt': 'Print digest and index, ready to paste in a system prompt.',
  'flow new': 'Create a flow: a folder for the hand-picked context of one task.',
  'flow list': 'List the flows of this repository; the one in use is marked.',
  'flow use': 'Make a flow the default for later commands.',
  'flow status':
    'Show the flow in use: its folder, its parts, and whether its prompt is up to date.',
  'evidence add': 'Pick files, lines, bytes, symbols, documents or notes as evidence.',
  'evidence list': 'List the parts of the context, with their variables, ranks, sizes and states.',
  'evidence status':
    'Show what the context holds by role, what is skipped, and how much of the budget it takes.',
  'evidence plan': 'Show what an assembly would include, in which order, without writing anything.',
  'evidence budget':
    'Show where the tokens go: a bar for the whole, for each band of ranks, and for each part.',
  'evidence toggle': 'Exclude parts from the assembly, or include them again.',
  'evidence rank': 'Change the rank of a part, and so its position in the assembly.',
  'evidence rebase': 'Renumber the evidence from 100 in steps of ten, in the current order.',
  'evidence remove': 'Remove parts from the flow. `evidence undo` restores them.',
  'evidence undo': 'Undo the last change of the flow; repeat to undo earlier ones.',
  'evidence focus':
    'Activate only the evidence about a topic and skip the rest, until `focus off`.',
  'evidence deps': 'Show which evidence refers to a part, and what the part refers to, with lines.',
  'evidence refresh': 'Update evidence from its sources, and show what has changed.',
  'evidence diff':
    'Show what has changed in the sources since they were added, without updating the evidence.',
  'evidence env': 'Print FLOW_DIR, EVIDENCE_COUNT and e1, e2, … for a shell to evaluate.',
  ask: 'Ask about the evidence: what covers a topic, what is missing for it, what is redundant.',
  assemble: 'Assemble the active parts into build/prompt.mdctx, described by build/ctxplan.json.',
  submit:
    'Send the assembled context to a language model, print the answer and store it in build/.',
} as const

export type OperationName = keyof typeof SUMMARIES
