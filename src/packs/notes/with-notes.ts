/**
 * The imported copy of a workspace for one question: opened, and closed again. A server keeps it
 * open from question to question instead.
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
  const kept = KEPT.get(world.session ?? world)
  if (kept !== undefined) return kept.ask(world, workspace, ask)
  const reader = openPresent(world, workspace)
  try {
    return await ask(reader)
  } finally {
    await reader.close()
  }
}

/** From here on, copies that are asked for in this session stay open until the end of it. */
export function keepNotesOpen(world: World): { close(): Promise<void> } {
  const session = world.session ?? world
  const kept = new KeptCopies()
  KEPT.set(session, kept)
  return {
    close: () => {
      KEPT.delete(session)
      return kept.close()
    },
  }
}

interface KeptCopy {
  reader: NotesReader | undefined
  /** Of the file that is open. A new one in its place would else never be looked at. */
  looks: string
  /** One question at a time: the reader of one must not be closed by the next. */
  turn: Promise<unknown>
}

class KeptCopies {
  readonly #copies = new Map<string, KeptCopy>()

  async ask<T>(
    world: World,
    workspace: Workspace,
    ask: (reader: NotesReader) => Promise<T>,
  ): Promise<T> {
    const it = this.#copyAt(workspace.copy)
    const answer = it.turn.then(async () => {
      const looks = looksOf(world, workspace.copy)
      if (it.looks !== looks) await closeCopy(it)
      it.reader ??= openPresent(world, workspace)
      it.looks = looks
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

  #copyAt(path: string): KeptCopy {
    const known = this.#copies.get(path)
    if (known !== undefined) return known
    const made = { reader: undefined, looks: '', turn: Promise.resolve() }
    this.#copies.set(path, made)
    return made
  }
}

const KEPT = new WeakMap<object, KeptCopies>()

async function closeCopy(it: KeptCopy): Promise<void> {
  const { reader } = it
  it.reader = undefined
  await reader?.close()
}

function looksOf({ files }: World, path: string): string {
  try {
    const mark = files.mark(path)
    // A number is given to no other file while the one that has it is open. What is committed to
    // the same file, the reader sees.
    return mark === undefined ? '' : `${mark.dev} ${mark.ino}`
  } catch {
    return ''
  }
}

function openPresent(world: World, { alias, copy }: Workspace): NotesReader {
  try {
    return openNotes(world.files, copy)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'POC_E_INDEX_MISSING') throw error
    throw new EngineError('POC_E_INDEX_MISSING', `there is no copy of the workspace ${alias}`, {
      hint: `make it with \`dossier notes sync ${alias}\``,
      cause: error,
    })
  }
}
