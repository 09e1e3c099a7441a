/** docs/reference.md, which a script writes from the table of operations. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildReference } from '../../scripts/reference/page.ts'
import { VARIABLES } from '../../scripts/reference/variables.ts'
import { ERROR_CODES } from '../../src/model/engine-error.ts'
import { readInputs } from '../../src/surfaces/cli/flags.ts'
import { loadAll } from '../../src/surfaces/operations/table.ts'
import { PROJECT } from './support/program.ts'

const PAGE = readFileSync(join(PROJECT, 'docs', 'reference.md'), 'utf8')

test('C11 the reference page is what `npm run docs` writes', async () => {
  expect(await buildReference()).toBe(PAGE)
})

test('C11 the reference names every command, option, tool and error code', async () => {
  for (const operation of await loadAll()) {
    const { name, tool } = operation
    const [, section = ''] = PAGE.split(`\n### dossier ${name}\n`)
    const [own = ''] = section.split('\n### ')
    expect(own, name).toContain(operation.summary)
    for (const { long } of readInputs(operation).flags) expect(own, name).toContain(`--${long}`)
    for (const { long } of readInputs(operation).positionals)
      expect(own, name).toContain(`\`${long}\``)
    if (tool !== undefined) expect(PAGE).toContain(`\n### ${tool}\n`)
  }
  for (const code of ERROR_CODES) expect(PAGE).toContain(`| \`${code}\` |`)
})

const READ_BY_US = /'((?:DOSSIER|ANTHROPIC|OPENAI|XDG)_[A-Z_]+)'|\benv\['([A-Z_]+)'\]/g
/** Read to start programs and set for them; nobody sets these for dossier. */
const NOT_OURS = ['PATH', 'PWD']

test('C11 the reference names every environment variable of the source, and no other', () => {
  const src = join(PROJECT, 'src')
  const text = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((it) => it.endsWith('.ts'))
    .map((it) => readFileSync(join(src, it), 'utf8'))
    .join('\n')
  const found = new Set(
    [...text.matchAll(READ_BY_US)].map(([, name, other]) => name ?? other ?? ''),
  )
  for (const name of NOT_OURS) found.delete(name)
  expect([...found].filter((it) => !Object.hasOwn(VARIABLES, it))).toEqual([])
  expect(Object.keys(VARIABLES).filter((it) => !text.includes(it))).toEqual([])
})
