/**
 * Which files of a repository are worth indexing, told from path, size and bytes. A pure function
 * that never throws on content. What it turns away it turns away with a reason that can be shown.
 * Knows nothing of languages beyond the endings of names, and nothing of ignore files or secrets.
 *
 * Offsets of everything that is indexed later are UTF-16 code units of the `text` given here: a
 * byte-order mark is no part of it, and what could not be decoded is U+FFFD in it. Line ends stay
 * as they are, so line numbers are those of the file on disk.
 */
import { lastPart } from '../base/paths.ts'
import type { Diagnostic } from '../model/diagnostic.ts'
import { generatedMarker } from './generated-marker.ts'

export type SkipReason = 'binary' | 'too-large' | 'minified' | 'generated' | 'invalid-utf8'

export interface SkippedFile {
  readonly kind: 'skipped'
  readonly reason: SkipReason
  readonly message: string
}

export interface TextFile {
  readonly kind: 'text'
  readonly text: string
  /** What had to be given up to read it as text. */
  readonly diagnostics: readonly Omit<Diagnostic, 'path'>[]
}

export interface ClassifyOptions {
  readonly maxFileBytes?: number
}

/** A text file larger than this is nearly always data or machine output. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024

export function classify(
  path: string,
  bytes: Uint8Array,
  options: ClassifyOptions = {},
): TextFile | SkippedFile {
  const early = preScreen(path, bytes.length, options)
  if (early !== undefined) return early
  const decoded = decode(bytes)
  if (decoded.kind === 'skipped') return decoded
  const { text } = decoded
  const marker = isManifest(path) ? undefined : generatedMarker(path, text)
  if (marker !== undefined) return skipped('generated', `says that it is generated: ${marker}`)
  if (isSourceMap(path, text)) return skipped('generated', 'is a source map')
  if (isDocsPack(path, text)) return skipped('generated', 'is a pack that dossier made')
  return isMinified(path, text)
    ? skipped('minified', 'its code is in lines of thousands of characters, made by a machine')
    : decoded
}

/** What can be said without reading. Undefined: the bytes must be seen. */
export function preScreen(
  path: string,
  size: number,
  options: ClassifyOptions = {},
): SkippedFile | undefined {
  const name = lastPart(path)
  const extension = extensionOf(name)
  if (BINARY_EXTENSIONS.has(extension)) return skipped('binary', `.${extension} files are no text`)
  if (LOCK_FILES.has(name)) return skipped('generated', 'is a lock file')
  if (MINIFIED_EXTENSIONS.has(extension) && MINIFIED_NAME.test(name))
    return skipped('generated', 'its name says that it is minified')
  if (extension === 'map' && SOURCE_MAP_NAME.test(name))
    return skipped('generated', 'is a source map')
  const most = options.maxFileBytes ?? MAX_FILE_BYTES
  return size > most ? skipped('too-large', `is over ${inWords(most)}`) : undefined
}

function skipped(reason: SkipReason, message: string): SkippedFile {
  return { kind: 'skipped', reason, message: `${message}; left out` }
}

function inWords(bytes: number): string {
  return bytes % (1024 * 1024) === 0 ? `${bytes / 1024 / 1024} MB` : `${bytes} bytes`
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
}

/** Only endings that are never text. Where both exist (.bin, .dat, .obj), the bytes decide. */
const BINARY_EXTENSIONS = new Set(
  (
    'png jpg jpeg gif webp avif ico icns bmp tif tiff psd heic ' +
    'mp3 mp4 m4a m4v wav ogg opus flac avi mkv webm woff woff2 ttf otf eot ' +
    'zip gz tgz bz2 xz zst 7z rar jar war whl br lz4 exe dll dylib pyc pyo wasm ' +
    'pdf docx xlsx pptx odt ods sqlite sqlite3 parquet npy npz safetensors gguf onnx'
  ).split(' '),
)

const LOCK_FILES = new Set(
  (
    'package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock ' +
    'Cargo.lock poetry.lock uv.lock pdm.lock Pipfile.lock pixi.lock go.sum go.work.sum ' +
    'composer.lock Gemfile.lock flake.lock mix.lock pubspec.lock Podfile.lock Package.resolved ' +
    'gradle.lockfile packages.lock.json cabal.project.freeze .terraform.lock.hcl'
  ).split(' '),
)

/** Tools write into these, or all of them; but they say where the modules of a repository are. */
const MANIFESTS = new Set(
  (
    'go.mod go.work Cargo.toml Package.swift package.json tsconfig.json jsconfig.json ' +
    'composer.json pyproject.toml pubspec.yaml pnpm-workspace.yaml'
  ).split(' '),
)

function isManifest(path: string): boolean {
  return MANIFESTS.has(lastPart(path))
}

