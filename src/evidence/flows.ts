/** Flows: folders for one task each. Which one is meant is said, or is the last that was used. */
import { basename, dirname, join, resolve } from 'node:path'
import { nearest } from '../base/nearest.ts'
import { EngineError } from '../model/engine-error.ts'
import type { Flow } from '../model/evidence.ts'
import { type Files, kindAt } from '../platform/files.ts'
import { makeOwnFolder } from '../platform/own-folder.ts'
import type { World } from '../platform/world.ts'
import { refuseFlowsOut, refuseLinksOut } from './flow-links.ts'
import {
  BUILD_FOLDER,
  CONTEXT_FOLDER,
  EVIDENCE_FOLDER,
  FLOWS_FOLDER,
  kindOf,
} from './part-names.ts'

/** The variable that names the folder of the flow, as scripts set it. */
const FLOW_VARIABLE = 'FLOW_DIR'
/** A file with the name of the flow that was used last. */
const CURRENT = 'current'

/** The flow of a request: the one it names, else that of `FLOW_DIR`, else the last used. */
export function flowOf(world: World, wanted: string | undefined): Flow {
  const top = topOf(world)
  const flow = wanted === undefined ? flowInUse(world, top) : named(world, top, wanted)
  if (flow !== undefined) {
    refuseLinksOut(world, flow)
    return flow
  }
  // A client is told neither where things lie nor of commands that it cannot give.
  const [where, hint] =
    world.isServed === true
      ? ['', 'call evidence_add with what to pick: it begins one']
      : [
          ` in ${top}`,
          'begin one with `dossier flow new "what it is for"`, or choose one with `dossier flow use`',
        ]
  throw new EngineError('POC_E_FLOW_MISSING', `there is no flow in use${where}`, { hint })
}

function flowInUse(world: World, top: string): Flow | undefined {
  const given = world.variable(FLOW_VARIABLE)
  if (given !== undefined && given !== '') {
    const flow = at(world, resolve(world.workingFolder, given))
    // A server may serve other repositories than the one that its variable is about.
    if (world.isServed !== true || flow.root === top) return flow
  }
  const current = currentOf(world.files, top)
  if (current === undefined) return undefined
  const folder = join(top, FLOWS_FOLDER, current)
  return isFlow(world.files, folder) ? at(world, folder) : undefined
}

export interface FoundFlow {
  readonly flow: Flow
  readonly isNew: boolean
}

/** A client has no command to begin a flow with: for one, the first evidence begins it. */
export function flowOrNew(world: World, wanted: string | undefined, fresh: NewFlow): FoundFlow {
  const isWanted = world.isServed !== true || wanted !== undefined
  if (isWanted || flowInUse(world, topOf(world)) !== undefined) {
    return { flow: flowOf(world, wanted), isNew: false }
  }
  return { flow: createFlow(world, fresh), isNew: true }
}

export interface NewFlow {
  readonly title: string
  /** What the model is told to do and not to do. */
  readonly policy: string
  readonly request: string
}

const MOST_SLUG = 30

/** Makes the folders and the first two parts, and uses it from now on. */
export function createFlow(world: World, { title, policy, request }: NewFlow): Flow {
  const top = topOf(world)
  refuseFlowsOut(world, top)
  const flows = join(top, FLOWS_FOLDER)
  const slug = [...kindOf(title).replaceAll('_', '-')].slice(0, MOST_SLUG).join('')
  const time = new Date(world.clock.recorded(world.clock.now())).toISOString()
  const id = freeName(world.files, flows, `${slug}-${time.slice(0, 19).replace(/[-:]/g, '')}`)
  const folder = join(flows, id)
  makeOwnFolder(world.files, join(top, dirname(FLOWS_FOLDER)))
  for (const it of [CONTEXT_FOLDER, EVIDENCE_FOLDER, BUILD_FOLDER])
    world.files.makeFolder(join(folder, it))
  write(world.files, join(folder, CONTEXT_FOLDER, '000_policy.system.md'), ended(policy))
  write(world.files, join(folder, CONTEXT_FOLDER, '010_request.user.md'), ended(request))
  const flow = { id, folder, root: top }
  useFlow(world, flow)
  return flow
}

