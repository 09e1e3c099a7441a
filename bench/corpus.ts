/**
 * Documentation out of nothing, the same on every machine. Its proportions are those of real trees
 * (fastify, vite and the Rust book at one commit each): some 800 characters to a section, one word
 * in twenty-five a compound identifier, Zipf's law for the rest.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface CorpusSize {
  readonly files: number
  readonly bytesPerFile: number
}

/** Writes the corpus below a folder, a hundred files to a subfolder, and returns its bytes. */
export function writeCorpus(folder: string, size: CorpusSize): number {
  const random = generator(42)
  let bytes = 0
  for (let at = 0; at < size.files; at += 1) {
    const parent = join(folder, `area-${Math.floor(at / 100)}`)
    if (at % 100 === 0) mkdirSync(parent, { recursive: true })
    const text = document(random, size.bytesPerFile)
    bytes += Buffer.byteLength(text)
    writeFileSync(join(parent, `page-${at}.md`), text)
  }
  return bytes
}

type Random = () => number

/** A linear congruential generator: the bench must not depend on the engine's own randomness. */
function generator(seed: number): Random {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 0x1_0000_0000
  }
}

function document(random: Random, bytes: number): string {
  const parts = [`# ${title(random)}\n`, paragraph(random)]
  for (let length = 200; length < bytes; ) {
    const depth = random() < 0.6 ? '##' : '###'
    const section = [`${depth} ${title(random)}\n`, ...blocks(random)].join('\n')
    parts.push(section)
    length += section.length
  }
  return `${parts.join('\n')}\n`
}

function blocks(random: Random): readonly string[] {
  return Array.from({ length: 2 + Math.floor(random() * 5) }, () => {
    const kind = random()
    if (kind < 0.55) return paragraph(random)
    if (kind < 0.75) return list(random)
    return kind < 0.95 ? code(random) : table(random)
  })
}

function paragraph(random: Random): string {
  const sentences = Array.from({ length: 1 + Math.floor(random() * 4) }, () => sentence(random))
  return `${sentences.join(' ')}\n`
}

function sentence(random: Random): string {
  const words = Array.from({ length: 6 + Math.floor(random() * 16) }, () =>
    marked(random, word(random)),
  )
  return `${words.join(' ')}.`
}

function marked(random: Random, text: string): string {
  const kind = random()
  if (kind < 0.03) return `\`${text}()\``
  if (kind < 0.045) return `[${text}](../area-${Math.floor(random() * 50)}/${text}.md#${text})`
  return kind < 0.055 ? `**${text}**` : text
}

function list(random: Random): string {
  const items = Array.from({ length: 2 + Math.floor(random() * 5) }, () => `- ${sentence(random)}`)
  return `${items.join('\n')}\n`
}

function code(random: Random): string {
  const lines = Array.from(
    { length: 2 + Math.floor(random() * 10) },
    () => `  const ${word(random)} = ${word(random)}(${word(random)}, '${word(random)}')`,
  )
  return `\`\`\`ts\n# not a heading\nfunction ${word(random)}() {\n${lines.join('\n')}\n}\n\`\`\`\n`
}

function table(random: Random): string {
  const row = (): string => `| ${word(random)} | ${word(random)} ${word(random)} |`
  return `| name | meaning |\n| --- | --- |\n${[row(), row(), row()].join('\n')}\n`
}

function title(random: Random): string {
  return `${word(random)} ${word(random)} ${word(random)}`
}

const SYLLABLES = 'ka lo mi ter ran sol ve pun dor est in ad con pre tion al er ma ri te'.split(' ')
const VOCABULARY = 20_000

/** Rank by Zipf's law: the hundredth word comes a hundred times less often than the first. */
function word(random: Random): string {
  const rank = Math.floor(VOCABULARY ** random())
  const text = spelled(rank)
  return random() < 0.04 ? text + capital(spelled(Math.floor(random() * 500))) : text
}

function spelled(rank: number): string {
  let text = ''
  for (let rest = rank + 7; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length] ?? ''
  }
  return text
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
