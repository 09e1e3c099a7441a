/** Unified diffs become changes of files, and lines are followed from one state to the next. */
import { createTwoFilesPatch } from 'diff'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FileChange } from '../../src/model/repository-diff.ts'
import { followLine, undoEdits } from '../../src/sources/git/line-drift.ts'
import { parseDiff } from '../../src/sources/git/parse-patch.ts'
import { runs } from '../support/property.ts'

function changesIn(text: string): readonly FileChange[] {
  return (parseDiff(text).files ?? []).map((it) => it.change)
}

describe('DF7 what a diff says of files', () => {
  test('DF7 names, modes, renames, bytes and line ends are read as git writes them', () => {
    const found = changesIn(
      [
        'diff --git a/b.bin b/b.bin',
        'index bdc955b..8835708 100644',
        'Binary files a/b.bin and b/b.bin differ',
        'diff --git a/whole.bin b/whole.bin',
        'GIT binary patch',
        'literal 2',
        'Jcmb',
        '',
        'diff --git a/mode.sh b/mode.sh',
        'old mode 100644',
        'new mode 100755',
        'diff --git a/old.txt b/new name.txt',
        'similarity index 90%',
        'rename from old.txt',
        'rename to new name.txt',
        '--- a/old.txt',
        '+++ b/new name.txt\t',
        '@@ -2,0 +3 @@ x',
        '+third\r',
        'diff --git "a/q\\"uo\\\\te.txt" "b/q\\"uo\\\\te.txt"',
        '--- "a/q\\"uo\\\\te.txt"',
        '+++ "b/q\\"uo\\\\te.txt"',
        '@@ -1 +1 @@',
        '-q',
        '+qq',
        '\\ No newline at end of file',
        'diff --git a/touched.txt b/touched.txt',
        'diff --git a/gone.txt b/gone.txt',
        'deleted file mode 100644',
        '--- a/gone.txt',
        '+++ /dev/null',
        '@@ -1,2 +0,0 @@',
        '-one',
        '--- two',
        '',
      ].join('\n'),
    )
    expect(found.map(({ path, status, isBinary }) => [path, status, isBinary])).toEqual([
      ['b.bin', 'modified', true],
      ['gone.txt', 'deleted', false],
      ['mode.sh', 'modified', false],
      ['new name.txt', 'renamed', false],
      ['q"uo\\te.txt', 'modified', false],
      ['whole.bin', 'modified', true],
    ])
    expect(found[1]?.edits).toEqual([
      { oldStart: 1, newStart: 1, removed: ['one', '-- two'], added: [] },
    ])
    expect(found[2]?.modes).toEqual({ before: '100644', after: '100755' })
    expect(found[3]).toMatchObject({
      oldPath: 'old.txt',
      edits: [{ oldStart: 3, newStart: 3, removed: [], added: ['third\r'] }],
    })
  })

  test('DF7 a mail of git, and a diff of another program', () => {
    const hunk = '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'
    const mail = `From 1 Mon\nSubject: x\n\n---\n a | 2 +-\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n${hunk}-- \n2.39.0\n\n`
    const edits = [{ oldStart: 2, newStart: 2, removed: ['b'], added: ['B'] }]
    expect(changesIn(mail)).toMatchObject([{ path: 'a', edits }])
    expect(changesIn(`--- src/a.c\t2024-01-01\n+++ src/a.c\t2024-01-02\n${hunk}`)).toMatchObject([
      { path: 'src/a.c', status: 'modified', edits },
    ])
  })

  test('DF8 what is no diff has a reason', () => {
    for (const text of [
      'hello\nworld\n',
      '--- a/x\n+++ b/x\n@@ -1,3 +1 @@\n-a\n',
      '@@ -1 +1 @@\n-a\n+b\n',
    ])
      expect(parseDiff(text).why, text).toMatch(/\S/)
    expect(changesIn('')).toEqual([])
  })
})

const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '-', '+ x', '@@ -1 +1 @@', '\\'), {
  maxLength: 12,
})

test('DF9 edits lead from each state to the other, line by line, with any context', () => {
  fc.assert(
    fc.property(text, text, fc.nat(3), (before, after, context) => {
      const [old, now] = [before, after].map((lines) => lines.map((it) => `${it}\n`).join(''))
      const patch = createTwoFilesPatch('a/x', 'b/x', old ?? '', now ?? '', '', '', { context })
      const [change] = changesIn(patch)
      const edits = change?.edits ?? []
      expect(undoEdits(after, edits)).toEqual(before)
      for (const [at, line] of before.entries()) {
        const moved = followLine(at + 1, edits)
        if (moved !== undefined) expect(after[moved - 1]).toBe(line)
      }
      const kept = before.filter((_, at) => followLine(at + 1, edits) !== undefined).length
      expect(kept).toBe(before.length - edits.reduce((sum, it) => sum + it.removed.length, 0))
    }),
    runs(300),
  )
})