/** Flows that lie elsewhere are named by `FLOW_DIR` or `--flow` each time. */
export function useFlow(world: World, flow: Flow): void {
  const flows = join(flow.root, FLOWS_FOLDER)
  if (dirname(flow.folder) !== flows) return
  closeFlows(world.files, flow)
  write(world.files, join(flows, CURRENT), `${flow.id}\n`)
}

/** To be called before a flow is written to. One that lies elsewhere is as open as its folder. */
export function closeFlows(files: Files, flow: Flow): void {
  if (dirname(flow.folder) === join(flow.root, FLOWS_FOLDER))
    makeOwnFolder(files, join(flow.root, dirname(FLOWS_FOLDER)))
}

export interface ListedFlow extends Flow {
  readonly isCurrent: boolean
}

/** By name, which has the time at its end. */
export function flowsIn(world: World): readonly ListedFlow[] {
  const top = topOf(world)
  const current = currentOf(world.files, top)
  return namesIn(world.files, join(top, FLOWS_FOLDER)).map((id) => ({
    ...at(world, join(top, FLOWS_FOLDER, id)),
    isCurrent: id === current,
  }))
}

/**
 * The nearest folder upwards that has flows; else the repository that we are in, by its `.git`; else
 * where we are. A client never gets above what is served.
 */
function topOf({ files, workingFolder, isServed }: World): string {
  if (isServed === true) return resolve(workingFolder)
  const upwards: string[] = []
  for (let folder = resolve(workingFolder); ; folder = dirname(folder)) {
    upwards.push(folder)
    if (dirname(folder) === folder) break
  }
  const has = (name: string) => upwards.find((it) => exists(files, join(it, name)))
  return has(FLOWS_FOLDER) ?? has('.git') ?? upwards[0] ?? workingFolder
}

function named(world: World, top: string, wanted: string): Flow {
  const flows = join(top, FLOWS_FOLDER)
  const names = namesIn(world.files, flows)
  if (names.includes(wanted)) return at(world, join(flows, wanted))
  const likely = names.filter((it) => it.startsWith(wanted))
  const [only] = likely
  if (only !== undefined && likely.length === 1) return at(world, join(flows, only))
  if (likely.length > 1) {
    throw new EngineError('POC_E_TARGET_AMBIGUOUS', `${wanted} could be ${likely.join(' or ')}`, {
      hint: 'give the whole name',
    })
  }
  const folder = resolve(world.workingFolder, wanted)
  if (isFlow(world.files, folder)) return at(world, folder)
  const near = nearest(wanted, names, 2)
  throw new EngineError('POC_E_FLOW_MISSING', `there is no flow ${wanted}`, {
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'see `dossier flow list`',
  })
}

/** Sources are relative to what the flow lies in, wherever the command is called. */
function at(world: World, folder: string): Flow {
  if (!isFlow(world.files, folder)) {
    throw new EngineError('POC_E_FLOW_MISSING', `${folder} is no flow: it has no ctx folder`, {
      hint: 'begin one with `dossier flow new "what it is for"`',
    })
  }
  const suffix = join('/', FLOWS_FOLDER)
  const parent = dirname(folder)
  const root = parent.endsWith(suffix) ? parent.slice(0, -suffix.length) : topOf(world)
  return { id: basename(folder), folder, root }
}

function isFlow(files: Files, folder: string): boolean {
  return exists(files, join(folder, CONTEXT_FOLDER))
}

function namesIn(files: Files, flows: string): readonly string[] {
  if (!exists(files, flows)) return []
  return files
    .list(flows)
    .filter((it) => it.isDirectory() && isFlow(files, join(flows, it.name)))
    .map((it) => it.name)
    .toSorted()
}

function currentOf(files: Files, top: string): string | undefined {
  const path = join(top, FLOWS_FOLDER, CURRENT)
  if (!exists(files, path)) return undefined
  const name = new TextDecoder().decode(files.read(path)).trim()
  // A name and no path: whoever wrote it, it is a flow of this folder.
  return name === '' || name === '..' || basename(name) !== name ? undefined : name
}

function freeName(files: Files, folder: string, name: string): string {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name}-${count}`
    if (!exists(files, join(folder, free))) return free
  }
}

function exists(files: Files, path: string): boolean {
  return kindAt(files, path) !== undefined
}

function write(files: Files, path: string, text: string): void {
  const replacement = files.replace(path)
  try {
    replacement.write(new TextEncoder().encode(text))
    replacement.flush()
    replacement.commit()
  } catch (error) {
    replacement.discard()
    throw error
  }
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
