/**
 * What the lines of a source were when a range of them was picked: a short hash for each. With them
 * the range can be followed through any change of the file, of which the evidence holds a part only.
 */
import { join } from 'node:path'
import type { Flow, Write } from '../model/evidence.ts'
import type { Files } from '../platform/files.ts'
import { sha256 } from '../platform/hash.ts'
import { SOURCES_FOLDER } from './part-names.ts'

const HASH = /^[0-9a-f]{8}$/

/** A text without a newline at its end has the same lines as one with it. */
export function linesOf(text: string): readonly string[] {
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text
  return whole === '' ? [] : whole.split('\n')
}

export function hashLines(text: string): readonly string[] {
  return linesOf(text).map((line) => sha256(line).slice(0, 8))
}

/** `cid` is that of the source, `hashes` are those of all of its lines. */
export function sourceLinesWrite(cid: string, hashes: readonly string[]): Write {
  return { path: pathOf(cid), text: hashes.map((it) => `${it}\n`).join(''), isRemade: true }
}

/** Undefined where nothing is known of it: older evidence, or a file that somebody changed. */
export function readSourceLines(
  files: Files,
  flow: Flow,
  cid: string,
): readonly string[] | undefined {
  try {
    const hashes = linesOf(new TextDecoder().decode(files.read(join(flow.folder, pathOf(cid)))))
    return hashes.every((it) => HASH.test(it)) ? hashes : undefined
  } catch {
    return undefined
  }
}

function pathOf(cid: string): string {
  return `${SOURCES_FOLDER}/${cid.replace(/[^0-9a-z]+/gi, '-')}.lines`
}
