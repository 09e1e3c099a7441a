/**
 * Resolves and opens a source of notes. The module of each kind is loaded only when it is needed.
 */
import { dirname, extname, resolve } from 'node:path'
import { EngineError } from '../../model/engine-error.ts'
import type { NoteSourceKind } from '../../model/note.ts'
import type { NotesSource } from '../../model/notes-index.ts'
import type { World } from '../../platform/world.ts'
import { readToken } from './notes-live.ts'
import type { Workspace } from './notes-workspaces.ts'

export interface NotesLocation {
  readonly kind: NoteSourceKind
  /** Absolute path or URL, normalized. */
  readonly source: string
}

/** A folder is a vault; the kind of a file is detected from its content. */
export async function locateNotesSource(world: World, given: string): Promise<NotesLocation> {
  const { parseLocalApiUrl: localApiUrl } = await import('../../sources/notes/live/client.ts')
  const url = localApiUrl(given)
  if (url !== undefined) return { kind: 'local-api', source: url }
  const path = resolve(world.workingFolder, given)
  let source: string
  let kind: string
  try {
    source = world.files.realPath(path)
    kind = world.files.stat(source).kind
  } catch (error) {
    throw new EngineError('POC_E_REQUEST_INVALID', `${given} was not found at ${path}`, {
      hint: 'give an export, a folder of Markdown, or the URL of the Tana Local API',
      cause: error,
    })
  }
  if (kind === 'directory') return { kind: 'vault', source }
  if (isPage(source)) {
    throw new EngineError(
      'POC_E_SOURCE_INVALID',
      `${path} is a single page, but a vault is a folder`,
      {
        hint: `give its folder: ${dirname(path)}`,
      },
    )
  }
  const { detectTanaKind: tanaKindOf } = await import('../../sources/notes/tana/detect.ts')
  return { kind: tanaKindOf(source) ?? 'tana-export', source }
}

const PAGES: ReadonlySet<string> = new Set(['.md', '.markdown'])

function isPage(path: string): boolean {
  return PAGES.has(extname(path).toLowerCase())
}

export async function openNotesSource(world: World, workspace: Workspace): Promise<NotesSource> {
  const { kind, source, tanaWorkspace } = workspace
  if (kind === 'local-api') {
    const workspaceIds = tanaWorkspace === undefined ? [] : [tanaWorkspace]
    const token = readToken(world, workspace) ?? ''
    const { openLocalApiSource } = await import('../../sources/notes/live/crawl.ts')
    return openLocalApiSource({ url: source, token, workspaceIds, signal: world.signal })
  }
  if (kind === 'vault') {
    const { openVault } = await import('../../sources/notes/vault/vault.ts')
    return openVault(world.files, source)
  }
  if (kind === 'tana-intermediate') {
    const { openTanaIntermediate } = await import('../../sources/notes/tana/intermediate-source.ts')
    return openTanaIntermediate(source)
  }
  const { openTanaExport } = await import('../../sources/notes/tana/export-source.ts')
  return openTanaExport(source)
}
