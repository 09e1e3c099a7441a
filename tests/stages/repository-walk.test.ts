/** The files of a repository, by a walk (W1) and one path at a time (W3). */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { realFiles } from '../../src/platform/files.ts'
import {
  pathCheck,
  type RepositoryOptions,
  walkRepository,
} from '../../src/sources/repository-walk.ts'
import { listing, onDisk, temporaryFolder, withFolder, writeFile } from '../support/project.ts'
import { runs } from '../support/property.ts'

type Options = RepositoryOptions & { readonly under?: string }

function found(folder: string, options: Options = {}): readonly string[] {
  return walkRepository(realFiles, folder, options).files.map((it) => it.path)
}

function repository(text: string): string {
  const folder = onDisk(text)
  mkdirSync(join(folder, '.git'))
  return folder
}

/** Trees with ignore files at every level, made of few names, so that rules do hit. */
const NAMES = ['a', 'b', 'c.ts', 'd.log', 'Build', 'build', 'node_modules', 'x y', '[z]']
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 })
const piece = fc.constantFrom(
  ...NAMES,
  '*',
  '**',
  '*.log',
  '?',
  'bu*',
  '[ab]',
  '[!a]',
  'x\\ y',
  '\\[z]',
  '*.*',
)
const line = fc
  .record({
    not: fc.constantFrom('', '', '!'),
    root: fc.constantFrom('', '', '/'),
    pieces: fc.oneof(fc.tuple(piece), fc.array(piece, { minLength: 1, maxLength: 3 })),
    end: fc.constantFrom('', '', '/', '/ ', '  '),
  })
  .map((it) => it.not + it.root + it.pieces.join('/') + it.end)
const tree = fc.record({
  files: fc.array(path, { minLength: 1, maxLength: 14 }),
  rules: fc.array(
    fc.record({
      at: fc.nat(13),
      depth: fc.nat(3),
      name: fc.constantFrom('.gitignore', '.gitignore', '.dossierignore'),
      lines: fc.array(fc.oneof(line, line, fc.constantFrom('# note', '')), { maxLength: 6 }),
    }),
    { maxLength: 4 },
  ),
})

type Tree = typeof tree extends fc.Arbitrary<infer T> ? T : never

/** A path that would need a file to be a folder is left out of the tree. */
function plant(folder: string, it: Tree, names: readonly string[]): void {
  for (const parts of it.files) attempt(() => writeFile(folder, parts.join('/'), 'text\n'))
  for (const rule of it.rules) {
    if (!names.includes(rule.name)) continue
    const parts = it.files[rule.at % it.files.length] ?? []
    const way = parts.slice(0, Math.min(rule.depth, parts.length - 1))
    attempt(() => writeFile(folder, [...way, rule.name].join('/'), rule.lines.join('\n')))
  }
}

function attempt(action: () => void): void {
  try {
    action()
  } catch (error) {
    if (!/EEXIST|ENOTDIR|EISDIR/.test(String(error))) throw error
  }
}

