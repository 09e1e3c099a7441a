/**
 * Opens the imported copy of a workspace for one question and closes it. A server keeps copies open
 * between questions.
 */
import { EngineError } from '../../model/engine-error.ts'
import type { NotesReader } from '../../model/notes-index.ts'
import type { World } from '../../platform/world.ts'
import { openNotes } from '../../store/notes/reader.ts'
import type { Workspace } from './notes-workspaces.ts'

export async function withCopy<T>(
  world: World,
  workspace: Workspace,
  ask: (reader: NotesReader) => Promise<T>,
): Promise<T> {
  const kept = OPEN_COPIES.get(world.session ?? world)
  if (kept !== undefined) return kept.ask(world, workspace, ask)
  const reader = openExistingCopy(world, workspace)
  try {
    return await ask(reader)
  } finally {
    await reader.close()
  }
}

/** From now on, copies opened in this session stay open until `close`. */
export function keepNotesOpen(world: World): { close(): Promise<void> } {
  const session = world.session ?? world
  const kept = new OpenCopies()
  OPEN_COPIES.set(session, kept)
  return {
    close: () => {
      OPEN_COPIES.delete(session)
      return kept.close()
    },
  }
}

interface OpenCopy {
  reader: NotesReader | undefined
  /** Identity of the open file, to notice that it was replaced. */
  fileIdentity: string
  /** Serializes questions: a question must not close the reader that another one uses. */
  turn: Promise<unknown>
}

class OpenCopies {
  readonly #copies = new Map<string, OpenCopy>()

  async ask<T>(
    world: World,
    workspace: Workspace,
    ask: (reader: NotesReader) => Promise<T>,
  ): Promise<T> {
    const it = this.#copyAt(workspace.copy)
    const answer = it.turn.then(async () => {
      const looks = identifyFile(world, workspace.copy)
      if (it.fileIdentity !== looks) await closeCopy(it)
      it.reader ??= openExistingCopy(world, workspace)
      it.fileIdentity = looks
      return ask(it.reader)
    })
    it.turn = answer.catch(() => undefined)
    return answer
  }

  async close(): Promise<void> {
    for (const it of this.#copies.values()) {
      await it.turn
      await closeCopy(it)
    }
  }

  #copyAt(path: string): OpenCopy {
    const known = this.#copies.get(path)
    if (known !== undefined) return known
    const made = { reader: undefined, fileIdentity: '', turn: Promise.resolve() }
    this.#copies.set(path, made)
    return made
  }
}

const OPEN_COPIES = new WeakMap<object, OpenCopies>()

async function closeCopy(it: OpenCopy): Promise<void> {
  const { reader } = it
  it.reader = undefined
  await reader?.close()
}

function identifyFile({ files }: World, path: string): string {
  try {
    const mark = files.mark(path)
    // The inode number of an open file is not reused. Commits to the same file are visible to the
    // reader.
    return mark === undefined ? '' : `${mark.dev} ${mark.ino}`
  } catch {
    return ''
  }
}

function openExistingCopy(world: World, { alias, copy }: Workspace): NotesReader {
  try {
    return openNotes(world.files, copy)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'POC_E_INDEX_MISSING') throw error
    throw new EngineError('POC_E_INDEX_MISSING', `the workspace ${alias} has no copy`, {
      hint: `create it with \`dossier notes sync ${alias}\``,
      cause: error,
    })
  }
}
