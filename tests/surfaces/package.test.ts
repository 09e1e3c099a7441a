/** What a user gets: the tarball, installed in an empty folder. */
import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeCorpus } from './support/corpus.ts'
import { folderWith, GUIDE, newFolder, removeFolder, write } from './support/folder.ts'
import {
  type BuildJson,
  ENVIRONMENT,
  type Finished,
  json,
  PROJECT,
  type RunOptions,
  start,
} from './support/program.ts'

const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  version: string
}

/** All that a build reads. */
const WANTED = /\.(?:json|config\.ts|md)$|^src$|^docs$/

let top = ''
let installed = ''

/** Packed from a copy, so that a build does not get in the way of other tests. */
beforeAll(async () => {
  top = newFolder()
  const copy = join(top, 'copy')
  for (const name of readdirSync(PROJECT).filter((it) => WANTED.test(it))) {
    cpSync(join(PROJECT, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'))
  await expectDone('npm run build', copy)
  await expectDone(`npm pack --ignore-scripts --pack-destination '${top}'`, copy)
  const tarball = readdirSync(top).find((it) => it.endsWith('.tgz')) ?? ''
  installed = join(top, 'installed')
  write(installed, { 'package.json': '{ "private": true }' })
  const flags = '--no-audit --no-fund --prefer-offline'
  await expectDone(`npm install ${flags} '${join(top, tarball)}'`, installed)
}, 120_000)

afterAll(() => removeFolder(top))

async function expectDone(command: string, cwd: string): Promise<void> {
  const options = { cwd, env: npmEnvironment(), timeoutMs: 100_000 }
  const done = await start(['bash', '-c', command], options).finished
  expect(done, `${command}\n${done.stdout}\n${done.stderr}`).toMatchObject({ status: 0 })
}

/** As npm is set up on this machine (cache, registry, proxy), without what `npx` says of itself. */
function npmEnvironment(): Readonly<Record<string, string>> {
  const kept = Object.entries(process.env).flatMap(([key, value]) =>
    value === undefined || /^npm_(?!config_(?:cache|registry|userconfig|cafile)$)/.test(key)
      ? []
      : [[key, value] as const],
  )
  return { ...Object.fromEntries(kept), PATH: ENVIRONMENT['PATH'] ?? '' }
}

function run(args: readonly string[], options: RunOptions): Promise<Finished> {
  return start([join(installed, 'node_modules', '.bin', 'dossier'), ...args], options).finished
}

describe('C5 the installed package', () => {
  test('holds what it needs and no sources or tests', () => {
    const at = join(installed, 'node_modules', 'dossier')
    const files = readdirSync(at, { recursive: true, encoding: 'utf8' })
    expect(files).toContain('dist/bin/main.js')
    expect(files).toContain('dist/library/index.js')
    expect(files).toContain('dist/library/index.d.ts')
    expect(files).toContain('dist/bin/worker.js')
    expect(files).toContain('dist/o200k.bin')
    expect(files.filter((it) => /^src|(?:^|\/)tests?\/|\.test\./.test(it))).toEqual([])
  })

  test('has a dossier that says its version and its help', async () => {
    const said = await run(['--version'], { cwd: installed })
    expect(said).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
    const help = await run(['ctx', 'search', '--help'], { cwd: installed })
    expect(help).toMatchObject({ status: 0, stderr: '' })
    expect(help.stdout).toContain('Examples:')
  })

  test('syncs, searches, reads, validates and counts', async () => {
    const folder = folderWith({ 'docs/README.md': GUIDE })
    const options = { cwd: folder }
    expect((await run(['ctx', 'sync', '-s', 'docs'], options)).status).toBe(0)
    const found = await run(['ctx', 'search', '-s', 'docs', '-q', 'title path', '--json'], options)
    const id = json<{ hits: readonly { id: string }[] }>(found).hits[0]?.id ?? ''
    const got = await run(['ctx', 'get', '-s', 'docs', '--ids', id], options)
    expect(got).toMatchObject({ status: 0, stderr: '' })
    expect(got.stdout).toContain('A title path names a section')
    expect((await run(['ctx', 'validate', '-s', 'docs'], options)).status).toBe(0)
    expect((await run(['ctx', 'stats', '-s', 'docs'], options)).stdout).toContain('2 chunks')
    expect((await run(['ctx', 'prompt', '-s', 'docs'], options)).stdout).toContain('## Index')
    const missing = await run(['ctx', 'sync', '-s', 'nowhere'], options)
    expect(missing).toMatchObject({ status: 2, stdout: '' })
    expect(missing.stderr).toContain('POC_E_SEGMENT_MISSING')
  })

  test('reads a large folder in its threads', async () => {
    const folder = folderWith({})
    writeCorpus(folder, { files: 60, bytesPerFile: 90_000 })
    const done = await run(['ctx', 'sync', '--json', '--quiet'], { cwd: folder })
    expect(done, done.stderr).toMatchObject({ status: 0, stderr: '' })
    expect(json<BuildJson>(done)).toMatchObject({ documents: 60, diagnostics: [] })
    expect((await run(['ctx', 'validate'], { cwd: folder })).status).toBe(0)
  })

  test('serves MCP to a client that goes away at once', async () => {
    const folder = folderWith({ 'docs/README.md': GUIDE })
    await run(['ctx', 'sync', '-s', 'docs'], { cwd: folder })
    expect(await run(['mcp', '-s', 'docs'], { cwd: folder })).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    })
  })

  test('can be imported as a library', () => {
    const script = join(installed, 'use.mjs')
    writeFileSync(script, `import * as it from 'dossier'\nconsole.log(Object.keys(it).length)\n`)
    const done = spawnSync(process.execPath, [script], { encoding: 'utf8' })
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(Number(done.stdout)).toBeGreaterThan(0)
  })

  test('A4 has types under which a strict consumer of every name compiles and runs', () => {
    const { folder, said } = compiled('consumer', CONSUMER)
    expect(said).toBe('')
    write(folder, { 'docs/guide.md': GUIDE })
    const done = spawnSync(process.execPath, ['use.js'], { cwd: folder, encoding: 'utf8' })
    expect(done).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(done.stdout)).toEqual({
      chunks: 2,
      title: 'Guide → Title path',
      own: 'guide',
      code: 'POC_E_CHUNK_UNKNOWN',
      sections: 2,
      canonical: true,
    })
  })

  test('A4 has types that refuse what an operation does not take', () => {
    const wrong = `import { ask } from 'dossier'\nawait ask('ctx search', { query: 7 })\n`
    expect(compiled('mistaken', wrong).said).toMatch(/^use\.ts\(2,27\): error TS2322/)
  })
})

