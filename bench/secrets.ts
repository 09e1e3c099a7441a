/**
 * Which kinds of secrets are redacted, and which decoys are left alone. With folders, also every
 * redaction in their files, and how many megabytes are searched in a second.
 *
 *     node bench/secrets.ts [<folder> …]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findSecrets, redactSecrets } from '../src/base/secrets.ts'
import { DECOYS, SECRET_KINDS } from '../tests/support/secret-kinds.ts'

const MOST_BYTES = 1_000_000
const WIDTH = 120

const folders = process.argv.slice(2)
if (folders.length === 0) printTable()
for (const folder of folders) printRedactions(folder)

function printTable(): void {
  const missed = SECRET_KINDS.filter(({ text, secret }) =>
    redactSecrets(text).text.includes(secret),
  )
  for (const kind of SECRET_KINDS) {
    const result = missed.includes(kind) ? 'MISSED' : oneLine(redactSecrets(kind.text).text)
    console.log(`${kind.kind.padEnd(32)} ${result}`)
  }
  const alarms = DECOYS.filter((it) => redactSecrets(it).count > 0)
  for (const text of DECOYS) {
    const result = alarms.includes(text) ? 'FALSE ALARM' : 'left alone'
    console.log(`${result.padEnd(32)} ${oneLine(text)}`)
  }
  const redactedCount = SECRET_KINDS.length - missed.length
  console.log(`\n${redactedCount} of ${SECRET_KINDS.length} kinds are redacted`)
  console.log(`${alarms.length} of ${DECOYS.length} decoys are false alarms`)
}

function printRedactions(folder: string): void {
  let bytes = 0
  let milliseconds = 0
  let count = 0
  for (const path of filesIn(folder)) {
    const text = readFileSync(join(folder, path), 'utf8').slice(0, MOST_BYTES)
    if (text.includes('\0')) continue
    const started = performance.now()
    const secrets = findSecrets(text)
    milliseconds += performance.now() - started
    bytes += text.length
    count += secrets.length
    for (const { start, end } of secrets) {
      const line = text.slice(0, start).split('\n').length
      const before = text.slice(Math.max(0, start - 60), start)
      console.log(`${path}:${line}  ${oneLine(before)}⟦${oneLine(text.slice(start, end))}⟧`)
    }
  }
  const speed = bytes / 1000 / milliseconds
  console.log(
    `${folder}: ${count} redactions in ${(bytes / 1e6).toFixed(1)} MB, ${speed.toFixed(0)} MB/s`,
  )
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name).slice(folder.length + 1))
    .toSorted()
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, WIDTH)
}
