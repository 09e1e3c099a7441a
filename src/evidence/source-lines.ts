/**
 * Stores a short hash of every line of a source at the moment when a range of it was picked. The
 * hashes make it possible to find the range again after the file has changed.
 */
import { join } from 'node:path'
import type { Flow, Write } from '../model/evidence.ts'
import type { Files } from '../platform/files.ts'
import { sha256 } from '../platform/hash.ts'
import { SOURCES_FOLDER } from './part-names.ts'

const HASH = /^[0-9a-f]{8}$/

/** A final newline does not start another line. */
export function splitLines(text: string): readonly string[] {
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text
  return whole === '' ? [] : whole.split('\n')
}

export function hashLines(text: string): readonly string[] {
  return splitLines(text).map((line) => sha256(line).slice(0, 8))
}

/** `cid` identifies the source; `hashes` has one entry per line of it. */
export function createSourceLinesWrite(cid: string, hashes: readonly string[]): Write {
  return {
    path: sourceLinesPath(cid),
    text: hashes.map((it) => `${it}\n`).join(''),
    isRemade: true,
  }
}

/** Undefined if there are no valid hashes: the evidence is older, or the file was edited. */
export function readSourceLines(
  files: Files,
  flow: Flow,
  cid: string,
): readonly string[] | undefined {
  try {
    const hashes = splitLines(
      new TextDecoder().decode(files.read(join(flow.folder, sourceLinesPath(cid)))),
    )
    return hashes.every((it) => HASH.test(it)) ? hashes : undefined
  } catch {
    return undefined
  }
}

function sourceLinesPath(cid: string): string {
  return `${SOURCES_FOLDER}/${cid.replace(/[^0-9a-z]+/gi, '-')}.lines`
}