describe('C9 after the steps of the quick start', () => {
  const quickStart = readFileSync(join(PROJECT, 'docs', 'quick-start.md'), 'utf8')
  const server = readFileSync(join(PROJECT, 'docs', 'mcp.md'), 'utf8')

  test('C9 there is a dossier in any folder, whatever Node is installed', async () => {
    const [line = ''] = /^alias dossier=.*$/m.exec(quickStart) ?? []
    const elsewhere = folderWith({})
    const script = `shopt -s expand_aliases\ncd '${join(top, 'copy')}'\n${line}\ncd '${elsewhere}'\ndossier --version`
    const done = start(['/bin/bash', '-c', script], { cwd: elsewhere, env: { PATH: '/nowhere' } })
    expect(await done.finished).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('C9 the server that docs/mcp.md configures starts in any folder', async () => {
    const [line = ''] = /^\{ "mcpServers".*$/m.exec(server) ?? []
    const elsewhere = folderWith({})
    const repository = folderWith({ 'docs/README.md': GUIDE })
    const config = line
      .replaceAll('/path/to/dossier', join(top, 'copy'))
      .replaceAll('/path/to/repository', repository)
    const { mcpServers } = JSON.parse(config) as {
      mcpServers: Record<string, { command: string; args: readonly string[] }>
    }
    for (const { command, args } of Object.values(mcpServers)) {
      const env = { PATH: '/nowhere' }
      const done = start([command, ...args], { cwd: elsewhere, env })
      expect(await done.finished).toMatchObject({ status: 0, stdout: '', stderr: '' })
    }
  })
})

/** A program beside the package, as the real compiler takes it where nothing is let pass. */
function compiled(
  name: string,
  source: string,
): { readonly folder: string; readonly said: string } {
  const folder = join(installed, name)
  write(folder, { 'package.json': '{ "type": "module" }', 'use.ts': source })
  const tsc = join(PROJECT, 'node_modules', '.bin', 'tsc')
  const flags = ['--module', 'nodenext', '--target', 'es2024', '--strict', '--pretty', 'false']
  const done = spawnSync(process.execPath, [tsc, ...flags, 'use.ts'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { folder, said: `${done.stdout}${done.stderr}` }
}

/** Every name that the package gives, each used as its type says. */
const CONSUMER = `
import {
  ask,
  canonicalDocsPack,
  chunkMarkdown,
  EngineError,
  ERROR_CODES,
  generateChunkId,
  type AskOptions,
  type DocsPack,
  type ErrorCode,
  type Input,
  type OperationName,
  type Output,
} from 'dossier'

const options: AskOptions = { onNotice: (text: string) => { throw new Error(text) } }
const synced: Output<'ctx build'> = await ask('ctx build', { segment: 'docs' }, options)
const chunks: number = synced.chunks
const input: Input<'ctx search'> = { segment: 'docs', query: 'title path' }
const { hits } = await ask('ctx search', input, options)
const title: string = hits[0]?.title ?? ''
const own: string | undefined = generateChunkId('guide', ['Guide'], '# Guide').split(':')[0]

async function codeOf(name: OperationName): Promise<ErrorCode | undefined> {
  try {
    await ask(name, { segment: 'docs', ids: ['guide:0000000000'] }, options)
  } catch (error) {
    if (error instanceof EngineError && ERROR_CODES.includes(error.code)) return error.code
    throw error
  }
  return undefined
}

const sections = chunkMarkdown('# One\\n\\ntext\\n\\n# Two\\n', { max: 100, size: (text: string) => text.length })
const empty: DocsPack = {
  schema_version: 1,
  segment: 'docs',
  created_at: '2026-01-31T12:00:00Z',
  generator_version: '1',
  source_files: [],
  chunking: { method: 'headings', max_chars: 100 },
  docs: [],
  digest: [],
  index: [],
  chunks: [],
}
console.log(JSON.stringify({
  chunks,
  title,
  own,
  code: await codeOf('ctx get'),
  sections: sections.length,
  canonical: canonicalDocsPack(empty).includes('headings'),
}))
`
