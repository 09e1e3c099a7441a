/**
 * Random pairs of an edit and a question right after it, over the real MCP client. Each answer is
 * compared with what is on disk at that moment.
 */
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { type Holding, PLACES, type Place } from './places.ts'

export const EDITS = ['change', 'same size', 'same tick', 'add', 'delete', 'rename'] as const
export type Edit = (typeof EDITS)[number]

export interface Pair {
  readonly place: Place['name']
  readonly edit: Edit
  /** What the answer said that the disk does not; undefined where they agree. */
  readonly stale?: string
}

const FILES_PER_PLACE = 6

/** The files of every place, below `top`. To be called before anything is indexed. */
export function writePlaces(top: string): void {
  for (const place of PLACES) for (const it of firstFiles(place)) writeFile(top, place, it)
}

function firstFiles(place: Place): readonly Holding[] {
  return Array.from({ length: FILES_PER_PLACE }, (_, at) => fileNamed(place, `first${at}`, at))
}

/** Topics are one word that no other file has; values have a length that edits keep or change. */
function fileNamed(place: Place, name: string, number: number): Holding {
  return { path: place.pathFor(name), topic: `gauge${word(number)}`, value: valueOf(place, number) }
}

/** Letters alone: a number at the end of a name would be a word of its own. */
function word(number: number): string {
  return [...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')
}

/** No two places have the same: documents lie in the repository. */
function valueOf({ name }: Place, number: number): string {
  return `${name}v${String(number).padStart(6, '0')}`
}

function writeFile(top: string, { folder, text }: Place, it: Holding): string {
  const path = join(top, folder, it.path)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text(it))
  return path
}

export interface Asking {
  readonly client: Client
  readonly top: string
  readonly pairs: number
  /** The same seed gives the same edits. */
  readonly seed: number
}

export async function editAndAsk({ client, top, pairs, seed }: Asking): Promise<readonly Pair[]> {
  const random = randomFrom(seed)
  const files = new Map(PLACES.map((place) => [place, [...firstFiles(place)]]))
  const done: Pair[] = []
  // So many before that no topic or value comes twice.
  for (let number = FILES_PER_PLACE; done.length < pairs; number += 1) {
    const place = oneOf(PLACES, random)
    const edit = oneOf(EDITS, random)
    const holdings = files.get(place) ?? []
    if (edit === 'delete' && holdings.length < 2) continue
    const before = oneOf(holdings, random)
    const after = await edited({ client, top, place, edit, before, number })
    const kept = edit === 'add' ? holdings : holdings.filter((it) => it !== before)
    files.set(place, after === undefined ? kept : [...kept, after])
    const stale = await staleIn({ client, place, before, after })
    done.push({ place: place.name, edit, ...(stale === undefined ? {} : { stale }) })
  }
  return done
}

interface Editing {
  readonly client: Client
  readonly top: string
  readonly place: Place
  readonly edit: Edit
  readonly before: Holding
  readonly number: number
}

/** The file as it is now; undefined where it is gone. */
async function edited(it: Editing): Promise<Holding | undefined> {
  const { top, place, edit, before, number } = it
  const path = join(top, place.folder, before.path)
  if (edit === 'delete') {
    rmSync(path)
    return undefined
  }
  if (edit === 'add') {
    const added = fileNamed(place, `added${number}`, number)
    writeFile(top, place, added)
    return added
  }
  if (edit === 'rename') {
    const renamed = { ...before, path: place.pathFor(`renamed${number}`) }
    renameSync(path, join(top, place.folder, renamed.path))
    return renamed
  }
  const value = edit === 'change' ? `${valueOf(place, number)}and${number}` : valueOf(place, number)
  const after = { ...before, value }
  if (edit === 'same tick') await writeTwice(it, after)
  else writeFile(top, place, after)
  return after
}

/** As a file system does whose clock has not moved on between two writes of the same length. */
async function writeTwice({ client, top, place, before }: Editing, after: Holding): Promise<void> {
  const between = writeFile(top, place, { ...after, value: after.value.replace(/.$/, 'x') })
  const { atime, mtime } = statSync(between)
  utimesSync(between, atime, mtime)
  await client.callTool({ name: place.tool, arguments: place.args(before.topic) })
  writeFile(top, place, after)
  utimesSync(between, atime, mtime)
}

interface Question {
  readonly client: Client
  readonly place: Place
  readonly before: Holding
  readonly after: Holding | undefined
}

async function staleIn({ client, place, before, after }: Question): Promise<string | undefined> {
  const { topic } = after ?? before
  const answer = textOf(await client.callTool({ name: place.tool, arguments: place.args(topic) }))
  if (after === undefined)
    return answer.includes(before.value) ? `${before.path}, which is gone` : undefined
  if (!answer.includes(after.value)) return `not ${after.value} of ${after.path}`
  if (after.topic === before.topic && after.value !== before.value && answer.includes(before.value))
    return `${before.value}, which ${after.path} had`
  return answer.includes(place.shownAs(after.path)) ? undefined : `not the path ${after.path}`
}

function textOf({ content }: CallToolResult): string {
  return content.map((it) => (it.type === 'text' ? it.text : '')).join('\n')
}

function oneOf<T>(list: readonly T[], random: () => number): T {
  const it = list[Math.floor(random() * list.length)]
  if (it === undefined) throw new Error('there is nothing to choose from')
  return it
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
