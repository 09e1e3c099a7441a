/** Which files are worth indexing, and as what text: W2. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classify, MAX_FILE_BYTES, preScreen } from '../../src/sources/classify.ts'
import { runs } from '../support/property.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const latin = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

/** `text`, or why not. */
function verdict(path: string, content: string | Uint8Array): string {
  const it = classify(path, typeof content === 'string' ? bytes(content) : content)
  return it.kind === 'text' ? 'text' : it.reason
}

function textOf(content: Uint8Array): { readonly text: string; readonly told: readonly string[] } {
  const it = classify('a.txt', content)
  if (it.kind !== 'text') throw new Error(it.message)
  return { text: it.text, told: it.diagnostics.map((one) => one.code) }
}

describe('W2 text and bytes', () => {
  test('W2 any text is given back as it is, and nothing ever throws', () => {
    // Control characters are rare in text; where they are a tenth of it, it is none.
    // oxlint-disable-next-line no-control-regex
    const text = fc.string({ unit: 'binary' }).map((it) => it.replace(/[\0-\x1f\uFEFF]/g, ' '))
    fc.assert(
      fc.property(text, (it) => {
        const safe = `${it.toWellFormed()}\r\n\t`
        expect(classify('a.md', bytes(safe))).toEqual({ kind: 'text', text: safe, diagnostics: [] })
      }),
      runs(300),
    )
    fc.assert(
      fc.property(fc.string(), fc.uint8Array({ maxLength: 300 }), (path, content) => {
        const it = classify(path, content)
        if (it.kind === 'text') expect(it.text).not.toContain('\0')
      }),
      runs(500),
    )
  })

  test('W2 a byte-order mark is no part of the text', () => {
    expect(textOf(bytes('\uFEFFab'))).toEqual({ text: 'ab', told: [] })
  })

  test('W2 UTF-16 with its mark is text, in both orders', () => {
    const little = Buffer.from('\uFEFFname = "ü"\n', 'utf16le')
    const big = Buffer.from(little).swap16()
    expect(textOf(little)).toEqual({ text: 'name = "ü"\n', told: [] })
    expect(textOf(big)).toEqual({ text: 'name = "ü"\n', told: [] })
    // UTF-32 opens like UTF-16 and is not.
    expect(verdict('a.txt', Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0))).toBe('binary')
  })

  test('W2 bytes that are not UTF-8 are replaced and told, unless they are most of the file', () => {
    expect(textOf(latin('// fa\xe7ade\nint x;'))).toEqual({
      text: '// fa\uFFFDade\nint x;',
      told: ['invalid-utf8'],
    })
    expect(verdict('a.txt', latin('\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0'))).toBe('invalid-utf8')
  })

  test('W2 a NUL near the top is binary; far down it is replaced, and no offset moves', () => {
    expect(verdict('a.c', 'int x;\0')).toBe('binary')
    const far = `${'int x;\n'.repeat(2000)}\0end`
    expect(textOf(bytes(far))).toEqual({
      text: far.replace('\0', '\uFFFD'),
      told: ['invalid-utf8'],
    })
  })

  test.each([
    ['pdf', latin('%PDF-1.4\nplain so far')],
    ['png', latin('\x89PNG\r\n\x1a\nxxxx')],
    ['gzip', latin('\x1f\x8b\x08abc')],
    ['control characters', latin('\x01\x02\x03\x04abcdefgh')],
  ])('W2 %s is told by its bytes, whatever its name', (_, content) => {
    expect(verdict('a.txt', content)).toBe('binary')
  })

  test('W2 colours in a log are text', () => {
    expect(verdict('build.log', '\x1b[31mred\x1b[0m\n'.repeat(20))).toBe('text')
  })
})

