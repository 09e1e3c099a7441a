/**
 * Which files of Go can be part of one program: a file's name (`poll_linux.go`) and a condition at
 * its top (`//go:build !windows`) say for which systems, machines and tags it is meant.
 */
import { lastPart } from '../../base/paths.ts'
import type { Ask, Place } from '../linking.ts'

/** Those that can be in one program with a file; what an ordinary build takes comes first. */
export function together(places: readonly Place[], from: string, ask: Ask): readonly Place[] {
  const own = conditionOf(from, ask)
  const fitting = places.filter((it) => canBoth(own, conditionOf(it.path, ask)))
  const chosen = fitting.length > 0 ? fitting : places
  const isUsual = chosen.map((it) => holds(parsed(conditionOf(it.path, ask)), USUAL))
  return [...chosen.filter((_, at) => isUsual[at]), ...chosen.filter((_, at) => !isUsual[at])]
}

/** Empty where a file is always part. */
function conditionOf(path: string, ask: Ask): string {
  const written = ask.facts(path)?.settings ?? ''
  const named = lastPart(path)
    .replace(/(?:_test)?\.go$/, '')
    .split('_')
    .slice(1)
  const machine = MACHINES.has(named.at(-1) ?? '') ? named.pop() : undefined
  const system = SYSTEMS.has(named.at(-1) ?? '') ? named.pop() : undefined
  const parts = [written === '' ? '' : `(${written})`, system ?? '', machine ?? '']
  return parts.filter((it) => it !== '').join(' && ')
}

const known = new Map<string, boolean>()
const MOST_KNOWN = 4096
/** Beyond this many, what tags may be is not gone through. */
const MOST_TAGS = 4

/** Whether there is any build that has both; the same few pairs are asked for again and again. */
function canBoth(a: string, b: string): boolean {
  if (a === '' || b === '' || a === b) return true
  const key = `${a}\n${b}`
  const before = known.get(key)
  if (before !== undefined) return before
  const found = isPossible(parsed(`(${a}) && (${b})`))
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, found)
  return found
}

function isPossible(condition: Condition): boolean {
  const named = tagsIn(condition)
  const systems = [...new Set([...named.filter((it) => SYSTEMS.has(it)), 'linux', 'windows', 'js'])]
  const machines = [
    ...new Set([...named.filter((it) => MACHINES.has(it)), 'amd64', 'arm64', 'wasm']),
  ]
  const free = [...new Set(named.filter((it) => isFree(it)))]
  if (free.length > MOST_TAGS) return true
  for (let chosen = 0; chosen < 2 ** free.length; chosen += 1) {
    const tags = free.filter((_, at) => ((chosen >> at) & 1) === 1)
    for (const system of systems)
      for (const machine of machines)
        if (exists(system, machine) && holds(condition, { system, machine, tags })) return true
  }
  return false
}

/** Only what runs in other programs is made for their machine. */
function exists(system: string, machine: string): boolean {
  return (machine === 'wasm') === (system === 'js' || system === 'wasip1')
}

function isFree(tag: string): boolean {
  return !SYSTEMS.has(tag) && !MACHINES.has(tag) && tag !== 'unix' && !VERSION.test(tag)
}

interface Build {
  readonly system: string
  readonly machine: string
  readonly tags: readonly string[]
}

const USUAL: Build = { system: 'linux', machine: 'amd64', tags: ['gc', 'cgo'] }
const VERSION = /^go1(?:\.\d+)?$/

function holds(condition: Condition, build: Build): boolean {
  switch (condition.is) {
    case 'tag':
      return isSet(condition.tag, build)
    case 'not':
      return !holds(condition.of, build)
    case 'and':
      return condition.list.every((it) => holds(it, build))
    case 'or':
      return condition.list.some((it) => holds(it, build))
  }
}

function isSet(tag: string, { system, machine, tags }: Build): boolean {
  if (tag === 'unix') return !NOT_UNIX.has(system)
  if (tag === system || tag === machine || tag === KINDS.get(system)) return true
  return VERSION.test(tag) || tags.includes(tag)
}

type Condition =
  | { readonly is: 'tag'; readonly tag: string }
  | { readonly is: 'not'; readonly of: Condition }
  | { readonly is: 'and' | 'or'; readonly list: readonly Condition[] }

function tagsIn(condition: Condition): readonly string[] {
  if (condition.is === 'tag') return [condition.tag]
  return condition.is === 'not' ? tagsIn(condition.of) : condition.list.flatMap(tagsIn)
}

function parsed(text: string): Condition {
  return any([...text.matchAll(/\(|\)|&&|\|\||!|[^\s()&|!]+/g)].map(([it]) => it))
}

/** Takes from the front of the words what it has read. */
function any(words: string[]): Condition {
  const list = [all(words)]
  while (words[0] === '||') {
    words.shift()
    list.push(all(words))
  }
  return { is: 'or', list }
}

function all(words: string[]): Condition {
  const list = [one(words)]
  while (words[0] === '&&') {
    words.shift()
    list.push(one(words))
  }
  return { is: 'and', list }
}

function one(words: string[]): Condition {
  const word = words.shift()
  if (word === '!') return { is: 'not', of: one(words) }
  if (word !== '(') return word === undefined ? ALWAYS : { is: 'tag', tag: word }
  const inner = any(words)
  if (words[0] === ')') words.shift()
  return inner
}

const ALWAYS: Condition = { is: 'and', list: [] }

/** Systems that are a kind of another one. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['android', 'linux'],
  ['illumos', 'solaris'],
  ['ios', 'darwin'],
])
const NOT_UNIX: ReadonlySet<string> = new Set(['windows', 'plan9', 'js', 'wasip1', 'nacl', 'zos'])
const SYSTEMS: ReadonlySet<string> = new Set([
  'aix',
  'android',
  'darwin',
  'dragonfly',
  'freebsd',
  'hurd',
  'illumos',
  'ios',
  'linux',
  'netbsd',
  'openbsd',
  'solaris',
  ...NOT_UNIX,
])
const MACHINES: ReadonlySet<string> = new Set([
  '386',
  'amd64',
  'arm',
  'arm64',
  'loong64',
  'mips',
  'mips64',
  'mips64le',
  'mipsle',
  'ppc64',
  'ppc64le',
  'riscv64',
  's390x',
  'wasm',
])
