/**
 * SCIP indexes of a repository, made by the indexers that are installed. They are kept beside the
 * index, so that later updates can go on using them.
 */
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { EngineError } from '../../model/engine-error.ts'
import { kindAt, TEMPORARY } from '../../platform/files.ts'
import { makeOwnFolder } from '../../platform/own-folder.ts'
import { type World, yieldToEventLoop } from '../../platform/world.ts'
import { type IndexRequest, topOf } from './index-options.ts'
import { claimIndexFolder, indexFolder } from './index-place.ts'
import { foundIn } from './index-plan.ts'

/** The request with the SCIP indexes that were made for it, which win over those it names. */
export async function withPreciseIndexes(
  world: World,
  request: IndexRequest,
): Promise<IndexRequest> {
  const isPrecise = request.precise === true || request.preciseTool !== undefined
  if (request.withoutScip === true && (isPrecise || request.scip !== undefined)) {
    throw new EngineError('POC_E_REQUEST_INVALID', 'SCIP is both asked for and left out', {
      hint: 'leave out --without-scip, or --scip and --precise',
    })
  }
  if (!isPrecise) return request
  const top = topOf(world, request)
  const named = namedTools(world, request.preciseTool ?? [])
  const paths = foundIn(world, top, request).files.map((it) => it.path)
  const wanted = INDEXERS.filter((it) => paths.some((path) => it.files.test(path)))
  const installed = wanted.flatMap((it) => {
    const program = named.get(it.name) ?? world.tools.find(it.name, top)
    return program === undefined ? [] : [{ ...it, program }]
  })
  if (installed.length === 0) throw notSupported(world, top, wanted)
  for (const it of wanted.filter((each) => !installed.some(({ name }) => name === each.name)))
    world.notice(`${it.name} is not installed; ${installHint(it)}`)
  const made: string[] = []
  const failed: EngineError[] = []
  for (const indexer of installed) {
    const outcome = await runIndexer(world, indexer, { top, paths })
    if (typeof outcome === 'string') made.push(outcome)
    else failed.push(outcome)
  }
  const [first] = failed
  if (made.length === 0 && first !== undefined) throw first
  for (const it of failed) world.notice(it.message)
  return { ...request, scip: [...made, ...(request.scip ?? [])] }
}

/** By the name of the indexer. */
function namedTools(world: World, paths: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    paths.map((path) => {
      const program = resolve(world.workingFolder, path)
      const indexer = INDEXERS.find((it) => it.name === basename(program).replace(/\.\w+$/, ''))
      if (indexer === undefined || kindAt(world.files, program) !== 'file') {
        const names = INDEXERS.map((it) => it.name).join(' or ')
        const what = indexer === undefined ? 'is not an indexer that is known' : 'is not there'
        throw new EngineError('POC_E_REQUEST_INVALID', `${program} ${what}`, {
          hint: `name a program that is called ${names}`,
        })
      }
      return [indexer.name, program] as const
    }),
  )
}

interface Indexer {
  readonly name: string
  readonly language: string
  readonly files: RegExp
  args(project: Project, output: string): readonly string[]
}

interface Project {
  readonly top: string
  /** Of all files of the repository. */
  readonly paths: readonly string[]
  /** From the folder of the settings to the top. */
  readonly wayUp: string
  /** Into a file of the indexer's own, in a folder of ours, that is gone afterwards. */
  writeSettings(text: string): string
}

const INDEXERS: readonly Indexer[] = [
  {
    name: 'scip-typescript',
    language: 'typescript',
    files: /\.[cm]?[jt]sx?$/,
    args: (project, output) => [
      'index',
      '--no-progress-bar',
      '--output',
      output,
      ...typescriptProjects(project),
    ],
  },
  {
    name: 'scip-python',
    language: 'python',
    files: /\.pyi?$/,
    args: ({ top }, output) => ['index', '--project-name', basename(top), '--output', output],
  },
]