describe('W2 names and sizes', () => {
  test.each([
    ['logo.PNG', 'binary'],
    ['a/b/font.woff2', 'binary'],
    ['package-lock.json', 'generated'],
    ['crates/x/Cargo.lock', 'generated'],
    ['go.sum', 'generated'],
    ['lib/jquery.min.js', 'generated'],
    ['lib/site-min.css', 'generated'],
    ['dist/app.js.map', 'generated'],
    ['logo.svg', undefined],
    ['package.json', undefined],
    ['locks/my.lock', undefined],
    ['src/admin.js', undefined],
    ['src/min.js', undefined],
    ['levels/first.map', undefined],
    ['__snapshots__/a.test.ts.snap', undefined],
    ['png', undefined],
    ['Makefile', undefined],
  ])('W2 %s, unread: %s', (path, reason) => {
    expect(preScreen(path, 10)?.reason).toBe(reason)
  })

  test('W2 the limit is what is still taken', () => {
    expect(preScreen('a.txt', MAX_FILE_BYTES)).toBeUndefined()
    expect(preScreen('a.txt', MAX_FILE_BYTES + 1)).toEqual({
      kind: 'skipped',
      reason: 'too-large',
      message: 'is over 2 MB; left out',
    })
    expect(classify('a.txt', bytes('12345'), { maxFileBytes: 4 })).toMatchObject({
      reason: 'too-large',
      message: 'is over 4 bytes; left out',
    })
    expect(classify('a.txt', bytes('1234'), { maxFileBytes: 4 }).kind).toBe('text')
  })

  test('W2 a source map without the usual name is told by its text', () => {
    expect(verdict('bundle.map', '{"version":3,"sources":[]}')).toBe('generated')
    expect(verdict('first.map', '#####\n#..@#\n')).toBe('text')
  })
})

/** As the settings of a widespread tool for documentation begin, which everybody edits. */
const SENTENCE = '#\n# Note that not all possible configuration values are present in this'

describe('W2 generated', () => {
  test.each([
    ['a.go', '// Code generated by protoc-gen-go. DO NOT EDIT.\n\npackage a\n'],
    ['a.js', '/**\n * @generated SignedSource<<abc>>\n */\n'],
    ['a.ts', '/* eslint-disable */\n// @generated by protobuf-ts\n'],
    ['a.rs', '// This file is @generated by prost-build.\n'],
    ['a.cs', '// <auto-generated>\n//     tool\n// </auto-generated>\n'],
    ['a.cs', '//---------\n// <auto-generated />\n//\n// Generated by a tool.\n'],
    [
      'a.cs',
      '// <auto-generated>\n//     This code was generated by a tool.\n// </auto-generated>\n',
    ],
    ['a.cs', '// <auto-generated>\n// Changes to this file may be lost.\n// </auto-generated>\n'],
    ['a.cs', '// <auto-generated/>\n\nnamespace A;\n[GeneratedCode("x", "1")]\nclass B {}\n'],
    ['a.g.cs', '// <auto-generated/>\n#nullable enable\n'],
    ['Views/Main.Designer.cs', '// <auto-generated />\nusing System;\n'],
    ['Migrations/DockModelSnapshot.cs', '// <auto-generated />\nusing System;\n'],
    ['Api/Generated/Dock.cs', '// <autogenerated/>\nusing System;\n'],
    ['a.py', '# AUTO-GENERATED FILE, see gen.py\n'],
    ['a_pb2.py', '# -*- coding: utf-8 -*-\n# Generated by the protocol compiler.  DO NOT EDIT!\n'],
    ['a.d.ts', '/*\n This file was automatically generated by a tool.\n DO NOT MODIFY IT.\n*/\n'],
    ['a.h', '/* DO NOT EDIT: this file is generated from a.def */\n'],
    ['a.sql', '-- ===== GENERATED FILE - DO NOT EDIT =====\n'],
    ['a.md', '<!-- AUTO-GENERATED FILE. Run make docs. -->\n# Options\n'],
    ['a.xml', '<?xml version="1.0"?>\n<!--\n  Generated by x. Do not edit.\n-->\n'],
    ['a.go', `${'// licence\n'.repeat(16)}\n// Code generated by informer-gen. DO NOT EDIT.\n`],
    ['a.php', '<?php\n\nnamespace A;\n\nuse B\\C;\n\n/* This file was auto-generated. */\n'],
    ['a.css', '@charset "utf-8";\n/* @generated */\n'],
    ['a.go', 'package a\n\n// AUTO-GENERATED FUNCTIONS START HERE. DO NOT EDIT.\n'],
    ['a.bat', '@echo off\nrem Auto-generated file\n'],
    ['a.h', '#ifndef A_H\n#define A_H\n// This file is automatically generated.\n'],
    ['a.sh', '# shellcheck disable=all\n# autogenerated file\n'],
    ['a.py', `${SENTENCE}.\n# autogenerated file\n`],
    ['a.py', `${SENTENCE}\n#\n# autogenerated file\n`],
    ['a.py', `${SENTENCE}\n# Autogenerated file\n`],
  ])('W2 %s says that it is: %j', (path, content) => {
    expect(verdict(path, content)).toBe('generated')
  })

  test.each([
    ['a.md', '# Code generated by x: DO NOT EDIT\n\nWhat this line means.\n'],
    ['a.md', 'Files with `@generated` in them are left out.\n\n* @generated\n'],
    ['a.md', '<!-- AUTO-GENERATED-CONTENT:START (TOC) -->\n# Title\n'],
    ['a.ts', '/** Leaves out what has @generated or "DO NOT EDIT" in its first lines. */\n'],
    ['a.ts', '// Generated files are in out/; do not edit them by hand.\n'],
    ['a.ts', '// Do not edit generated files here.\n'],
    ['conf.py', `${SENTENCE}\n# autogenerated file.\n#\n# All of them have a default.\n`],
    [
      'a.c',
      '/*\n * What a reader of these tables should know of every\n * generated file: do not edit it.\n */\n',
    ],
    // The tag alone only silences a linter.
    ['a.cs', '// <auto-generated />\nusing System;\n\nnamespace Dock;\n'],
    ['a.cs', '//---------\n// <auto-generated />\n'],
    ['a.cs', '// <auto-generated>\n// Not checked for style.\n// </auto-generated>\nclass A {}\n'],
    ['a.cs', '// <auto-generated/>\nclass A { void B() => Regenerated("generated by"); }\n'],
    ['generated.cs', '// <auto-generated/>\nclass A {}\n'],
    ['a.ts', "const marker = '// @generated'\n"],
    ['a.go', 'package a\n\nvar header = "// Code generated by a. DO NOT EDIT."\n'],
    ['a.py', `${'x = 1\n'.repeat(60)}# @generated\n`],
    ['a.py', `# ${'x'.repeat(2500)}\n# @generated\n`],
    // They say where modules are, whoever wrote them.
    ['a/go.mod', '// This is a generated file. Do not edit directly.\n\nmodule example.com/a\n'],
    ['a/Cargo.toml', '# THIS FILE IS AUTOMATICALLY GENERATED BY CARGO\n[package]\n'],
    // Programs that write such headers are written by hand.
    [
      'a.go',
      'package main\n\nconst head = `// Licence\n\n// Code generated by a. DO NOT EDIT.\n`\n',
    ],
    ['a.sh', "#!/bin/sh\nhdr='\n// Code generated by a.sh. DO NOT EDIT.\n'\n"],
    ['a.pl', 'use strict;\nprint <<EOF;\n// Code generated by a.pl; DO NOT EDIT.\nEOF\n'],
    ['a.py', 'import sys\n\nHEAD = """\n// This file was auto-generated.\n"""\n'],
    ['a.rs', 'fn main() {\n    println!("hello");\n}\n// @generated\n'],
    ['a.json', '{ "note": "@generated" }\n'],
  ])('W2 %s only speaks of it: %j', (path, content) => {
    expect(verdict(path, content)).toBe('text')
  })
})