// Snapshots (*.snap) stay in: they are test data, and often the only place that shows an output.
const MINIFIED_EXTENSIONS = new Set(['js', 'mjs', 'cjs', 'css'])
const MINIFIED_NAME = /[.-]min\.(?:[cm]?js|css)$/i
const SOURCE_MAP_NAME = /\.(?:[cm]?[jt]sx?|css)\.map$/i

/** `.map` is used for other things as well, so where the name does not tell, the text has to. */
function isSourceMap(path: string, text: string): boolean {
  return extensionOf(path) === 'map' && /^\s*\{\s*"version"\s*:\s*3\s*,/.test(text)
}

const PACK_HEAD = 1000

/** Told by what it says of itself: in a `_ctx` and under that name there may be others' files too. */
function isDocsPack(path: string, text: string): boolean {
  if (extensionOf(path) !== 'json' || !/^\s*\{\s*"schema_version"\s*:/.test(text)) return false
  return /"generator_version"\s*:\s*"dossier /.test(text.slice(0, PACK_HEAD))
}

const NUL_WINDOW = 8 * 1024

function decode(bytes: Uint8Array): TextFile | SkippedFile {
  const wide = utf16(bytes)
  const isBinary =
    wide?.includes('\0') ?? (bytes.subarray(0, NUL_WINDOW).includes(0) || hasMagic(bytes))
  if (isBinary) return skipped('binary', 'is no text')
  const diagnostics: Omit<Diagnostic, 'path'>[] = []
  let text = wide ?? strictUtf8(bytes)
  if (text === undefined) {
    text = LENIENT.decode(bytes)
    const message = 'is not valid UTF-8; invalid bytes were replaced by U+FFFD'
    if (count(text, /\uFFFD/g) * 2 > text.length)
      return skipped('invalid-utf8', 'is in an encoding other than UTF-8')
    diagnostics.push({ code: 'invalid-utf8', message })
  }
  if (count(text.slice(0, NUL_WINDOW), CONTROLS) * 10 > Math.min(text.length, NUL_WINDOW))
    return skipped('binary', 'is mostly control characters')
  if (!text.includes('\0')) return { kind: 'text', text, diagnostics }
  // One unit for another: no offset moves, and no consumer has to be ready for a NUL.
  const message = 'holds NUL bytes far down; they became U+FFFD'
  diagnostics.push({ code: 'invalid-utf8', message })
  return { kind: 'text', text: text.replaceAll('\0', '\uFFFD'), diagnostics }
}

const STRICT = new TextDecoder('utf-8', { fatal: true })
const LENIENT = new TextDecoder('utf-8')

function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes)
  } catch {
    return undefined
  }
}

function utf16(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return undefined
}

/** Tabs, line ends, form feeds and escapes (colours in logs) do occur in text. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\x01-\x07\x0e-\x1a\x1c-\x1f]/g

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}

/** Formats that may go on for 8 KB without a NUL, by first bytes that no text would begin with. */
const MAGIC: readonly string[] = [
  '%PDF-',
  'GIF87a',
  'GIF89a',
  '\x89PNG',
  '\xff\xd8\xff',
  '\x1f\x8b',
  '\x28\xb5\x2f\xfd',
  '\xfd7zXZ',
  '7z\xbc\xaf\x27\x1c',
  'PK\x03\x04',
  'BZh91AY&SY',
  '!<arch>\n',
]

function hasMagic(bytes: Uint8Array): boolean {
  return MAGIC.some((magic) => {
    for (let at = 0; at < magic.length; at += 1)
      if (bytes[at] !== magic.charCodeAt(at)) return false
    return true
  })
}

const LONG_LINE = 5000
const LONG_AVERAGE = 500

/**
 * Minified is code in which the lines have no meaning any more. All of these must hold:
 * - the name ends like that of code (Markdown, JSON, CSV, HTML and SVG have long lines by nature);
 * - the average line is over 500 characters, and one is over 5,000;
 * - of the lines over 5,000, one character in fifty is `(`, `)` or `;`. Statements and calls are
 *   that dense; a picture in base64 or a table of numbers in an otherwise normal file is not.
 */
function isMinified(path: string, text: string): boolean {
  if (text.length <= LONG_LINE || !CODE_EXTENSIONS.has(extensionOf(path))) return false
  let lines = 0
  let long = 0
  let dense = 0
  for (let start = 0; start < text.length; lines += 1) {
    const next = text.indexOf('\n', start)
    const end = next === -1 ? text.length : next
    if (end - start > LONG_LINE) {
      long += end - start
      dense += count(text.slice(start, end), /[();]/g)
    }
    start = end + 1
  }
  return long > 0 && text.length / lines > LONG_AVERAGE && dense * 50 >= long
}

const CODE_EXTENSIONS = new Set(
  (
    'js mjs cjs jsx ts mts cts tsx css scss less vue svelte php py rb pl lua java kt scala groovy ' +
    'go rs c h cc cpp hpp cs swift dart ex exs hs ml r jl sh ps1'
  ).split(' '),
)
