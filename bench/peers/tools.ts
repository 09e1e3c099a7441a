/**
 * The splitters, ours and the others', behind one interface. All of them count tokens with the
 * same o200k tokenizer and have no overlap, so that they differ in where they cut and nothing else.
 */
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base'
import type { CountTokens } from '../../src/model/tokens.ts'
import { chunkMarkdown } from '../../src/sources/markdown/read-document.ts'
import type { SizeLimit } from '../../src/sources/markdown/split.ts'
import { codePointLimit } from '../../src/sources/markdown/split.ts'
import { importPeer } from './install.ts'

export interface Piece {
  readonly text: string
  /** The headings that the tool says the piece stands under, outermost first. */
  readonly path?: readonly string[]
}

export interface Tool {
  readonly name: string
  readonly isOurs: boolean
  /** What a piece may not exceed, whether or not the tool has a way to be told. */
  readonly limit: SizeLimit
  split(text: string): readonly Piece[] | Promise<readonly Piece[]>
}

/** The tool that throughput is compared with. */
export const BASELINE = 'llamaindex MarkdownNodeParser'

const MAX_TOKENS = 512
/** The product's own limit. */
const MAX_CODE_POINTS = 6000

export async function loadTools(folder: string, countTokens: CountTokens): Promise<Tool[]> {
  const tokens = { max: MAX_TOKENS, size: countTokens }
  return [
    ours('ours, 512 tokens', tokens),
    ours('ours, 6000 code points', codePointLimit(MAX_CODE_POINTS)),
    await langchain(folder, tokens),
    ...(await llamaindex(folder, tokens)),
    await chonkie(folder, tokens),
  ]
}

function ours(name: string, limit: SizeLimit): Tool {
  return {
    name,
    isOurs: true,
    limit,
    split: (text) =>
      chunkMarkdown(text, limit).map((it) => ({ text: it.text, path: it.titlePath })),
  }
}

interface Langchain {
  readonly MarkdownTextSplitter: new (options: {
    readonly chunkSize: number
    readonly chunkOverlap: number
    readonly lengthFunction: CountTokens
  }) => { splitText(text: string): Promise<readonly string[]> }
}

async function langchain(folder: string, limit: SizeLimit): Promise<Tool> {
  const { MarkdownTextSplitter } = await importPeer<Langchain>(folder, 'langchain')
  const splitter = new MarkdownTextSplitter({
    chunkSize: limit.max,
    chunkOverlap: 0,
    lengthFunction: limit.size,
  })
  return {
    name: 'langchain MarkdownTextSplitter',
    isOurs: false,
    limit,
    split: async (text) => (await splitter.splitText(text)).map((it) => ({ text: it })),
  }
}

interface LlamaNode {
  readonly text: string
  readonly metadata: Readonly<Record<string, unknown>>
}

interface LlamaParser {
  getNodesFromDocuments(documents: readonly LlamaNode[]): readonly LlamaNode[]
}

interface Llamaindex {
  readonly Document: new (options: { readonly text: string }) => LlamaNode
  readonly MarkdownNodeParser: new () => LlamaParser
  readonly SentenceSplitter: new (options: {
    readonly chunkSize: number
    readonly chunkOverlap: number
    readonly tokenizer: Tokenizer
  }) => LlamaParser
}

/** The parser knows no limit, so it stands here alone and with the splitter its users put behind. */
async function llamaindex(folder: string, limit: SizeLimit): Promise<readonly Tool[]> {
  const peer = await importPeer<Llamaindex>(folder, 'llamaindex')
  const { Document } = peer
  const parser = new peer.MarkdownNodeParser()
  const options = { chunkSize: limit.max, chunkOverlap: 0, tokenizer: tokenizer(limit.size) }
  const splitter = new peer.SentenceSplitter(options)
  const parse = (text: string) => parser.getNodesFromDocuments([new Document({ text })])
  return [
    {
      name: BASELINE,
      isOurs: false,
      limit,
      split: (text) => parse(text).map(pieceOfNode),
    },
    {
      name: 'llamaindex + SentenceSplitter',
      isOurs: false,
      limit,
      split: (text) => splitter.getNodesFromDocuments(parse(text)).map(pieceOfNode),
    },
  ]
}

function pieceOfNode(node: LlamaNode): Piece {
  const path = [1, 2, 3, 4, 5, 6].flatMap((level) => {
    const title = node.metadata[`Header_${level}`]
    return typeof title === 'string' ? [title] : []
  })
  return { text: node.text, path }
}

interface Chonkie {
  readonly RecursiveChunker: {
    create(options: {
      readonly chunkSize: number
      readonly tokenizer: Tokenizer
    }): Promise<{ chunk(text: string): Promise<readonly { readonly text: string }[]> }>
  }
}

/**
 * With its own rules: the Markdown recipe of the Python package is not in this one, and delimiters
 * are sets of single characters here, so `\n## ` could not be told to it either.
 */
async function chonkie(folder: string, limit: SizeLimit): Promise<Tool> {
  const { RecursiveChunker } = await importPeer<Chonkie>(folder, 'chonkie')
  const chunker = await RecursiveChunker.create({
    chunkSize: limit.max,
    tokenizer: tokenizer(limit.size),
  })
  return {
    name: 'chonkie RecursiveChunker',
    isOurs: false,
    limit,
    split: async (text) => (await chunker.chunk(text)).map((it) => ({ text: it.text })),
  }
}

/** What the peers want of a tokenizer, between them. */
interface Tokenizer {
  countTokens(text: string): number
  encode(text: string): number[]
  decode(tokens: Iterable<number>): string
  decodeBatch(batch: readonly number[][]): string[]
}

function tokenizer(countTokens: CountTokens): Tokenizer {
  const options = { disallowedSpecial: new Set<string>() }
  return {
    countTokens,
    encode: (text) => encode(text, options),
    decode: (tokens) => decode(tokens),
    decodeBatch: (batch) => batch.map((tokens) => decode(tokens)),
  }
}