describe('W1 the walk', () => {
  test('W1 finds what git would add, for any ignore files', async () => {
    await fc.assert(
      fc.asyncProperty(tree, (it) =>
        withFolder(async (folder) => {
          const git = (...args: readonly string[]): string =>
            execFileSync(
              'git',
              ['-c', 'core.ignorecase=false', '-c', 'core.excludesFile=', ...args],
              {
                cwd: folder,
                encoding: 'utf8',
              },
            )
          git('init', '-q')
          plant(folder, it, ['.gitignore'])
          const listed = git('ls-files', '-z', '--others', '--exclude-standard').split('\0')
          const wanted = listed.filter((one) => one !== '' && !/(^|\/)node_modules\//.test(one))
          expect(found(folder)).toEqual(wanted.toSorted())
        }),
      ),
      runs(150),
    )
  })

  test('W1 a folder may be named from where one stands, with the same rules above it', () => {
    const folder = repository(`
//- .gitignore
*.log
/x/y/left-out.ts
//- x/y/a.ts
x
//- x/y/b.log
x
//- x/y/left-out.ts
x
`)
    for (const place of ['', 'x', 'x/y']) {
      const top = join(folder, place)
      const near = relative(process.cwd(), top)
      expect(near).toMatch(/^\.\./)
      expect(found(near, { exclude: ['z'] })).toEqual(found(top))
      expect(pathCheck(realFiles, near).check('b.log')).toEqual(
        pathCheck(realFiles, top).check('b.log'),
      )
    }
    expect(found(join(folder, 'x/y'))).toEqual(['a.ts'])
    // The rules of the place that one stands in are no rules of another.
    const elsewhere = onDisk('//- a.ts\nx\n//- coverage/b.tmp.ts\nx\n')
    expect(found(relative(process.cwd(), elsewhere))).toEqual(found(elsewhere))
  })

  test.each(['..', '../z', 'y/..', './y', 'y/../../z'])('W1 %s is nowhere in a folder', (under) => {
    const folder = repository('//- .gitignore\n*.log\n//- x/y/a.ts\nx\n//- z/a.ts\nx\n')
    expect(found(join(folder, 'x'), { under })).toEqual([])
    const verdict = pathCheck(realFiles, join(folder, 'x'), { exclude: ['b'] }).check(under)
    expect(verdict).toEqual({ kind: 'left-out', reason: 'missing' })
  })

  test('W1 a file in a folder that a deeper rule took back in', () => {
    const folder = repository(`
//- .gitignore
b
//- a/.gitignore
!b
//- a/b/kept.ts
x
//- b/left-out.ts
x
`)
    expect(found(folder)).toEqual(['.gitignore', 'a/.gitignore', 'a/b/kept.ts'])
  })

  test('W1 all kinds of files, hidden ones too; version control, packages and own data never', () => {
    const folder = onDisk(`
//- .github/ci.yml
x
//- Makefile
x
//- src/a.rs
x
//- node_modules/p/index.js
x
//- src/node_modules/p/index.js
x
//- .git/config
x
//- .dossier/index
x
//- sub/.git
gitdir: elsewhere
`)
    expect(found(folder)).toEqual(['.github/ci.yml', 'Makefile', 'src/a.rs'])
  })

  test('W1 names, sizes and times are those of the disk, in code-unit order', () => {
    const folder = onDisk('//- a/x.ts\n12345\n//- a.ts\nx\n//- a-b/x.ts\nx\n//- B.ts\nx\n')
    const { files } = walkRepository(realFiles, folder)
    expect(files.map((it) => it.path)).toEqual(['B.ts', 'a-b/x.ts', 'a.ts', 'a/x.ts'])
    const stat = realFiles.stat(join(folder, 'a/x.ts'))
    expect(files.at(-1)).toEqual({ path: 'a/x.ts', size: 6, mtimeMs: stat.mtimeMs })
  })

  test('W1 include narrows, exclude takes away, and neither brings back what is ignored', () => {
    const folder = repository(`
//- .gitignore
*.log
//- src/a.ts
x
//- src/a.test.ts
x
//- src/gen/b.ts
x
//- docs/a.md
x
//- src/x.log
x
`)
    expect(found(folder, { include: ['src/', '*.log'] })).toEqual([
      'src/a.test.ts',
      'src/a.ts',
      'src/gen/b.ts',
    ])
    const options = { include: ['*.ts'], exclude: ['gen/', '*.test.ts', '!x.log'] }
    const walked = walkRepository(realFiles, folder, options)
    expect(walked.files.map((it) => it.path)).toEqual(['src/a.ts'])
    expect(walked.skippedFolders).toEqual([{ path: 'src/gen', reason: 'excluded' }])
  })

  test('W1 a .dossierignore takes back what git ignores', () => {
    const folder = repository(
      '//- .gitignore\nlocal/\n//- .dossierignore\n!local/\n//- local/a.md\nx\n',
    )
    expect(found(folder)).toContain('local/a.md')
  })

  const BUILT = `
//- Cargo.toml
x
//- target/debug/a.txt
x
//- docs/target/a.txt
x
//- web/package.json
x
//- web/dist/a.js
x
//- dist/a.js
x
//- venv/pyvenv.cfg
x
//- lib/venv/main.py
x
//- p/__pycache__/a.txt
x
//- build/a.sh
x
//- vendor/a.c
x
`
  test('W1 without a repository, what tools build is left out by name and evidence', () => {
    const walked = walkRepository(realFiles, onDisk(BUILT))
    expect(walked.files.map((it) => it.path)).toEqual([
      'Cargo.toml',
      'build/a.sh',
      'dist/a.js',
      'docs/target/a.txt',
      'lib/venv/main.py',
      'vendor/a.c',
      'web/package.json',
    ])
    expect(walked.skippedFolders.map((it) => it.path)).toEqual([
      'p/__pycache__',
      'target',
      'venv',
      'web/dist',
    ])
  })

  test('W1 in a repository its ignore files alone decide', () => {
    const walked = walkRepository(realFiles, repository(`${BUILT}//- .gitignore\n/web/dist\n`))
    expect(walked.files.map((it) => it.path)).toContain('target/debug/a.txt')
    expect(walked.skippedFolders).toEqual([{ path: 'web/dist', reason: 'ignored' }])
  })

  test('W1 what path and size speak against is told apart', () => {
    const folder = onDisk('//- a.ts\nx\n//- big.txt\n0123456789\n//- yarn.lock\nx\n//- a.png\nx\n')
    const walked = walkRepository(realFiles, folder, { maxFileBytes: 5 })
    expect(walked.files.map((it) => it.path)).toEqual(['a.ts'])
    expect(walked.skippedFiles).toEqual([
      { path: 'a.png', reason: 'binary', message: '.png files are no text; left out' },
      { path: 'big.txt', reason: 'too-large', message: 'is over 5 bytes; left out' },
      { path: 'yarn.lock', reason: 'generated', message: 'is a lock file; left out' },
    ])
  })

  test('W1 links are told and never followed', () => {
    const folder = onDisk('//- a.ts\nx\n//- real/b.ts\nx\n')
    const outside = onDisk('//- secret.ts\nx\n')
    symlinkSync(outside, join(folder, 'out'))
    symlinkSync(folder, join(folder, 'real/loop'))
    symlinkSync('a.ts', join(folder, 'c.ts'))
    const walked = walkRepository(realFiles, folder)
    expect(walked.files.map((it) => it.path)).toEqual(['a.ts', 'real/b.ts'])
    expect(walked.diagnostics.map((it) => `${it.code} ${it.path}`)).toEqual([
      'link c.ts',
      'link out',
      'link real/loop',
    ])
  })

  test.skipIf(process.platform !== 'linux')('W1 names that are no names are told', () => {
    const folder = onDisk('//- a.ts\nx\n')
    writeFileSync(join(folder, 'two\nlines.ts'), 'x')
    writeFile(folder, 'bad\tfolder/b.ts', 'x')
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0x66, 0xff)]), 'x')
    mkdirSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0x67, 0xfe)]))
    const walked = walkRepository(realFiles, folder)
    expect(walked.files.map((it) => it.path)).toEqual(['a.ts'])
    expect(walked.diagnostics).toEqual([
      {
        code: 'unreadable',
        path: 'bad\tfolder',
        message: 'its name contains control characters; left out',
      },
      { code: 'unreadable', path: 'f\uFFFD', message: 'its name is not valid UTF-8; left out' },
      { code: 'unreadable', path: 'g\uFFFD', message: 'its name is not valid UTF-8; left out' },
      {
        code: 'unreadable',
        path: 'two\nlines.ts',
        message: 'its name contains control characters; left out',
      },
    ])
  })
})

