/**
 * Real source that everybody has after `npm ci`: the packages of node_modules, copied into a folder
 * where nothing says that they are dependencies.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { ascending, descending, inOrder } from '../../src/base/order.ts'
import { EXTENSIONS, grammarOf } from './grammars.ts'

const MAX_BYTES = 2_000_000
const PACKAGES = join(import.meta.dirname, '..', '..', 'node_modules')
/** An index may distrust a file that is as young as itself. */
const WRITTEN_AT = new Date('2024-01-01T00:00:00Z')

export interface CorpusFile {
  /** Relative to the corpus, with `/`. */
  readonly path: string
  readonly bytes: number
}

/** Copies every `step`th file below a folder. */
export function copyCorpus(folder: string, step: number): readonly CorpusFile[] {
  const wanted = sourceFiles(PACKAGES, '').toSorted()
  const isReadable = (path: string): boolean => !isMinified(readFileSync(join(PACKAGES, path)))
  return wanted
    .filter(isReadable)
    .filter((_, at) => at % step === 0)
    .map((path) => copied(path, folder))
}

export function megabytes(files: readonly CorpusFile[]): number {
  return files.reduce((sum, it) => sum + it.bytes, 0) / 1e6
}

/** A line for each language: files, megabytes, and whether it is parsed. */
export function holdings(files: readonly CorpusFile[]): readonly string[] {
  const byLanguage = Map.groupBy(files, (it) => grammarOf(it.path) ?? `${extname(it.path)} (read)`)
  return [...byLanguage]
    .map(([language, list]) => ({ language, files: list.length, megabytes: megabytes(list) }))
    .toSorted(
      inOrder(
        descending((it) => it.megabytes),
        ascending((it) => it.language),
      ),
    )
    .map(
      (it) =>
        `  ${it.language.padEnd(14)} ${String(it.files).padStart(6)} files ${it.megabytes.toFixed(1).padStart(6)} MB`,
    )
}

function sourceFiles(top: string, below: string): readonly string[] {
  return readdirSync(join(top, below), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith('.')) return []
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) return sourceFiles(top, path)
    if (!entry.isFile() || !EXTENSIONS.has(extname(path))) return []
    const { size } = statSync(join(top, path))
    return size > 0 && size <= MAX_BYTES ? [path] : []
  })
}

const LONG_LINE = 2000
const LONG_ON_AVERAGE = 150

/** Made by a machine for a machine: no repository has it as its source. */
function isMinified(bytes: Buffer): boolean {
  const lines = bytes.toString('latin1').split('\n')
  return bytes.length > LONG_ON_AVERAGE * lines.length || lines.some((it) => it.length > LONG_LINE)
}

function copied(path: string, folder: string): CorpusFile {
  const bytes = readFileSync(join(PACKAGES, path))
  const target = path.replaceAll(/(^|\/)node_modules(?=\/)/g, '$1nested')
  const file = join(folder, target)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
  utimesSync(file, WRITTEN_AT, WRITTEN_AT)
  return { path: target, bytes: bytes.length }
}
