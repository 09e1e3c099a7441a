/** README and the pages of `docs`: short enough, whole links, and commands that exist. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OTHER_COMMANDS } from '../../scripts/reference/commands.ts'
import { LANGUAGES } from '../../src/sources/code/languages.ts'
import { readInputs } from '../../src/surfaces/cli/flags.ts'
import { loadAll } from '../../src/surfaces/operations/table.ts'
import {
  commandLines,
  headingAnchors,
  readPage,
  readPages,
  relativeLinks,
} from './support/pages.ts'
import { PROJECT } from './support/program.ts'

const PAGES = readPages()
const REFERENCE = readPage('docs/reference.md')
const OPERATIONS = await loadAll()
const EVERYWHERE = ['--json', '--quiet', '-v', '--verbose', '-h', '--help']

test('DO1 README has at most 150 lines', () => {
  expect(readPage('README.md').text.trimEnd().split('\n').length).toBeLessThanOrEqual(150)
})

test.each(PAGES)('DO2 every relative link of $path leads to a file and a heading', (page) => {
  const broken = relativeLinks(page).filter(({ to, heading }) => {
    if (!existsSync(join(PROJECT, to))) return true
    if (heading === undefined) return false
    return statSync(join(PROJECT, to)).isDirectory()
      ? true
      : !headingAnchors(readPage(to).text).has(heading)
  })
  expect(broken.map((it) => it.written)).toEqual([])
})

describe('DO3 the commands of examples', () => {
  test.each(PAGES)('DO3 of $path exist, with their options', (page) => {
    expect(commandLines(page).flatMap(findUnknownWords)).toEqual([])
  })

  test('DO3 are found in the pages', () => {
    const shown = PAGES.flatMap(commandLines)
    expect(shown.length).toBeGreaterThan(30)
    expect(findUnknownWords(['pack', 'query', '--budgett', '4'])).toEqual(['pack --budgett'])
    expect(findUnknownWords(['pakc', 'query'])).toEqual(['pakc query'])
    expect(findUnknownWords(['mcp', '--nowhere'])).toEqual(['mcp --nowhere'])
  })
})

/** Empty if the command exists and has every option of the line. */
function findUnknownWords(words: readonly string[]): readonly string[] {
  const known = [...OPERATIONS.map((it) => it.name), ...OTHER_COMMANDS, '--version', '--help']
  const name = known
    .filter((it) => `${words.join(' ')} `.startsWith(`${it} `))
    .toSorted((a, b) => b.length - a.length)[0]
  if (name === undefined) return [words.join(' ')]
  const options = optionsOf(name)
  return words
    .filter((it) => /^--?[a-z]/.test(it))
    .map((it) => it.split('=')[0] ?? '')
    .filter((it) => !options.has(it))
    .map((it) => `${name} ${it}`)
}

function optionsOf(name: string): ReadonlySet<string> {
  const operation = OPERATIONS.find((it) => it.name === name)
  if (operation === undefined) {
    const [, section = ''] = REFERENCE.text.split(`\n### dossier ${name}\n`)
    const [own = ''] = section.split('\n### ')
    return new Set([...own.matchAll(/(?<![\w-])--?[a-z][a-z-]*/g)].map(([it]) => it))
  }
  const { flags } = readInputs(operation)
  const own = flags.flatMap((it) => [
    `--${it.long}`,
    ...(it.short === undefined ? [] : [`-${it.short}`]),
  ])
  return new Set([...own, ...EVERYWHERE])
}

test('DO4 README or a page beside the reference names every command', () => {
  const written = PAGES.filter((it) => it.path !== REFERENCE.path)
    .map((it) => it.text)
    .join('\n')
  const names = [...OPERATIONS.map((it) => it.name), ...OTHER_COMMANDS]
  const missing = names.filter((it) => !new RegExp(`(?:dossier |\`)${it}\\b`).test(written))
  expect(missing).toEqual([])
})

test('DO5 docs/languages.md names every language with its files', () => {
  const rows = readPage('docs/languages.md')
    .text.split('\n')
    .filter((it) => it.startsWith('| '))
  const missing = LANGUAGES.flatMap(({ id, extensions, fileNames = [] }) => {
    const row = rows.find((it) => it.includes(`\`${id}\``)) ?? ''
    return [...extensions, ...fileNames]
      .filter((it) => !row.includes(`\`${it}\``))
      .map((it) => `${id} ${it}`)
  })
  expect(missing).toEqual([])
})