describe('W2 minified', () => {
  const statements = 'function a(b){return b+1};a(2);'.repeat(400)
  test.each([
    ['all in one line', 'app.js', statements],
    ['under a licence', 'app.js', `/*! licence */\n${statements}\n`],
    ['styles', 'site.css', '.a{color:red;margin:0}'.repeat(500)],
  ])('W2 %s', (_, path, content) => {
    expect(verdict(path, content)).toBe('minified')
  })

  test.each([
    ['long paragraphs', 'a.md', `${'Many words (and more); '.repeat(400)}\n`],
    ['data in one line', 'a.json', JSON.stringify(Array.from({ length: 5000 }, (_, n) => ({ n })))],
    ['a wide table', 'a.csv', `${'f(x);'.repeat(3000)}\n`],
    ['a drawing', 'a.svg', `<svg><path d="${'M0(0);'.repeat(2000)}"/></svg>`],
    [
      'a picture in a module',
      'logo.ts',
      `export const LOGO =\n  '${'iVBORw0KGgo'.repeat(3000)}'\n`,
    ],
    ['a table in a module', 'table.ts', `export const T = [${'1024, 65535, '.repeat(2000)}]\n`],
    ['one long line in normal code', 'a.js', `${'let x = f(1);\n'.repeat(2000)}${statements}\n`],
    ['many short lines', 'a.js', 'let x = f(1);\n'.repeat(10_000)],
  ])('W2 not %s', (_, path, content) => {
    expect(verdict(path, content)).toBe('text')
  })

  test('W2 every source and test of this project is text', () => {
    const root = join(import.meta.dirname, '..', '..')
    for (const folder of ['src', 'tests', 'docs']) {
      const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      const sources = names.filter((it) => /\.(?:ts|md)$/.test(it))
      expect(sources.length).toBeGreaterThan(5)
      const turnedAway = sources.filter(
        (it) => classify(it, readFileSync(join(root, folder, it))).kind !== 'text',
      )
      expect(turnedAway).toEqual([])
    }
  })
})
