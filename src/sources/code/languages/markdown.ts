import type { Language } from '../language.ts'

/** Cut by its headings elsewhere; no grammar is needed for that. */
export const markdown: Language = {
  id: 'markdown',
  extensions: ['.md', '.markdown', '.mdx', '.mdown', '.mkd', '.mdc'],
}
