/** Flows: one folder per task. A command names its flow, or uses the one that was used last. */
import { basename, dirname, join, resolve } from 'node:path'
import { nearest } from '../base/nearest.ts'
import { EngineError } from '../model/engine-error.ts'
import type { Flow } from '../model/evidence.ts'
import { type Files, kindAt } from '../platform/files.ts'
import { makeOwnFolder } from '../platform/own-folder.ts'
import type { World } from '../platform/world.ts'
import { refuseEscapingFlowsFolder, refuseEscapingLinks } from './flow-links.ts'
import {
  BUILD_FOLDER,
  CONTEXT_FOLDER,
  EVIDENCE_FOLDER,
  FLOWS_FOLDER,
  slugify,
} from './part-names.ts'

/** Environment variable with the folder of the flow, for scripts. */
const FLOW_VARIABLE = 'FLOW_DIR'
/** File with the name of the flow that was used last. */
const CURRENT = 'current'

/** The named flow, else the one in `FLOW_DIR`, else the one that was used last. */
export function resolveFlow(world: World, flowName: string | undefined): Flow {
  const top = findFlowsRoot(world)
  const flow =
    flowName === undefined ? findCurrentFlow(world, top) : findFlowByName(world, top, flowName)
  if (flow !== undefined) {
    refuseEscapingLinks(world, flow)
    return flow
  }
  // Clients of a server must not learn local paths, and cannot run shell commands.
  const [where, hint] =
    world.isServed === true
      ? ['', 'call evidence_add: it creates a flow']
      : [
          ` in ${top}`,
          'create one with `dossier flow new "title"`, or choose one with `dossier flow use`',
        ]
  throw new EngineError('POC_E_FLOW_MISSING', `no flow is in use${where}`, { hint })
}

function findCurrentFlow(world: World, top: string): Flow | undefined {
  const given = world.variable(FLOW_VARIABLE)
  if (given !== undefined && given !== '') {
    const flow = openFlow(world, resolve(world.workingFolder, given))
    // `FLOW_DIR` of a server may belong to another repository than the one it serves.
    if (world.isServed !== true || flow.root === top) return flow
  }
  const current = readCurrentFlowName(world.files, top)
  if (current === undefined) return undefined
  const folder = join(top, FLOWS_FOLDER, current)
  return isFlow(world.files, folder) ? openFlow(world, folder) : undefined
}

export interface ResolvedFlow {
  readonly flow: Flow
  readonly isNew: boolean
}

/** Clients of a server have no command that creates a flow, so their first evidence creates one. */
export function resolveOrCreateFlow(
  world: World,
  flowName: string | undefined,
  fresh: NewFlow,
): ResolvedFlow {
  const isWanted = world.isServed !== true || flowName !== undefined
  if (isWanted || findCurrentFlow(world, findFlowsRoot(world)) !== undefined) {
    return { flow: resolveFlow(world, flowName), isNew: false }
  }
  return { flow: createFlow(world, fresh), isNew: true }
}

export interface NewFlow {
  readonly title: string
  /** Instructions for the model. */
  readonly policy: string
  readonly request: string
}

const MAX_SLUG_LENGTH = 30

/** Creates the folders and the first two parts, and makes the flow the current one. */
export function createFlow(world: World, { title, policy, request }: NewFlow): Flow {
  const top = findFlowsRoot(world)
  refuseEscapingFlowsFolder(world, top)
  const flows = join(top, FLOWS_FOLDER)
  const slug = [...slugify(title).replaceAll('_', '-')].slice(0, MAX_SLUG_LENGTH).join('')
  const time = new Date(world.clock.recorded(world.clock.now())).toISOString()
  const id = chooseFreeName(world.files, flows, `${slug}-${time.slice(0, 19).replace(/[-:]/g, '')}`)
  const folder = join(flows, id)
  makeOwnFolder(world.files, join(top, dirname(FLOWS_FOLDER)))
  for (const it of [CONTEXT_FOLDER, EVIDENCE_FOLDER, BUILD_FOLDER])
    world.files.makeFolder(join(folder, it))
  replaceFile(
    world.files,
    join(folder, CONTEXT_FOLDER, '000_policy.system.md'),
    ensureFinalNewline(policy),
  )
  replaceFile(
    world.files,
    join(folder, CONTEXT_FOLDER, '010_request.user.md'),
    ensureFinalNewline(request),
  )
  const flow = { id, folder, root: top }
  useFlow(world, flow)
  return flow
}

/**
 * Flows outside of the repository are never current: `FLOW_DIR` or `--flow` names them each time.
 */
