/** What is understood of a question: Q1 to Q3. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { understood } from '../../src/retrieve/understand.ts'
import { runs } from '../support/property.ts'

const MEGABYTE = 1_048_576

function long(piece: string): string {
  return piece.repeat(Math.ceil(MEGABYTE / piece.length))
}

describe('Q1 any text is a question', () => {
  test.each([
    ['one name', 'a'],
    ['folders', 'a/'],
    ['dots', './'],
    ['many files', 'a.b '],
    ['underscores', 'a_'],
    ['humps', 'aB'],
    ['dashes', '-'],
    ['digits', '1'],
    ['quotes', `"'`],
    ['brackets', '(#1'],
    ['blanks', ' '],
    ['line ends', '\r\n'],
    ['a phrase that is looked for', 'how is '],
    ['trailers', 'cc :'],
    ['addresses', 'http://'],
    ['Chinese', '中文'],
    ['control characters', '\0\u0001\u001b'],
    ['halves of characters', '\ud800'],
    ['astral characters', '𝒳'],
    ['fences', '```\n'],
  ])('Q1 a megabyte of %s is understood in linear time', (_, piece) => {
    const found = understood(long(piece))
    // In quadratic time it would take minutes, and exceed the time limit of the test.
    expect(found.words.length).toBeLessThan(100)
  })

  test('Q1 nothing is an error, and the same text is understood the same', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: fc.constantFrom('a', 'B', '_', '.', '/', ':', '3', '"', '`', '\n', ' ') }),
    )
    fc.assert(
      fc.property(text, (query) => {
        const found = understood(query)
        expect(understood(query)).toEqual(found)
        const weights = found.words.map((it) => it.weight)
        expect(weights.every((it) => it > 0 && Number.isFinite(it))).toBe(true)
        expect(weights).toEqual(weights.toSorted((a, b) => b - a))
        expect(new Set(found.words.map((it) => it.word)).size).toBe(weights.length)
      }),
      runs(300),
    )
  })

  test.each([
    ['', 0],
    ['the of and is', 0],
    ['?!… -- ;', 0],
    ['\0\u0007\u001b[0m', 0],
  ])('Q1 of %j there is nothing to look for', (query, count) => {
    expect(understood(query).words.filter((it) => !/^0m$/.test(it.word))).toHaveLength(count)
  })

  test('Q1 Chinese is taken apart, and each part says itself', () => {
    const { words } = understood('如何解析配置文件')
    expect(words.map((it) => it.word)).toContain('配置')
    expect(words.every((it) => it.said.length <= 2)).toBe(true)
  })
})

describe('Q2 places', () => {
  test.each([
    ['look at src/a.ts', 'src/a.ts', 0],
    ['src/a.ts:12 is wrong', 'src/a.ts', 12],
    ['  File "x/y.py", line 3, in f', 'x/y.py', 3],
    ["  File 'x/y.py', line 3", 'x/y.py', 3],
    ['    at f (lib/a.js:7:2)', 'lib/a.js', 7],
    ['    at file:///home/me/lib/a.js:7:2', 'home/me/lib/a.js', 7],
    ['see src/a.rs#L40', 'src/a.rs', 40],
    ['src\\win\\b.cs(12,3): error', 'src/win/b.cs', 12],
    ['./tool.sh: line 4', 'tool.sh', 0],
    ['`parser.c`', 'parser.c', 0],
    ['在src/a.ts里', 'src/a.ts', 0],
    ['@scope/pkg/index.d.ts:3', '@scope/pkg/index.d.ts', 3],
  ])('Q2 %j', (query, path, line) => {
    expect(understood(query).places).toContainEqual({ path, line, isFirst: true })
  })

  test('Q2 what the first line names is told from what comes later', () => {
    expect(understood('\n  a.ts:1 fails\n  at b.ts:2').places).toEqual([
      { path: 'a.ts', line: 1, isFirst: true },
      { path: 'b.ts', line: 2, isFirst: false },
    ])
  })

  test('Q2 each once, and a bounded number', () => {
    expect(understood('a.ts a.ts:1 a.ts:1').places).toHaveLength(2)
    const many = Array.from({ length: 500 }, (_, at) => `f${at}.ts`).join(' ')
    expect(understood(many).places.length).toBeLessThanOrEqual(20)
  })
})

describe('Q3 names, phrases and asides', () => {
  test('Q3 names of code as they are written, and their parts as words', () => {
    const { identifiers, words } = understood('why does parseUrl call read_all and HTTPServer')
    expect(identifiers).toEqual(['parseUrl', 'read_all', 'HTTPServer'])
    expect(words.map((it) => it.word)).toEqual(expect.arrayContaining(['parseurl', 'url', 'read']))
  })

  test('Q3 what is quoted', () => {
    expect(understood('it says "no berth is free" and `x - 1`').phrases).toEqual([
      'no berth is free',
      'x - 1',
    ])
  })

  test('Q3 who signed it and where it was talked about is no part of the question', () => {
    const said = understood(
      'Drop anchors (#1234)\n\nhttps://example.com/zebra\n\nSigned-off-by: Giraffe <g@example.com>',
    ).words.map((it) => it.word)
    expect(said).toContain('anchor')
    for (const word of ['1234', 'zebra', 'giraff', 'sign', 'exampl']) {
      expect(said).not.toContain(word)
    }
  })

  test('Q3 a word that tells nothing leaves no stem behind, alone or in a name', () => {
    const found = understood('why does this break what they are, isThis(AR)').words
    const words = found.map((it) => it.word)
    for (const word of ['thi', 'doe', 'thei', 'whi', 'wa', 'is']) expect(words).not.toContain(word)
    expect(found.filter((it) => it.word === 'ar').map((it) => it.said)).toEqual(['ar'])
    expect(words).toEqual(expect.arrayContaining(['break', 'isthis']))
  })

  test('Q3 the first line weighs more than the others, and prose more than a block', () => {
    const { words } = understood('anchor\nbuoy\n```\ncrane\n```')
    const weight = (said: string): number =>
      Math.max(0, ...words.filter((it) => it.said === said).map((it) => it.weight))
    expect(weight('anchor')).toBeGreaterThan(weight('buoy'))
    expect(weight('buoy')).toBeGreaterThan(weight('crane'))
    expect(weight('crane')).toBeGreaterThan(0)
  })
})

test('Q3 what the form of an issue says to who fills it in is no part of the question', () => {
  const asked = understood('walrus <!-- read the giraffe first --> sings\n<!-- never closed: otter')
  const words = asked.words.map((it) => it.word)
  expect(words).toEqual(expect.arrayContaining(['walrus', 'otter']))
  expect(words).not.toContain('giraff')
  expect(words).not.toContain('giraffe')
})

function weightOf(query: string, said: string): number {
  const own = understood(query).words.filter((it) => it.said === said)
  return Math.max(0, ...own.map((it) => it.weight))
}

describe('Q3 words that carry no weight', () => {
  test('Q3 the fixed words of a trace', () => {
    const trace = `Traceback (most recent call last):
  File "/app/port/crane.py", line 3, in lift
    self.hook(self, cls.rope)
The above exception was the direct cause of the following exception:
RopeError: torn`
    for (const said of ['traceback', 'recent', 'file', 'line', 'self', 'cls', 'exception'])
      expect(weightOf(trace, said)).toBe(0)
    for (const said of ['crane', 'lift', 'hook', 'rope', 'torn'])
      expect(weightOf(trace, said)).toBeGreaterThan(0)
  })

  test.each([
    '# frozen_string_literal: true',
    '# -*- coding: utf-8 -*-',
    '#!/usr/bin/env python',
    '// SPDX-License-Identifier: MIT',
    '// Copyright (c) 2020 Somebody',
    '/* eslint-disable no-console */',
    ' * Licensed under the Apache License, Version 2.0',
  ])('Q3 %j', (comment) => {
    const alone = understood('crane').words
    expect(understood(`crane\n${comment}`).words).toEqual(alone)
  })

  test('Q3 in a sentence those words keep their weight', () => {
    for (const said of ['file', 'line', 'self'])
      expect(weightOf(`the ${said} of a rope`, said)).toBeGreaterThan(0.2)
  })

  test.each(['looks', 'like', 'breaks', 'happens', 'seems', 'trying'])('Q3 %s', (said) => {
    const query = `looks like it breaks, seems what happens when trying a crane`
    expect(weightOf(query, said)).toBeLessThan(weightOf(query, 'crane') / 10)
  })

  test('Q3 where there is nothing else, they are what is looked for', () => {
    expect(understood('looks like').words.map((it) => it.word)).toContain('look')
  })
})
