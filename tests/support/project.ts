/** Projects for tests: a whole folder of files in one string, and a place on disk to put it. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export type Project = ReadonlyMap<string, string>

/**
 * A project in a string. A line `//- path` starts a file; what follows is its text.
 *
 *     project(`
 *     //- notes/a.md
 *     # Login
 *     //- src/auth.ts
 *     export function login() {}
 *     `)
 */
export function project(text: string): Project {
  const files = new Map<string, string[]>()
  let lines: string[] | undefined
  for (const line of text.split('\n')) {
    const header = /^\s*\/\/- (\S.*)$/.exec(line)
    if (header?.[1] !== undefined) {
      lines = []
      files.set(header[1], lines)
    } else {
      lines?.push(line)
    }
  }
  return new Map([...files].map(([path, body]) => [path, `${body.join('\n').trimEnd()}\n`]))
}

/** An empty folder that is gone when the test is. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dossier-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** For properties, which need a new folder for every run: gone when the action ends. */
export async function withFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'dossier-test-'))
  try {
    return await action(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function writeFile(folder: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}

/** The project on disk, in a folder of its own. */
export function onDisk(text: string): string {
  const folder = temporaryFolder()
  for (const [path, content] of project(text)) writeFile(folder, path, content)
  return folder
}

/** Every path below a folder, folders with a final slash, sorted. */
export function listing(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((it) => join(it.parentPath, it.name).slice(folder.length + 1) + (it.isFile() ? '' : '/'))
    .toSorted()
}
