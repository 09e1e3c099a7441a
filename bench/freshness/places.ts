/**
 * What is edited and asked about: a repository, a folder of documents and a vault of notes, each of
 * a few files that hold one known value. An answer that has another value than the file is stale.
 */

/** One file as it should be answered. The topic finds it; the value is on no other line. */
export interface Holding {
  /** Relative to the folder of the place. */
  readonly path: string
  readonly topic: string
  readonly value: string
}

export interface Place {
  readonly name: 'code' | 'docs' | 'notes'
  /** Relative to the folder that everything lies in. */
  readonly folder: string
  /** The path of a file that is new. */
  pathFor(name: string): string
  text(it: Pick<Holding, 'topic' | 'value'>): string
  readonly tool: string
  args(topic: string): Record<string, unknown>
  /** How an answer names the file. */
  shownAs(path: string): string
}

const CODE: Place = {
  name: 'code',
  folder: 'repo',
  pathFor: (name) => `src/${name}.ts`,
  text: ({ topic, value }) =>
    `/** Reads the gauge. */\nexport function ${topic}(): string {\n  return '${value}'\n}\n`,
  tool: 'context_pack_create',
  args: (topic) => ({ query: topic, tokens: 2000 }),
  shownAs: (path) => path,
}

const DOCS: Place = {
  name: 'docs',
  folder: 'repo/docs',
  pathFor: (name) => `${name}.md`,
  text: ({ topic, value }) => `# ${topic}\n\nThe gauge reads ${value} today.\n`,
  tool: 'search_context',
  args: (topic) => ({ query: topic }),
  shownAs: (path) => `docs/${path}`,
}

const NOTES: Place = {
  name: 'notes',
  folder: 'vault',
  pathFor: (name) => `${name}.md`,
  text: ({ topic, value }) => `# ${topic}\n\nThe gauge reads ${value} today.\n`,
  tool: 'tana_context',
  // Only as JSON does an answer name the ids.
  args: (topic) => ({ query: topic, format: 'json' }),
  // The id of a note is its path without the extension.
  shownAs: (path) => path.replace(/\.md$/, ''),
}

export const PLACES: readonly Place[] = [CODE, DOCS, NOTES]
