/**
 * What the files of an index are for. The path decides; where it leaves doubt, the index does: code
 * in a folder called `docs` or with the name of a test is source if source uses it, and code in a
 * folder called `deps` is source if it uses the source around it, which others' code never does.
 */
import { ascending } from '../base/order.ts'
import { codeRole, judgePath, type PathRole, pathRole } from '../base/path-roles.ts'
import type { CodeIndexReader } from '../model/code-index.ts'
import { fileSymbol, parseSymbol } from '../model/scip-symbol.ts'

/** The one way to ask what a file is for. */
export type FileRoles = (path: string) => PathRole

/** Nearly every path that can be in doubt, told quickly: most paths of an index are not. */
const DOUBTFUL =
  /(?:docs?|documentation|website|site|man|manual|guides?|external|deps|vendor|vendored|testing|tests?|specs?)\/|test_|(?:tests?|specs?|e2e|TestCase|IT)\.[^./]+$/i
/** Half of many repositories: nothing in these is ever in doubt. */
const CERTAIN = /^(?:tests?|specs?)\//
/** More are too many to ask about in passing: so much is hardly misnamed. */
const MOST_DOUBTFUL = 2_000
/** Code with at most so many documents for each file of it is no documentation. */
const DOCUMENTS_PER_CODE = 0.25
/** Of the files in the language that most of the source is in. */
const LEAST_OF_LANGUAGE = 0.1
/** Documents of a project may lie apart from the program that shows them. */
const WEBSITE = /(?:^|\/)website\/$/i
/** How many files of a package are asked for what they use, and how many of them must use source. */
const MOST_ASKED = 20
const LEAST_OWN = 0.2

interface Doubt {
  readonly path: string
  readonly role: PathRole
  readonly folder: string
  readonly language: string
}

export async function findFileRoles(
  index: CodeIndexReader,
  paths: readonly string[],
): Promise<FileRoles> {
  const { code, documents, others } = await collectDoubts(index, paths)
  if (code.length === 0 || code.length > MOST_DOUBTFUL) return pathRole
  const source = new Set([
    ...(await findUndocumented(index, paths, { code, documents })),
    ...(await findOwnCode(index, code)),
    ...code.filter((it) => it.role === 'test' && hasTest(it.path, others)).map((it) => it.path),
  ])
  await addUsed(index, code, source)
  return (path) => (source.has(path) ? codeRole(path) : pathRole(path))
}

interface Doubts {
  /** Files of code. */
  readonly code: readonly Doubt[]
  /** How many documents the folders in doubt hold. */
  readonly documents: ReadonlyMap<string, number>
  /** Paths that are certain, and might have been in doubt: tests are among them. */
  readonly others: ReadonlySet<string>
}

async function collectDoubts(index: CodeIndexReader, paths: readonly string[]): Promise<Doubts> {
  const code: Doubt[] = []
  const documents = new Map<string, number>()
  const others = new Set<string>()
  let languages: readonly string[] | undefined
  for (const [file, path] of paths.entries()) {
    if (CERTAIN.test(path) || !DOUBTFUL.test(path)) continue
    const { role, holds, doubt: folder } = judgePath(path)
    if (folder === undefined) others.add(path)
    else if (holds === 'prose') documents.set(folder, (documents.get(folder) ?? 0) + 1)
    else if (holds === 'code') {
      languages ??= await index.languages()
      const language = languages[file] ?? 'plain'
      if (language !== 'plain') code.push({ path, role, folder, language })
    }
  }
  return { code, documents, others }
}

/**
 * Code in folders that are called as if they were documentation, and hold next to none: in a
 * language of the source, since documents are built by scripts as well.
 */
