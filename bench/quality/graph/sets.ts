/** What every set needs: its rows, its sources on disk, and an index to ask. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Places } from '../checkout.ts'
import type { Answer, Answers } from './answers.ts'
import type { SetReport } from './tables.ts'

export interface SetInput extends Places {
  readonly answer: Answer
}

/** Undefined where the data has no such set. */
export type GraphSet = (input: SetInput) => Promise<SetReport | undefined>

/** The rows of a file below `graph-truth`, or undefined where it is not there. */
export function truthRows<T>(data: string, name: string): readonly T[] | undefined {
  return jsonLines<T>(join(data, 'graph-truth', name))
}

export function jsonLines<T>(path: string): readonly T[] | undefined {
  if (!existsSync(path)) return undefined
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line): T => JSON.parse(line))
}

/** Asks an index about a few files, which stand in a folder of their own for as long. */
export async function askAbout(
  sources: ReadonlyMap<string, string>,
  answer: Answer,
): Promise<Answers> {
  const folder = mkdtempSync(join(tmpdir(), 'dossier-graph-'))
  try {
    for (const [path, text] of sources) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return await answer(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads single lines of the files below a folder, each file once. */
export function lineReader(folder: string): (place: { path: string; line: number }) => string {
  const files = new Map<string, readonly string[]>()
  return ({ path, line }) => {
    const known = files.get(path) ?? readLines(join(folder, path))
    files.set(path, known)
    return known[line - 1] ?? ''
  }
}

function readLines(path: string): readonly string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
}
