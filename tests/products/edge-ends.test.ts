/** Where edges begin and end, and what stays unresolved: L7 to L9. */
import { describe, expect, test } from 'vitest'
import type { StoredFile } from '../../src/model/code-index.ts'
import { indexPath } from '../../src/packs/index/code-index.ts'
import { realFiles } from '../../src/platform/files.ts'
import { openCodeIndex } from '../../src/store/code/reader.ts'
import { indexIn } from '../support/indexed-folder.ts'
import { onDisk } from '../support/project.ts'

/** `caller -> callee` of every call in a project, without what is the same for all symbols. */
async function callsIn(text: string): Promise<readonly string[]> {
  const files = await filesOf(text)
  return files
    .flatMap((it) => it.edges)
    .filter((it) => it.kind === 'call')
    .map((it) => `${short(it.from)} -> ${short(it.to)}`)
}

async function filesOf(text: string): Promise<readonly StoredFile[]> {
  const folder = onDisk(text)
  await indexIn(folder)
  const reader = openCodeIndex(realFiles, indexPath(folder))
  try {
    return await reader.storedFiles((await reader.files()).map((it) => it.path))
  } finally {
    await reader.close()
  }
}

function short(symbol: string): string {
  return symbol.replace('scip:dossier . . . ', '').replaceAll('`', '')
}

const RESPONSE = `//- response.js
const http = require('http')
var res = module.exports = Object.create(http.ServerResponse.prototype)
res.send = function send(body) { return this.end(body) }
res.json = function json(value) { return this.send(value) }
res.render = function render(view) {
  var self = this
  engine(view, function (error, text) { self.send(text) })
}
`

describe('L7 members that are assigned', () => {
  test('L7 a variable has the members that are assigned to it, and is `this` in them', async () => {
    const calls = await callsIn(RESPONSE)
    expect(calls).toContain('response.js/res.json(). -> response.js/res.send().')
    expect(calls).toContain('response.js/res.render(). -> response.js/res.send().')
  })

  test('L7 so it has where another file requires it', async () => {
    const calls = await callsIn(`${RESPONSE}//- reply.js
const res = require('./response')
function reply() { res.json(1) }
`)
    expect(calls).toContain('reply.js/reply(). -> response.js/res.json().')
  })

  test('L7 what is made of an object has its members and keeps its own', async () => {
    const calls = await callsIn(`//- a.js
const animal = { eat() {} }
const dog = Object.create(animal)
const cat = Object.create(animal)
dog.speak = function () { this.eat() }
cat.speak = function () { this.eat() }
cat.eat = function () {}
function meet() { cat.speak(); dog.speak() }
`)
    expect(calls).toEqual([
      'a.js/dog.speak(). -> a.js/animal.eat().',
      'a.js/cat.speak(). -> a.js/cat.eat().',
      'a.js/meet(). -> a.js/cat.speak().',
      'a.js/meet(). -> a.js/dog.speak().',
    ])
  })

  test.each([
    ['Heir.prototype = Object.create(Base.prototype)'],
    ['Heir.prototype = new Base()'],
    ['Object.setPrototypeOf(Heir.prototype, Base.prototype)'],
    ['util.inherits(Heir, Base)'],
    ['Object.assign(Heir.prototype, { walk() {} })'],
  ])('L7 `%s` passes members on', async (line) => {
    const calls = await callsIn(`//- a.js
const util = require('util')
function Base() {}
Base.prototype.walk = function () {}
function Heir() {}
${line}
Heir.prototype.run = function () { this.walk() }
`)
    const isOwn = line.includes('assign')
    expect(calls).toContain(
      `a.js/Heir().run(). -> ${isOwn ? 'a.js/walk().' : 'a.js/Base().walk().'}`,
    )
  })

  test('L7 what is assigned into an object is found there and in the result', async () => {
    const calls = await callsIn(`//- a.js
const tools = {}
const merged = Object.assign(tools, { cut() {} })
function use() { tools.cut(); merged.cut() }
`)
    expect(calls).toEqual(['a.js/use(). -> a.js/cut().', 'a.js/use(). -> a.js/cut().'])
  })

  test('L7 members assigned to an unknown parameter belong to nothing', async () => {
    const calls = await callsIn(`//- a.js
function plugin(app) { app.stop = function () {} }
function other(app) { app.stop() }
`)
    expect(calls).toEqual([])
  })
})

describe('L8 where an edge begins', () => {
  test.each([
    ['a.go', 'package a\nfunc inner() int { return 1 }\nfunc outer() int { return inner() }\n'],
    ['a.kt', 'fun inner() = 1\nfun outer(): Int { return inner() }\n'],
    ['a.scala', 'object a {\n  def inner() = 1\n  def outer() = { inner() }\n}\n'],
    ['a.java', 'class A {\n  int inner() { return 1; }\n  int outer() { return inner(); }\n}\n'],
    ['a.cs', 'class A {\n  int inner() { return 1; }\n  int outer() { return inner(); }\n}\n'],
    ['a.py', 'def inner(): ...\ndef outer():\n    inner()\n'],
    ['a.rs', 'fn inner() {}\nfn outer() { inner() }\n'],
    ['a.js', 'function inner() {}\nfunction outer() { inner() }\n'],
  ])('L8 in %s it is the function that calls', async (path, text) => {
    const calls = await callsIn(`//- ${path}\n${text}`)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatch(/outer\(\)\. -> \S*inner\(\)\.$/)
  })
})

test('L9 a tuple that is declared holds at each place what is declared for it', async () => {
  const calls = await callsIn(`//- a.py
class Crate:
    def open(self): ...
class Shelf:
    rows: list[tuple[Crate, dict[str, str]]]
    pair: tuple[str, Crate]
    many: tuple[Crate, ...]
    def first(self):
        for crate, label in self.rows:
            crate.open()
            label.open()
    def second(self):
        name, crate = self.pair
        name.open()
        crate.open()
    def third(self):
        one, two = self.many
        two.open()
`)
  expect(calls).toEqual([
    'a.py/Shelf#first(). -> a.py/Crate#open().',
    'a.py/Shelf#second(). -> a.py/Crate#open().',
    'a.py/Shelf#third(). -> a.py/Crate#open().',
  ])
})

test.each([
  [
    'a.py',
    'import os\nclass Crate:\n    def get(self): ...\ndef f(it):\n    os.environ.get(1)\n    it.get(2)\n',
    6,
  ],
  [
    'a.go',
    'package a\nimport "strings"\ntype T struct{}\nfunc (t T) Trim() {}\nfunc f(it any) {\n\tstrings.Trim("a", "b")\n\tit.Trim()\n}\n',
    7,
  ],
  [
    'a.js',
    "const fs = require('fs')\nclass Crate { open() {} }\nfunction f(it) {\n  fs.promises.open(1)\n  it.open(2)\n}\n",
    5,
  ],
])('L9 calls on other modules are not kept as unresolved in %s', async (path, text, line) => {
  const [file] = await filesOf(`//- ${path}\n${text}`)
  const lines = file?.unresolved.map((it) => text.slice(0, it.start).split('\n').length)
  expect(lines).toEqual([line])
})
