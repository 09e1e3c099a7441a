/** The pages that people read, taken apart: links, headings, and the commands of their examples. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PROJECT } from './program.ts'

export interface Page {
  /** From the top of the project. */
  readonly path: string
  readonly text: string
}

/** README, ARCHITECTURE and every page of `docs`, those of decisions included. */
export function readPages(): readonly Page[] {
  const docs = readdirSync(join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((it) => it.endsWith('.md'))
    .map((it) => `docs/${it}`)
    .toSorted()
  return ['README.md', 'ARCHITECTURE.md', ...docs].map(readPage)
}

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(PROJECT, path), 'utf8') }
}

interface Block {
  readonly language: string
  readonly lines: readonly string[]
}

/** A page without its fenced blocks, and the blocks. A longer fence may hold a shorter one. */
export function splitBlocks(text: string): {
  readonly prose: readonly string[]
  readonly blocks: readonly Block[]
} {
  const prose: string[] = []
  const blocks: Block[] = []
  let open: { fence: string; language: string; lines: string[] } | undefined
  for (const line of text.split('\n')) {
    const [, fence = '', language = ''] = /^ *(`{3,})(\w*)/.exec(line) ?? []
    if (open === undefined) {
      if (fence === '') prose.push(line)
      else open = { fence, language, lines: [] }
    } else if (fence === open.fence && language === '') {
      blocks.push(open)
      open = undefined
    } else {
      open.lines.push(line)
    }
  }
  return { prose, blocks }
}

export interface Link {
  /** The file or folder that it leads to, from the top of the project. */
  readonly to: string
  readonly heading?: string
  readonly written: string
}

/** Relative links only: other servers are not asked. */
export function relativeLinks({ path, text }: Page): readonly Link[] {
  const prose = splitBlocks(text)
    .prose.join('\n')
    .replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, written = '']) => written)
    .filter((it) => !/^[a-z]+:/.test(it))
    .map((written) => {
      const [file = '', heading] = written.split('#')
      const to = file === '' ? path : join(dirname(path), file)
      return { to, written, ...(heading === undefined ? {} : { heading }) }
    })
}

/** Anchors as GitHub makes them; the second heading of a name gets `-1`. */
export function headingAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const line of splitBlocks(text).prose) {
    const [, title] = /^#{1,6} +(.*)$/.exec(line) ?? []
    if (title === undefined) continue
    const plain = title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-')
    let anchor = plain
    for (let copy = 1; anchors.has(anchor); copy += 1) anchor = `${plain}-${copy}`
    anchors.add(anchor)
  }
  return anchors
}

/** The words of each `dossier` command in blocks for a terminal, without redirections and comments. */
export function commandLines({ text }: Page): readonly (readonly string[])[] {
  return splitBlocks(text)
    .blocks.filter((it) => it.language === 'console' || it.language === 'sh')
    .flatMap(({ language, lines }) =>
      lines.flatMap((line) => {
        const prompt = language === 'console' ? String.raw`\$ ` : ''
        const started = new RegExp(`^${prompt}(?:.*npm run -s )?dossier (?:-- )?(.*)$`).exec(line)
        return started?.[1] === undefined ? [] : [shellWords(started[1])]
      }),
    )
}

function shellWords(line: string): readonly string[] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|([|<>#&].*)|(\S+)/g)]
  const end = words.findIndex(([, , , rest]) => rest !== undefined)
  return words
    .slice(0, end < 0 ? undefined : end)
    .map(([word, double, single]) => double ?? single ?? word)
}