export function useFlow(world: World, flow: Flow): void {
  const flows = join(flow.root, FLOWS_FOLDER)
  if (dirname(flow.folder) !== flows) return
  restrictFlowsFolder(world.files, flow)
  replaceFile(world.files, join(flows, CURRENT), `${flow.id}\n`)
}

/**
 * Call this before writing to a flow: makes `.dossier` private. Other folders keep their
 * permissions.
 */
export function restrictFlowsFolder(files: Files, flow: Flow): void {
  if (dirname(flow.folder) === join(flow.root, FLOWS_FOLDER))
    makeOwnFolder(files, join(flow.root, dirname(FLOWS_FOLDER)))
}

export interface ListedFlow extends Flow {
  readonly isCurrent: boolean
}

/** Sorted by name; names end with the creation time. */
export function listFlows(world: World): readonly ListedFlow[] {
  const top = findFlowsRoot(world)
  const current = readCurrentFlowName(world.files, top)
  return listFlowNames(world.files, join(top, FLOWS_FOLDER)).map((id) => ({
    ...openFlow(world, join(top, FLOWS_FOLDER, id)),
    isCurrent: id === current,
  }))
}

/**
 * The nearest parent folder that has flows, else the one that has `.git`, else the working folder.
 * For a server it is always the served folder.
 */
function findFlowsRoot({ files, workingFolder, isServed }: World): string {
  if (isServed === true) return resolve(workingFolder)
  const upwards: string[] = []
  for (let folder = resolve(workingFolder); ; folder = dirname(folder)) {
    upwards.push(folder)
    if (dirname(folder) === folder) break
  }
  const has = (name: string) => upwards.find((it) => exists(files, join(it, name)))
  return has(FLOWS_FOLDER) ?? has('.git') ?? upwards[0] ?? workingFolder
}

function findFlowByName(world: World, top: string, flowName: string): Flow {
  const flows = join(top, FLOWS_FOLDER)
  const names = listFlowNames(world.files, flows)
  if (names.includes(flowName)) return openFlow(world, join(flows, flowName))
  const likely = names.filter((it) => it.startsWith(flowName))
  const [only] = likely
  if (only !== undefined && likely.length === 1) return openFlow(world, join(flows, only))
  if (likely.length > 1) {
    throw new EngineError(
      'POC_E_TARGET_AMBIGUOUS',
      `the flow name ${flowName} is ambiguous: ${likely.join(' or ')}`,
      {
        hint: 'give the full name',
      },
    )
  }
  const folder = resolve(world.workingFolder, flowName)
  if (isFlow(world.files, folder)) return openFlow(world, folder)
  const near = nearest(flowName, names, 2)
  throw new EngineError('POC_E_FLOW_MISSING', `no flow is named ${flowName}`, {
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'see `dossier flow list`',
  })
}

/**
 * Source paths are relative to the folder that contains `.dossier`, whatever the working folder is.
 */
function openFlow(world: World, folder: string): Flow {
  if (!isFlow(world.files, folder)) {
    throw new EngineError('POC_E_FLOW_MISSING', `${folder} is not a flow: it has no ctx folder`, {
      hint: 'create one with `dossier flow new "title"`',
    })
  }
  const suffix = join('/', FLOWS_FOLDER)
  const parent = dirname(folder)
  const root = parent.endsWith(suffix) ? parent.slice(0, -suffix.length) : findFlowsRoot(world)
  return { id: basename(folder), folder, root }
}

function isFlow(files: Files, folder: string): boolean {
  return exists(files, join(folder, CONTEXT_FOLDER))
}

function listFlowNames(files: Files, flows: string): readonly string[] {
  if (!exists(files, flows)) return []
  return files
    .list(flows)
    .filter((it) => it.isDirectory() && isFlow(files, join(flows, it.name)))
    .map((it) => it.name)
    .toSorted()
}

function readCurrentFlowName(files: Files, top: string): string | undefined {
  const path = join(top, FLOWS_FOLDER, CURRENT)
  if (!exists(files, path)) return undefined
  const name = new TextDecoder().decode(files.read(path)).trim()
  // Only a plain name is valid: a path could point outside of the flows folder.
  return name === '' || name === '..' || basename(name) !== name ? undefined : name
}

function chooseFreeName(files: Files, folder: string, name: string): string {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name}-${count}`
    if (!exists(files, join(folder, free))) return free
  }
}

function exists(files: Files, path: string): boolean {
  return kindAt(files, path) !== undefined
}

function replaceFile(files: Files, path: string, text: string): void {
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

function ensureFinalNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}
