/** The settings file: what is read, what is refused, and what a change leaves as it was. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { assert, constantFrom, json, nat, property } from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { changeConfig, readConfig } from '../../src/config/config.ts'
import { locateJsonError } from '../../src/config/json-error.ts'
import type { WorkspaceSettings } from '../../src/config/schema.ts'
import type { World } from '../../src/platform/world.ts'
import { quietWorld } from '../support/world.ts'

interface Person {
  readonly world: World
  readonly file: string
  readonly notices: readonly string[]
}

function person(config?: string | object): Person {
  const folder = mkdtempSync(join(tmpdir(), 'dossier-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const notices: string[] = []
  const world = quietWorld(folder, { notice: (text) => notices.push(text) })
  const file = world.home.configFile
  if (config !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config))
  }
  return { world, file, notices }
}

const VAULT: WorkspaceSettings = { source: '/notes', kind: 'vault' }

function setting(alias: string, settings: WorkspaceSettings) {
  return () => ({ workspaces: new Map([[alias, settings]]) })
}

describe('NC1 what is read', () => {
  test('NC1 no file, and an empty one, are no settings', () => {
    for (const { world, file } of [person(), person(' \n')]) {
      expect(readConfig(world)).toEqual({
        defaultWorkspace: undefined,
        workspaces: new Map(),
        lenses: new Map(),
      })
      expect(existsSync(file) && readFileSync(file, 'utf8').trim() !== '').toBe(false)
    }
  })

  test('NC1 workspaces and lenses come in the order of the file, behind a byte order mark too', () => {
    const config = {
      defaultWorkspace: 'work',
      workspaces: { work: VAULT, main: { source: 'http://127.0.0.1:8262', kind: 'local-api' } },
      lenses: { brief: { extends: 'general', maxDepth: 1 } },
    }
    const { world, notices } = person(`\uFEFF${JSON.stringify(config)}`)
    const read = readConfig(world)
    expect(read.defaultWorkspace).toBe('work')
    expect([...read.workspaces.keys()]).toEqual(['work', 'main'])
    expect(read.workspaces.get('work')).toEqual(VAULT)
    expect(read.lenses.get('brief')).toEqual({ extends: 'general', maxDepth: 1 })
    expect(notices).toEqual([])
  })

  test('NC1 an unknown key is named with what it may have been, and is no error', () => {
    const { world, file, notices } = person({
      workspace: {},
      workspaces: { main: { ...VAULT, tokn: 'x' } },
      lenses: { mine: { extends: 'general', boostTag: [] } },
    })
    expect(readConfig(world).workspaces.size).toBe(1)
    expect(notices).toEqual([
      `${file}: unknown key "workspace" (did you mean workspaces?)`,
      `${file}: workspaces.main: unknown key "tokn" (did you mean token?)`,
      `${file}: lenses.mine: unknown key "boostTag" (did you mean boostTags?)`,
    ])
  })

  test.each([
    ['a list', '[]', 'is not a JSON object'],
    ['an alias that is a path', { workspaces: { '../main': VAULT } }, 'workspaces.../main'],
    ['an alias in capitals', { workspaces: { Main: VAULT } }, 'lower-case'],
    [
      'a workspace without a source',
      { workspaces: { a: { kind: 'vault' } } },
      'workspaces.a.source',
    ],
    ['an unknown kind', { workspaces: { a: { ...VAULT, kind: 'roam' } } }, 'workspaces.a.kind'],
    ['a depth of 6', { lenses: { a: { maxDepth: 6 } } }, 'lenses.a.maxDepth'],
    [
      'an unknown link',
      { lenses: { a: { priorityTypes: ['friend'] } } },
      'lenses.a.priorityTypes.0',
    ],
    ['a number for a name', { defaultWorkspace: 1 }, 'defaultWorkspace'],
  ])('NC1 %s is refused with its place', (_, config, place) => {
    const { world, file } = person(config)
    expect(() => readConfig(world)).toThrow(
      expect.objectContaining({
        code: 'POC_E_CONFIG_INVALID',
        message: expect.stringContaining(place),
        hint: expect.stringContaining('correct the file'),
      }),
    )
    expect(() => readConfig(world)).toThrow(file)
  })

  test('NC1 bytes that are no text are refused', () => {
    const { world, file } = person({})
    writeFileSync(file, Uint8Array.of(0x7b, 0xff, 0x7d))
    expect(() => readConfig(world)).toThrow('UTF-8')
  })
})

describe('NC2 broken JSON', () => {
  test.each([
    ['{', '1:2', 'unexpected end of the file: a name in double quotes is expected'],
    ['{\n  "a": 1,\n}', '3:1', 'a trailing comma'],
    ['{"a" 1}', '1:6', 'a colon'],
    ['{"a": tru}', '1:7', 'a value'],
    ['{"a": [1 2]}', '1:10', 'a comma or ]'],
    ["{'a': 1}", '1:2', 'double quotes'],
    ['{"a": "b\n"}', '1:7', 'not well formed'],
    ['{"a": 01}', '1:7', 'a value'],
    ['{} {}', '1:4', 'unexpected text after the end'],
    ['{\n // note\n}', '2:2', 'double quotes'],
  ])('NC2 %j is told with its line and column', (text, place, what) => {
    expect(() => JSON.parse(text)).toThrow()
    const fault = locateJsonError(text)
    expect(`${fault.line}:${fault.column}`).toBe(place)
    expect(fault.what).toContain(what)
    const { world, file } = person(text)
    expect(() => readConfig(world)).toThrow(`${file}:${place} is not JSON: `)
  })

  test('NC2 the text of the file is not quoted: there may be a token in it', () => {
    const { world } = person('{"workspaces": {"main": {"token": "hunter2" oops}}}')
    try {
      readConfig(world)
      expect.unreachable()
    } catch (error) {
      expect(String(error)).toContain(':1:45 ')
      expect(JSON.stringify(error) + String(error)).not.toContain('hunter2')
    }
  })

  test('NC2 whatever stands in a text, a fault is found inside it', () => {
    assert(
      property(json(), nat(), constantFrom('', '}', ',', '"', 'x'), (text, at, put) => {
        const cut = at % (text.length + 1)
        const broken = `${text.slice(0, cut)}${put}${text.slice(cut + 1)}`
        try {
          JSON.parse(broken)
          return
        } catch {
          const { line, column } = locateJsonError(broken)
          const lines = broken.split('\n')
          expect(line).toBeLessThanOrEqual(lines.length)
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1)
        }
      }),
    )
  })

  test('NC2 nothing is changed in a file that is broken', async () => {
    const { world, file } = person('{"workspaces": {')
    await expect(changeConfig(world, setting('main', VAULT))).rejects.toMatchObject({
      code: 'POC_E_CONFIG_INVALID',
    })
    expect(readFileSync(file, 'utf8')).toBe('{"workspaces": {')
  })
})

describe('NC3 what is changed', () => {
  test('NC3 a first change makes the file, for its owner alone, and leaves nothing beside it', async () => {
    const { world, file } = person()
    await changeConfig(world, setting('main', VAULT))
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ workspaces: { main: VAULT } })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(file)).toSorted()).toEqual(['config.json', 'config.json.lock'])
  })

  test('NC3 unknown keys, their order and the rest of a workspace stay', async () => {
    const { world, file } = person({
      zeta: [1],
      workspaces: { work: { mine: true, ...VAULT, token: 'hunter2' } },
      alpha: { b: 1, a: 2 },
    })
    await changeConfig(world, setting('work', { source: '/other', kind: 'vault' }))
    await changeConfig(world, setting('main', VAULT))
    expect(readFileSync(file, 'utf8')).toBe(
      `${JSON.stringify(
        {
          zeta: [1],
          workspaces: {
            work: { mine: true, source: '/other', kind: 'vault', token: 'hunter2' },
            main: VAULT,
          },
          alpha: { b: 1, a: 2 },
        },
        null,
        2,
      )}\n`,
    )
  })

  test('NC3 what says the same is not written again', async () => {
    const { world, file } = person('{"workspaces":{"main":{"source":"/notes","kind":"vault"}}}')
    await changeConfig(world, setting('main', VAULT))
    expect(readFileSync(file, 'utf8')).toBe(
      '{"workspaces":{"main":{"source":"/notes","kind":"vault"}}}',
    )
  })

  test('NC3 many who write at once all have their say', async () => {
    const { world, file } = person()
    const aliases = Array.from({ length: 12 }, (_, at) => `w${at}`)
    await Promise.all(aliases.map((alias) => changeConfig(world, setting(alias, VAULT))))
    const { workspaces } = JSON.parse(readFileSync(file, 'utf8')) as { workspaces: object }
    expect(Object.keys(workspaces).toSorted()).toEqual(aliases.toSorted())
  })

  test('NC3 a link to the settings stays a link', async () => {
    const { world, file } = person({})
    const real = join(dirname(dirname(file)), 'dotfiles.json')
    writeFileSync(real, '{"mine": 1}')
    rmSync(file)
    symlinkSync(real, file)
    await changeConfig(world, setting('main', VAULT))
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({
      mine: 1,
      workspaces: { main: VAULT },
    })
  })

  test('NC3 a change that is wrong is not written', async () => {
    const { world, file } = person({})
    await expect(changeConfig(world, setting('No', VAULT))).rejects.toMatchObject({
      code: 'POC_E_CONFIG_INVALID',
    })
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })
})
