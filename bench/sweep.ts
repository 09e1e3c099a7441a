/**
 * How evenly fast the index is: one line for each repository, and how far it is from the fastest of
 * its language.
 *
 *     node bench/sweep.ts <folder>…
 *
 * Files and MB for each second of the processor. A folder that has an index is passed over, because
 * that would have to go. Exits with 1 if a repository is slower than a quarter of the best of its
 * language, both by files and by MB: files of one language may be many times as large in one
 * repository as in another.
 */
import { existsSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { ascending, descending, inOrder } from '../src/base/order.ts'
import { SKIPPED } from '../src/model/index-record.ts'
import { realFiles } from '../src/platform/files.ts'
import { openCodeIndex } from '../src/store/code/reader.ts'
import { forgetIndex } from './code/dossier.ts'
import { type MeasuredIndex, measureIndex } from './code/measured-index.ts'

const AIM = 4
/** What comes with code of any language, and what is left out. */
const ANY = new Set([
  'markdown',
  'json',
  'yaml',
  'toml',
  'html',
  'css',
  'scss',
  'text',
  SKIPPED,
  '',
])

interface Row extends MeasuredIndex {
  readonly name: string
  readonly language: string
}

const rows: Row[] = []
for (const folder of process.argv.slice(2).map((it) => resolve(it))) {
  const fault = faultOf(folder)
  if (fault !== undefined) {
    console.log(`${folder} ${fault}; passed over`)
    continue
  }
  const row = await rowOf(folder)
  rows.push(row)
  console.error(lineOf(row))
}
for (const line of table(rows)) console.log(line)

function faultOf(folder: string): string | undefined {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return 'is not a folder'
  return existsSync(join(folder, '.dossier')) ? 'has an index' : undefined
}

async function rowOf(folder: string): Promise<Row> {
  try {
    const measured = await measureIndex(folder)
    return { ...measured, name: basename(folder), language: await languageOf(folder) }
  } finally {
    forgetIndex(folder)
  }
}

/** The one that most of the code is written in. Headers of C++ and Objective-C look like C. */
async function languageOf(folder: string): Promise<string> {
  const reader = openCodeIndex(realFiles, join(folder, '.dossier', 'index.db'))
  try {
    const files = (await reader.files()).filter((it) => !ANY.has(it.language))
    const bytes = [...Map.groupBy(files, (it) => it.language)].map(([language, list]) => ({
      language,
      size: list.reduce((sum, it) => sum + it.size, 0),
    }))
    return bytes.toSorted(descending((it) => it.size))[0]?.language ?? 'none'
  } finally {
    await reader.close()
  }
}

function table(all: readonly Row[]): readonly string[] {
  const lines = [
    '| language | repository | files | MB | s of the processor | files/s | × of the best | MB/s | × of the best | peak MB |',
    '|---|---|---|---|---|---|---|---|---|---|',
  ]
  const sorted = all.toSorted(
    inOrder(
      ascending((it) => it.language),
      descending((it) => it.megabytesPerSecond),
    ),
  )
  for (const it of sorted) {
    const peers = all.filter((each) => each.language === it.language)
    const files = Math.max(...peers.map((each) => each.filesPerSecond)) / it.filesPerSecond
    const bytes = Math.max(...peers.map((each) => each.megabytesPerSecond)) / it.megabytesPerSecond
    const isSlow = files > AIM && bytes > AIM
    if (isSlow) process.exitCode = 1
    lines.push(
      `| ${[
        it.language,
        it.name + (isSlow ? ' (SLOW)' : ''),
        it.files,
        it.megabytes.toFixed(1),
        it.processorSeconds.toFixed(1),
        it.filesPerSecond.toFixed(0),
        files.toFixed(1),
        it.megabytesPerSecond.toFixed(2),
        bytes.toFixed(1),
        it.peakMegabytes.toFixed(0),
      ].join(' | ')} |`,
    )
  }
  return lines
}

/** While it goes on, which may take long. */
function lineOf(it: Row): string {
  return (
    `${it.name} (${it.language}): ${it.files} files, ${it.megabytes.toFixed(1)} MB, ` +
    `${it.processorSeconds.toFixed(1)} s of the processor, ${it.filesPerSecond.toFixed(0)} files/s, ` +
    `${it.megabytesPerSecond.toFixed(2)} MB/s, peak ${it.peakMegabytes.toFixed(0)} MB`
  )
}