describe('W3 one path at a time', () => {
  const options = fc.record(
    {
      include: fc.array(line, { maxLength: 2 }),
      exclude: fc.array(line, { maxLength: 2 }),
      maxFileBytes: fc.constantFrom(3, 100),
    },
    { requiredKeys: [] },
  )

  test('W3 agrees with the walk, for every path there is and for some that are not', async () => {
    await fc.assert(
      fc.asyncProperty(tree, options, fc.boolean(), (it, chosen, isRepository) =>
        withFolder(async (folder) => {
          if (isRepository) mkdirSync(join(folder, '.git'))
          // Below the top of a repository, so that rules above it play their part.
          plant(folder, it, ['.gitignore', '.dossierignore'])
          for (const top of [folder, join(folder, 'a')]) {
            if (!attemptIs(() => realFiles.list(top))) continue
            const there = listing(top).map((one) => one.replace(/\/$/, ''))
            attempt(() => symlinkSync(folder, join(top, 'link')))
            const wanted = new Map(
              walkRepository(realFiles, top, chosen).files.map((file) => [file.path, file]),
            )
            const check = pathCheck(realFiles, top, chosen)
            const paths = [...there, 'link', 'link/a', 'no/such']
            const agreed = paths.flatMap((one) => {
              const verdict = check.check(one)
              return verdict.kind === 'file' ? [verdict.file] : []
            })
            expect(new Map(agreed.map((file) => [file.path, file]))).toEqual(wanted)
            rmSync(join(top, 'link'), { force: true })
          }
        }),
      ),
      runs(150),
    )
  })

  test('W3 a folder is entered exactly if a walk from there finds what the whole walk finds', async () => {
    await fc.assert(
      fc.asyncProperty(tree, options, (it, chosen) =>
        withFolder(async (folder) => {
          plant(folder, it, ['.gitignore', '.dossierignore'])
          const all = found(folder, chosen)
          const check = pathCheck(realFiles, folder, chosen)
          for (const one of listing(folder).filter((name) => name.endsWith('/'))) {
            const under = one.slice(0, -1)
            const below = all.filter((file) => file.startsWith(one))
            expect(found(folder, { ...chosen, under })).toEqual(below)
            if (check.check(under).kind !== 'folder') expect(below).toEqual([])
          }
        }),
      ),
      runs(60),
    )
  })

  test('W3 keeps the rules it read until it is told to forget', () => {
    const folder = repository('//- src/a.ts\nx\n')
    const check = pathCheck(realFiles, folder)
    expect(check.check('src/a.ts').kind).toBe('file')
    writeFile(folder, 'src/.gitignore', '*.ts\n')
    expect(check.check('src/a.ts').kind).toBe('file')
    expect(check.changesRules('src/.gitignore')).toBe(true)
    expect(check.changesRules('src/a.ts')).toBe(false)
    check.forget()
    expect(check.check('src/a.ts')).toEqual({ kind: 'left-out', reason: 'ignored' })
  })

  test('W3 a folder that went and came back has the rules it has now', () => {
    const folder = repository('//- sub/.gitignore\n*.log\n//- sub/in/a.log\nx\n')
    const check = pathCheck(realFiles, folder)
    expect(check.check('sub/in/a.log').kind).toBe('left-out')
    rmSync(join(folder, 'sub'), { recursive: true })
    expect(check.check('sub')).toEqual({ kind: 'left-out', reason: 'missing' })
    writeFile(folder, 'sub/in/a.log', 'x')
    expect(check.check('sub/in/a.log').kind).toBe('file')
  })

  test('W3 works through a top that is a link', () => {
    const folder = repository('//- src/a.ts\nx\n//- .gitignore\n*.log\n//- b.log\nx\n')
    const link = join(temporaryFolder(), 'link')
    symlinkSync(folder, link)
    const check = pathCheck(realFiles, link)
    expect(check.check('src/a.ts').kind).toBe('file')
    expect(check.check('b.log').kind).toBe('left-out')
    expect(found(link)).toEqual(['.gitignore', 'src/a.ts'])
  })
})

function attemptIs(action: () => unknown): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}
