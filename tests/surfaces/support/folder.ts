/** Temporary folders with documents in them, removed after the test. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export const GUIDE = `# Guide

The token budget is a hard cap.

## Title path

A title path names a section by the headings above it.
`

/** A document per entry, below a new folder that is gone when the test is. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = newFolder()
  onTestFinished(() => removeFolder(folder))
  write(folder, files)
  return folder
}

/** The caller removes it. Open to everybody, so that a process without privileges can work there. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'dossier-surface-')))
  chmodSync(folder, 0o755)
  return folder
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

export function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

export function packOf(folder: string): string {
  return join(folder, '_ctx', 'context_pack.json')
}

export function databaseOf(folder: string): string {
  return join(folder, '_ctx', 'context.db')
}

/** Names and hashes of what a pack folder holds. The lock is no part of a pack. */
export function packBytes(folder: string): Readonly<Record<string, string>> {
  const at = join(folder, '_ctx')
  if (!existsSync(at)) return {}
  const names = readdirSync(at).filter((name) => name !== '.dossier.lock')
  return Object.fromEntries(names.toSorted().map((name) => [name, fingerprint(join(at, name))]))
}

function fingerprint(path: string): string {
  const stat = statSync(path)
  if (!stat.isFile()) return 'not a file'
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** What a build that went wrong would leave behind. */
export function leftovers(folder: string): readonly string[] {
  const at = join(folder, '_ctx')
  if (!existsSync(at)) return []
  const expected = new Set(['context_pack.json', 'context.db', '.dossier.lock'])
  return readdirSync(at).filter((name) => !expected.has(name))
}

/** Flips bytes in the middle of a file, which keeps its size. */
export function scribble(path: string, from: number): void {
  const bytes = readFileSync(path)
  for (let at = from; at < bytes.length; at += 1) bytes[at] = (bytes[at] ?? 0) ^ 0x5a
  writeFileSync(path, bytes)
}

/** Makes a git repository of a folder, in which a file of it changes after the first commit. */
export function withHistory(folder: string, file: string): void {
  const identity = ['-c', 'user.name=nobody', '-c', 'user.email=nobody@example.com']
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...identity, ...args], { cwd: folder })
  git('init', '--quiet')
  git('add', file)
  git('commit', '--quiet', '--message', 'Say what is promised')
  const text = readFileSync(join(folder, file), 'utf8')
  writeFileSync(join(folder, file), `${text}\nEvery guide has a title path.\n`)
  git('commit', '--quiet', '--all', '--message', 'Promise a title path for every guide')
}