async function findUndocumented(
  index: CodeIndexReader,
  paths: readonly string[],
  { code, documents }: Omit<Doubts, 'others'>,
): Promise<readonly string[]> {
  const docs = code.filter((it) => it.role === 'docs' && !WEBSITE.test(it.folder))
  const found = [...Map.groupBy(docs, (it) => it.folder)].flatMap(([folder, files]) =>
    (documents.get(folder) ?? 0) <= DOCUMENTS_PER_CODE * files.length ? files : [],
  )
  if (found.length === 0) return []
  const languages = await index.languages()
  const counts = new Map<string, number>()
  for (const [file, path] of paths.entries()) {
    const language = languages[file] ?? 'plain'
    if (pathRole(path) === 'source') counts.set(language, (counts.get(language) ?? 0) + 1)
  }
  const least = LEAST_OF_LANGUAGE * Math.max(0, ...counts.values())
  return found.filter((it) => (counts.get(it.language) ?? 0) >= least).map((it) => it.path)
}

/** What has a test beside it is no test. */
function hasTest(path: string, paths: ReadonlySet<string>): boolean {
  const [, folder = '', stem = '', end = ''] = /^(.*\/)?([^/]*)(\.\w+)$/.exec(path) ?? []
  return [`${stem}.test`, `${stem}.spec`, `${stem}_test`, `test_${stem}`, `${stem}Test`].some(
    (name) => paths.has(folder + name + end),
  )
}

/** Of code that may be others': all of a package of which many files use source around the folder. */
async function findOwnCode(
  index: CodeIndexReader,
  code: readonly Doubt[],
): Promise<readonly string[]> {
  // Sorted: which files are asked must not depend on the order of the index.
  const vendored = code.filter((it) => it.role === 'vendored').toSorted(ascending((it) => it.path))
  const packages = [...Map.groupBy(vendored, findPackage).values()]
  const asked = packages.flatMap((files) => files.slice(0, MOST_ASKED))
  if (asked.length === 0) return []
  const edges = await index.edgesFrom(
    asked.map((it) => fileSymbol(it.path)),
    ['import'],
  )
  const byPath = Map.groupBy(edges, (it) => it.path)
  const isOwn = ({ path, folder }: Doubt): boolean =>
    (byPath.get(path) ?? []).some(({ to }) => {
      const used = readFilePath(to)
      return !used.startsWith(folder) && pathRole(used) === 'source'
    })
  return packages.flatMap((files) => {
    const some = files.slice(0, MOST_ASKED)
    const isPart = some.filter(isOwn).length >= LEAST_OWN * some.length
    return isPart ? files.map((it) => it.path) : []
  })
}

/** The folder below the one in doubt; what lies directly in that is one package. */
function findPackage({ path, folder }: Doubt): string {
  const slash = path.indexOf('/', folder.length)
  return slash === -1 ? folder : path.slice(0, slash + 1)
}

/** The folders and the name of a file are the namespaces that its symbols begin with. */
function readFilePath(symbol: string): string {
  const descriptors = parseSymbol(symbol.replace(/^scip:/, ''))?.descriptors ?? []
  const end = descriptors.findIndex((it) => it.kind !== 'namespace')
  return descriptors
    .slice(0, end === -1 ? undefined : end)
    .map((it) => it.name)
    .join('/')
}

/** What source uses, and what that uses in turn. */
async function addUsed(
  index: CodeIndexReader,
  code: readonly Doubt[],
  source: Set<string>,
): Promise<void> {
  const asked = code.filter((it) => it.role !== 'vendored' && !source.has(it.path))
  const bySymbol = new Map(asked.map((it) => [fileSymbol(it.path), it]))
  const edges = await index.edgesTo([...bySymbol.keys()], ['import'])
  const known = new Map<string, boolean>()
  const isSource = (path: string): boolean => {
    const before = known.get(path)
    if (before !== undefined) return before || source.has(path)
    known.set(path, pathRole(path) === 'source')
    return isSource(path)
  }
  let left = edges
  for (let before = -1; before !== source.size; ) {
    before = source.size
    left = left.filter((edge) => {
      const used = bySymbol.get(edge.to)
      if (used === undefined || source.has(used.path)) return false
      if (edge.path === used.path || !isSource(edge.path)) return true
      source.add(used.path)
      return false
    })
  }
}
