/** What programmers say in place of each other: an abbreviation for a word, one verb for another. */
import { stemOf } from '../base/words.ts'

const GROUPS = `
  delete remove drop erase
  create make new
  config configuration settings options
  argument arg parameter param
  directory dir folder
  error err exception failure
  message msg
  request req
  response resp res
  function fn func method
  context ctx
  environment env
  document doc
  initialize init setup
  maximum max
  minimum min
  number num
  string str
  character char
  length len size
  index idx
  command cmd
  repository repo
  database db
  connection conn
  attribute attr
  property prop
  element elem
  regex regexp pattern
  callback handler listener hook
  authentication auth login
  authorization auth permission
  synchronous sync
  asynchronous async
  temporary temp tmp
  previous prev
  reference ref
  source src
  destination dest dst target
  specification spec
  utility util helper
  middleware plugin
  execute exec run
  iterate loop
  concatenate concat join
  convert transform
  serialize stringify encode
  deserialize parse decode
  duplicate dup copy clone
  parent ancestor
  child descendant
  header head
  timeout deadline
  buffer buf
  pointer ptr
  value val
  variable var
  object obj
  array list
  dictionary dict map
  template tmpl
  image img
  administrator admin
  information info
  statistics stats
  calculate compute
  verify validate check
  encoding charset
  newline linebreak
  whitespace space
  crash panic abort
  color colour
  cancel abort
`

const WORDS = GROUPS.trim()
  .split('\n')
  .map((line) => line.trim().split(' '))

/** A stem begins as its word does: only words that begin so are stemmed to see whether they are it. */
const SAME_START = 2

/** Stems that mean nearly the same; none for most words. */
export function relatedWords(stem: string): readonly string[] {
  const start = stem.slice(0, SAME_START)
  const found = new Set<string>()
  for (const group of WORDS) {
    if (!group.some((word) => word.startsWith(start) && stemOf(word) === stem)) continue
    for (const word of group) found.add(stemOf(word))
  }
  found.delete(stem)
  return [...found]
}