/** The project at the top, else those below it; the indexer would write a missing one itself. */
function typescriptProjects({ paths, wayUp, writeSettings }: Project): readonly string[] {
  if (paths.includes('tsconfig.json')) return []
  const folders = paths
    .filter((it) => basename(it) === 'tsconfig.json')
    .map((it) => dirname(it))
    .toSorted()
  if (folders.length > 0) return folders
  const settings = {
    compilerOptions: { allowJs: true, jsx: 'preserve', target: 'esnext', skipLibCheck: true },
    include: [`${wayUp}/**/*`],
  }
  return [writeSettings(JSON.stringify(settings))]
}

function notSupported(world: World, top: string, wanted: readonly Indexer[]): EngineError {
  if (wanted.length === 0) {
    return new EngineError('POC_E_NOT_SUPPORTED', 'no file here is one that --precise can index', {
      hint: 'make a SCIP index with the indexer of your language, and name it with --scip',
    })
  }
  const names = wanted.map((it) => it.name).join(' and ')
  const [verb, pronoun] = wanted.length === 1 ? ['is', 'it'] : ['are', 'them']
  const inside = wanted
    .map(({ name }) => join(top, 'node_modules', '.bin', name))
    .find((it) => kindAt(world.files, it) === 'file')
  const offer = inside === undefined ? '' : `; or run the one there with --precise-tool ${inside}`
  return new EngineError('POC_E_NOT_SUPPORTED', `${names} ${verb} not installed`, {
    hint: `install ${pronoun}: ${wanted.map(installHint).join('; ')}${offer}`,
  })
}

function installHint({ name }: Indexer): string {
  return `npm install --global @sourcegraph/${name}`
}

const LIMIT_MS = 20 * 60_000

/** The path of what was made, or why nothing was. */
async function runIndexer(
  world: World,
  indexer: Indexer & { readonly program: string },
  { top, paths }: Pick<Project, 'top' | 'paths'>,
): Promise<string | EngineError> {
  claimIndexFolder(world, top)
  const folder = join(indexFolder(world, top), 'scip')
  const output = join(folder, `${TEMPORARY}${indexer.language}.scip`)
  const settings = join(folder, `${TEMPORARY}${indexer.language}.json`)
  const writeSettings = (text: string): string => {
    const file = world.files.replace(settings)
    file.write(new TextEncoder().encode(text))
    file.commit()
    return settings
  }
  makeOwnFolder(world.files, dirname(folder))
  world.files.makeFolder(folder)
  const startedAt = world.clock.now()
  const wayUp = relative(folder, top).replaceAll(sep, '/')
  try {
    const args = indexer.args({ top, paths, wayUp, writeSettings }, output)
    world.notice(`running ${[indexer.program, ...args].join(' ')}`)
    const outcome = await world.tools.run({
      program: indexer.program,
      args,
      workingFolder: top,
      limitMs: LIMIT_MS,
      signal: world.signal,
    })
    await yieldToEventLoop(world)
    if (outcome.kind === 'too-long') return failure(indexer, `took over ${LIMIT_MS / 60_000} min`)
    if (outcome.status !== 0) return failure(indexer, `failed: ${lastLine(outcome.output)}`)
    const place = join(folder, `${indexer.language}.scip`)
    world.files.closeToOthers(output)
    world.files.rename(output, place)
    const seconds = ((world.clock.now() - startedAt) / 1000).toFixed(1)
    world.notice(`${indexer.name} took ${seconds} s`)
    return place
  } finally {
    for (const path of [output, settings]) world.files.remove(path)
  }
}

function failure({ name }: Indexer, what: string): EngineError {
  return new EngineError('POC_E_READ_FAILED', `${name} ${what}`, {
    hint: `run \`${name} index\` yourself, then name what it makes with --scip`,
  })
}

function lastLine(output: string): string {
  const lines = output.split(/\r?\n/).filter((it) => it.trim() !== '')
  return lines.at(-1) ?? 'it printed nothing'
}
