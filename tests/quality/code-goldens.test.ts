/**
 * Sources in, carets out: what the index makes of each language. A change of a drawing is a change
 * of what people get; `npx vitest run tests/quality/code-goldens.test.ts -u` draws them anew.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LANGUAGES } from '../../src/sources/code/languages.ts'
import { carets } from '../support/carets.ts'

const FOLDER = join(import.meta.dirname, '..', 'golden', 'code')
const NAMES = readdirSync(FOLDER, { withFileTypes: true })
  .filter((it) => it.isDirectory())
  .map((it) => it.name)

test.each(NAMES)('L2 definitions, references and edges of %s', async (name) => {
  const folder = join(FOLDER, name)
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name))
  const texts = new Map(
    paths.map((path) => [
      path.slice(folder.length + 1).replaceAll('\\', '/'),
      readFileSync(path, 'utf8'),
    ]),
  )
  await expect(await carets(texts)).toMatchFileSnapshot(join(FOLDER, `${name}.carets.txt`))
})

test('L2 every language has a drawing', () => {
  expect(LANGUAGES.map((it) => it.id).filter((id) => !NAMES.includes(id))).toEqual([])
})
