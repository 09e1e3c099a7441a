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

const RELATED = readGroups(GROUPS)

/** Stems that mean nearly the same; none for most words. */
export function relatedWords(stem: string): readonly string[] {
  return RELATED.get(stem) ?? []
}

function readGroups(text: string): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const line of text.trim().split('\n')) {
    const stems = line.trim().split(/\s+/).map(stemOf)
    for (const stem of stems) {
      const others = groups.get(stem) ?? []
      others.push(...stems.filter((it) => it !== stem && !others.includes(it)))
      groups.set(stem, others)
    }
  }
  return groups
}
