/** Writes docs/reference.md. `npm run docs` runs it; a test fails when the page is stale. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildReference } from './reference/page.ts'

const file = join(import.meta.dirname, '..', 'docs', 'reference.md')
writeFileSync(file, await buildReference())
