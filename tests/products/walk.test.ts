/** What gets into a pack and what does not: B6. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { build, readPack } from '../support/pack.ts'
import { onDisk, temporaryFolder, writeFile } from '../support/project.ts'
import { quietWorld } from '../support/world.ts'

async function packed(folder: string): Promise<readonly string[]> {
  await build(quietWorld(folder))
  return readPack(folder).docs.map((it) => it.file)
}

describe('B6 other segments', () => {
  test('B6 a folder with a _ctx of its own is left out, whole', async () => {
    const folder = onDisk(`
//- a.md
# A
//- _ctx/own.md
# Own
//- nested/b.md
# B
//- nested/_ctx/prime.md
# Prime
//- nested/deeper/c.md
# C
//- plain/d.md
# D
`)
    expect(await packed(folder)).toEqual(['_ctx/own.md', 'a.md', 'plain/d.md'])
  })

  test('B6 a file called _ctx makes no segment', async () => {
    expect(await packed(onDisk('//- sub/_ctx\nfile\n//- sub/a.md\n# A\n'))).toEqual(['sub/a.md'])
  })

  test('B6 two segments of one repository share nothing', async () => {
    const folder = onDisk('//- one/a.md\n# A\n\nalpha\n//- two/b.md\n# B\n\nbeta\n')
    await build(quietWorld(folder), { segment: 'one' })
    await build(quietWorld(folder), { segment: 'two' })
    expect(readPack(join(folder, 'one'))).toMatchObject({
      segment: 'one',
      source_files: [{ path: 'one/a.md' }],
      docs: [{ file: 'a.md' }],
    })
    expect(readPack(join(folder, 'two')).source_files.map((it) => it.path)).toEqual(['two/b.md'])
  })

  test('B6 a segment must lie inside the repository', async () => {
    const folder = onDisk('//- in/a.md\n# A\n//- out/b.md\n# B\n')
    const outside = build(quietWorld(folder), { segment: '../out', repoRoot: 'in' })
    await expect(outside).rejects.toMatchObject({ code: 'POC_E_SEGMENT_OUTSIDE_ROOT' })
    const missing = build(quietWorld(folder), { segment: 'inn' })
    await expect(missing).rejects.toMatchObject({
      code: 'POC_E_SEGMENT_MISSING',
      hint: 'did you mean in?',
    })
  })
})

describe('B6 ignored files', () => {
  test('B6 .gitignore at every level, deeper rules before higher ones', async () => {
    const folder = onDisk(`
//- .gitignore
drafts/
*.tmp.md
/top.md
!keep.tmp.md
//- a.md
# A
//- b.tmp.md
# B
//- keep.tmp.md
# Keep
//- top.md
# Top
//- sub/top.md
# Not the top
//- drafts/c.md
# C
//- sub/.gitignore
/local.md
!again.tmp.md
//- sub/local.md
# Local
//- sub/again.tmp.md
# Again
//- sub/deep/local.md
# Deep
`)
    expect(await packed(folder)).toEqual([
      'a.md',
      'keep.tmp.md',
      'sub/again.tmp.md',
      'sub/deep/local.md',
      'sub/top.md',
    ])
  })

  test('B6 an ignored folder is never entered, whatever its own rules say', async () => {
    const folder = onDisk(`
//- .gitignore
build/
//- build/.gitignore
!a.md
//- build/a.md
# A
//- b.md
# B
`)
    expect(await packed(folder)).toEqual(['b.md'])
  })

  test('B6 .dossierignore leaves out and takes back in', async () => {
    const folder = onDisk(`
//- .gitignore
generated/*
//- .dossierignore
secret.md
!generated/api.md
//- a.md
# A
//- secret.md
# Secret
//- generated/api.md
# API
//- generated/other.md
# Other
`)
    expect(await packed(folder)).toEqual(['a.md', 'generated/api.md'])
  })

  test('B6 rules above the segment count, up to the top of the repository', async () => {
    const folder = onDisk(`
//- .git/HEAD
ref: refs/heads/main
//- .gitignore
*.private.md
docs/old/
//- docs/a.md
# A
//- docs/b.private.md
# B
//- docs/old/c.md
# C
`)
    await build(quietWorld(folder), { segment: 'docs' })
    expect(readPack(join(folder, 'docs')).docs.map((it) => it.file)).toEqual(['a.md'])
  })

  test('B6 whoever names an ignored folder wants it', async () => {
    const folder = onDisk('//- .git/HEAD\nx\n//- .gitignore\nbuild/\n//- build/a.md\n# A\n')
    await build(quietWorld(folder), { segment: 'build' })
    expect(readPack(join(folder, 'build')).docs.map((it) => it.file)).toEqual(['a.md'])
  })

  test('B6 some folders are never looked into', async () => {
    const folder = onDisk(`
//- a.md
# A
//- node_modules/p/README.md
# P
//- .git/x.md
# X
//- .dossier/y.md
# Y
//- .hidden/z.md
# Z
`)
    expect(await packed(folder)).toEqual(['.hidden/z.md', 'a.md'])
  })
})

describe('B6 links', () => {
  test('B6 nothing behind a symbolic link gets in, and the links are named', async () => {
    const outside = temporaryFolder()
    writeFile(outside, 'secret.md', '# Secret\n')
    const folder = onDisk('//- a.md\n# A\n//- sub/b.md\n# B\n')
    symlinkSync(join(outside, 'secret.md'), join(folder, 'link.md'))
    symlinkSync(outside, join(folder, 'linked'))
    symlinkSync('..', join(folder, 'sub', 'loop'))
    symlinkSync('nowhere', join(folder, 'dangling.md'))
    symlinkSync(join(outside, 'secret.md'), join(folder, 'unwanted.txt'))
    const report = await build(quietWorld(folder))
    expect(readPack(folder).docs.map((it) => it.file)).toEqual(['a.md', 'sub/b.md'])
    expect(report.diagnostics.map((it) => [it.code, it.path])).toEqual([
      ['link', 'dangling.md'],
      ['link', 'link.md'],
      ['link', 'linked'],
      ['link', 'sub/loop'],
    ])
  })

  test('B6 a linked ignore file is not read, nor one that is a folder', async () => {
    const folder = onDisk('//- a.md\n# A\n//- rules\n*.md\n//- sub/.gitignore/x\nx\n')
    symlinkSync('rules', join(folder, '.gitignore'))
    expect(await packed(folder)).toEqual(['a.md'])
  })
})

describe('B6 names', () => {
  test('B6 .md and .markdown in any case, and nothing else', async () => {
    const folder = onDisk('//- a.md\nx\n//- b.MARKDOWN\nx\n//- c.mdx\nx\n//- d.txt\nx\n//- md\nx\n')
    expect(await packed(folder)).toEqual(['a.md', 'b.MARKDOWN'])
  })

  test('B6 spaces, quotes and other letters', async () => {
    const folder = onDisk(`//- it's a "file" 数据 🎉.md\n# A\n//- -dash.md\n# B\n`)
    expect(await packed(folder)).toEqual(['-dash.md', `it's a "file" 数据 🎉.md`])
  })
})
