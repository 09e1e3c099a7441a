/**
 * Repositories of a wanted number of lines, put together from real source: checkouts if some are
 * given, the smallest first, then the packages of node_modules. A smaller corpus is part of every
 * larger one, so a question about the smallest can be asked of all. Kept from run to run by content.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { ascending, inOrder } from '../../src/base/order.ts'

const PACKAGES = join(import.meta.dirname, '..', '..', 'node_modules')
const MAX_BYTES = 1_000_000
/** An index may distrust a file that is as young as itself. */
const WRITTEN_AT = new Date('2024-01-01T00:00:00Z')
const EXTENSIONS: ReadonlySet<string> = new Set(
  'c cc cjs cpp cs cts go h hpp java js jsx kt lua md mjs mts php py rb rs rst sh swift ts tsx'
    .split(' ')
    .map((it) => `.${it}`),
)
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.dossier', '.codegraph', '.context'])

export interface Corpus {
  readonly folder: string
  readonly lines: number
  readonly files: number
  /** The names of the checkouts in it. */
  readonly checkouts: readonly string[]
}

/** A part of a corpus: a checkout or a package, always taken as a whole. */
export interface Unit {
  readonly name: string
  readonly isCheckout: boolean
  readonly lines: number
  readonly files: readonly UnitFile[]
}

interface UnitFile {
  /** Relative to the corpus, with `/`. */
  readonly path: string
  readonly from: string
  readonly hash: string
}

/** In the order in which corpora are filled. */
export function unitsIn(checkouts: string | undefined): readonly Unit[] {
  const given = checkouts === undefined ? [] : foldersIn(checkouts)
  const repositories = given
    .map((name) => unitOf({ name, top: join(checkouts ?? '', name), isCheckout: true }))
    .toSorted(
      inOrder(
        ascending((it) => it.lines),
        ascending((it) => it.name),
      ),
    )
  const packages = foldersIn(PACKAGES)
    .map((name) => unitOf({ name, top: join(PACKAGES, name), isCheckout: false }))
    // Neither by name nor by size, so that every size has the same mixture.
    .toSorted(inOrder(ascending((it) => digest(it.name))))
  return [...repositories, ...packages].filter((it) => it.lines > 0)
}

/** Writes a corpus below `home`, unless it is there. */
export function corpusOf(home: string, units: readonly Unit[], lines: number): Corpus {
  const chosen = chosenFor(units, lines)
  const files = chosen.flatMap((it) => it.files)
  const key = digest(files.map(({ path, hash }) => `${path} ${hash}\n`).join(''))
  const folder = join(home, `corpus-${key.slice(0, 16)}`)
  if (!existsSync(folder)) writeCorpus(folder, files)
  return {
    folder,
    lines: chosen.reduce((sum, it) => sum + it.lines, 0),
    files: files.length,
    checkouts: chosen.filter((it) => it.isCheckout).map((it) => it.name),
  }
}

/** As many as fit; if there is not enough, all of it again under another name. */
function chosenFor(units: readonly Unit[], lines: number): readonly Unit[] {
  const chosen: Unit[] = []
  let left = lines
  for (let round = 1; left > 0 && units.length > 0; round += 1) {
    const before = chosen.length
    for (const unit of units) {
      if (unit.lines > left) continue
      left -= unit.lines
      chosen.push(round === 1 ? unit : renamed(unit, `again-${round}`))
    }
    if (chosen.length === before) break
  }
  return chosen
}

function renamed(unit: Unit, top: string): Unit {
  const files = unit.files.map((it) => ({ ...it, path: `${top}/${it.path}` }))
  return { ...unit, name: `${top}/${unit.name}`, isCheckout: false, files }
}

interface UnitPlace {
  readonly name: string
  readonly top: string
  readonly isCheckout: boolean
}

function unitOf({ name, top, isCheckout }: UnitPlace): Unit {
  let lines = 0
  const files = sourceFiles(top, '').flatMap((below): readonly UnitFile[] => {
    const from = join(top, below)
    const bytes = readFileSync(from)
    if (isMinified(bytes)) return []
    lines += bytes.toString('latin1').split('\n').length - 1
    const path = `${name}/${below}`.replaceAll(/(^|\/)node_modules(?=\/)/g, '$1nested')
    return [{ path, from, hash: createHash('sha256').update(bytes).digest('hex') }]
  })
  return { name, isCheckout, lines, files }
}

function foldersIn(top: string): readonly string[] {
  return readdirSync(top, { withFileTypes: true })
    .filter((it) => it.isDirectory() && !it.name.startsWith('.'))
    .map((it) => it.name)
    .toSorted()
}

function sourceFiles(top: string, below: string): readonly string[] {
  return readdirSync(join(top, below), { withFileTypes: true })
    .toSorted(inOrder(ascending((it) => it.name)))
    .flatMap((entry) => {
      if (LEFT_OUT.has(entry.name)) return []
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) return sourceFiles(top, path)
      if (!entry.isFile() || !EXTENSIONS.has(extname(path))) return []
      const { size } = statSync(join(top, path))
      return size > 0 && size <= MAX_BYTES ? [path] : []
    })
}

/** Under its name only when it is whole. */
function writeCorpus(folder: string, files: readonly UnitFile[]): void {
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}-draft-`)
  try {
    // A repository: otherwise folders such as `dist` would be left out.
    mkdirSync(join(draft, '.git'))
    for (const { path, from } of files) {
      const file = join(draft, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, readFileSync(from))
      utimesSync(file, WRITTEN_AT, WRITTEN_AT)
    }
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

const LONG_LINE = 2000
const LONG_ON_AVERAGE = 150

/** Made by a machine for a machine: no repository has it as its source. */
function isMinified(bytes: Buffer): boolean {
  const lines = bytes.toString('latin1').split('\n')
  return bytes.length > LONG_ON_AVERAGE * lines.length || lines.some((it) => it.length > LONG_LINE)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
