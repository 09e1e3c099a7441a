/**
 * The index of a repository, written out to another store and read in again: for sending it around,
 * for other programs, and for machines that should not have to build it.
 */
import { join, resolve } from 'node:path'
import type { CodeIndexReader, CodeIndexWriter } from '../../model/code-index.ts'
import { EngineError } from '../../model/engine-error.ts'
import { replaceFolder } from '../../platform/folder.ts'
import { makeOwnFolder } from '../../platform/own-folder.ts'
import { asWriteError } from '../../platform/trouble.ts'
import { type World, yieldToEventLoop } from '../../platform/world.ts'
import { openCodeIndex } from '../../store/code/reader.ts'
import { signatureOfFiles } from '../../store/code/signature.ts'
import { createArtifactError } from '../../store/flat/artifact-errors.ts'
import { isExportedFileName } from '../../store/flat/exported-file-names.ts'
import { type Backend, type Manifest, readManifest } from '../../store/flat/manifest.ts'
import { openJsonlIndex } from '../../store/jsonl/reader.ts'
import { writeJsonlIndex } from '../../store/jsonl/writer.ts'
import { openWriter } from './code-index.ts'
import { recordsOf } from './index-copy.ts'
import { type RepositoryPlace, topOf } from './index-options.ts'
import { indexFile, indexFolder } from './index-place.ts'

export interface ExportRequest extends RepositoryPlace {
  readonly backend: Backend
  /** Where to, relative to the working folder. */
  readonly to?: string | undefined
}

export interface ExportOutcome {
  readonly root: string
  readonly backend: Backend
  readonly folder: string
  readonly signature: string
  readonly files: number
  readonly pieces: number
  readonly bytes: number
  readonly milliseconds: number
}

const FOLDERS: Readonly<Record<Backend, string>> = { jsonl: 'artifacts', lmdb: 'index.lmdb' }

export async function exportIndex(world: World, request: ExportRequest): Promise<ExportOutcome> {
  const startedAt = world.clock.now()
  const root = topOf(world, request)
  const own = indexFolder(world, root)
  const folder =
    request.to === undefined
      ? join(own, FOLDERS[request.backend])
      : resolve(world.workingFolder, request.to)
  refuseForeign(world, folder)
  const reader = openPresent(world, root)
  try {
    // One that is named is as open as its folder: it is written in order to be handed on.
    if (request.to === undefined) makeOwnFolder(world.files, own)
    const manifest = await written(world, reader, { ...request, folder })
    return {
      root,
      backend: request.backend,
      folder,
      signature: manifest.indexSignature,
      files: manifest.totals.files,
      pieces: manifest.pieces.length,
      bytes: manifest.pieces.reduce((sum, it) => sum + it.bytes, 0),
      milliseconds: world.clock.now() - startedAt,
    }
  } finally {
    await reader.close()
  }
}

export interface ImportRequest extends RepositoryPlace {
  /** What was written out, relative to the working folder. */
  readonly folder: string
}

export interface ImportOutcome {
  readonly root: string
  readonly index: string
  readonly backend: Backend
  readonly signature: string
  readonly files: number
  readonly milliseconds: number
}

export async function importIndex(world: World, request: ImportRequest): Promise<ImportOutcome> {
  const startedAt = world.clock.now()
  const root = topOf(world, request)
  const folder = resolve(world.workingFolder, request.folder)
  const { backend } = readManifest(world.files, folder)
  const reader = await openChecked(world, backend, folder)
  const writer = openWriter(world, root)
  try {
    await refuseUnsigned(reader, folder)
    const signature = await copied(world, reader, writer)
    const files = (await reader.files()).length
    const milliseconds = world.clock.now() - startedAt
    return { root, index: indexFile(world, root), backend, signature, files, milliseconds }
  } finally {
    await writer.close()
    await reader.close()
  }
}

/** A folder that holds anything that is not ours stays: it would be replaced as a whole. */
function refuseForeign(world: World, folder: string): void {
  let kind: string
  try {
    kind = world.files.stat(folder).kind
  } catch {
    return
  }
  const others =
    kind === 'directory'
      ? world.files.list(folder).filter((it) => !it.isFile() || !isExportedFileName(it.name))
      : []
  if (kind === 'directory' && others.length === 0) return
  const what =
    others[0] === undefined ? 'is no folder' : `holds ${others[0].name}, which is not ours`
  throw new EngineError('POC_E_PACK_FOREIGN', `${folder} ${what}`, {
    hint: 'give a folder of its own with --to: what is in it is replaced',
  })
}

function openPresent(world: World, root: string): CodeIndexReader {
  try {
    return openCodeIndex(world.files, indexFile(world, root))
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'POC_E_PACK_MISSING') throw error
    throw new EngineError('POC_E_INDEX_MISSING', `there is no index of ${root}`, {
      hint: 'make one with `dossier index`',
      cause: error,
    })
  }
}

/** LMDB is a library of the machine's own code: it is loaded by whoever asks for it. */
async function written(
  world: World,
  reader: CodeIndexReader,
  { backend, folder }: { readonly backend: Backend; readonly folder: string },
): Promise<Manifest> {
  const { files, generator } = world
  let replacement: ReturnType<typeof replaceFolder> | undefined
  try {
    replacement = replaceFolder(folder)
    const options = {
      files,
      generator,
      folder: replacement.path,
      pause: () => yieldToEventLoop(world),
    }
    const manifest =
      backend === 'jsonl'
        ? await writeJsonlIndex(reader, options)
        : await (await import('../../store/lmdb/writer.ts')).writeLmdbIndex(reader, options)
    await yieldToEventLoop(world)
    replacement.commit()
    return manifest
  } catch (error) {
    replacement?.discard()
    throw asWriteError(error, folder, 'give another place with --to')
  }
}

/** All of it is checked before anything is written. */
async function openChecked(
  world: World,
  backend: Backend,
  folder: string,
): Promise<CodeIndexReader> {
  if (backend === 'jsonl') return openJsonlIndex(world.files, folder)
  const { openLmdbIndex, verifyLmdbIndex } = await import('../../store/lmdb/reader.ts')
  verifyLmdbIndex(world.files, folder)
  return openLmdbIndex(world.files, folder)
}

async function refuseUnsigned(reader: CodeIndexReader, folder: string): Promise<void> {
  const status = await reader.status()
  if (signatureOfFiles(status, await reader.files()) === status.signature) return
  throw createArtifactError('corrupt', `the files in ${folder} are not those of its signature`)
}

/** In one transaction: whoever reads sees the former index until all of it is there. */
async function copied(
  world: World,
  reader: CodeIndexReader,
  writer: CodeIndexWriter,
): Promise<string> {
  const source = await recordsOf(reader, () => yieldToEventLoop(world))
  await writer.begin()
  await writer.remove(writer.lookup.files().map((it) => it.path))
  world.progress.begin('importing', source.files)
  for await (const { records, resolved } of source.batches()) {
    await writer.put(records)
    await writer.putResolved(resolved)
    world.progress.advance(records.length)
    await yieldToEventLoop(world)
  }
  world.progress.end()
  await writer.setMeta(source.meta)
  return writer.commit()
}
