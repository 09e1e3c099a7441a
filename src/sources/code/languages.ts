/** Every language, and how a file is known to be of one. Adding a language adds a file and a line. */
import { lastPart } from '../../base/paths.ts'
import type { Language } from './language.ts'
import { bash } from './languages/bash.ts'
import { c } from './languages/c.ts'
import { cpp } from './languages/cpp.ts'
import { csharp } from './languages/csharp.ts'
import { css } from './languages/css.ts'
import { dart } from './languages/dart.ts'
import { dockerfile } from './languages/dockerfile.ts'
import { elixir } from './languages/elixir.ts'
import { go } from './languages/go.ts'
import { graphql } from './languages/graphql.ts'
import { groovy } from './languages/groovy.ts'
import { haskell } from './languages/haskell.ts'
import { hcl } from './languages/hcl.ts'
import { html } from './languages/html.ts'
import { java } from './languages/java.ts'
import { javascript } from './languages/javascript.ts'
import { json } from './languages/json.ts'
import { jsx } from './languages/jsx.ts'
import { julia } from './languages/julia.ts'
import { kotlin } from './languages/kotlin.ts'
import { lua } from './languages/lua.ts'
import { make } from './languages/make.ts'
import { markdown } from './languages/markdown.ts'
import { objc } from './languages/objc.ts'
import { perl } from './languages/perl.ts'
import { php } from './languages/php.ts'
import { powershell } from './languages/powershell.ts'
import { proto } from './languages/proto.ts'
import { python } from './languages/python.ts'
import { r } from './languages/r.ts'
import { ruby } from './languages/ruby.ts'
import { rust } from './languages/rust.ts'
import { scala } from './languages/scala.ts'
import { scss } from './languages/scss.ts'
import { sql } from './languages/sql.ts'
import { svelte } from './languages/svelte.ts'
import { swift } from './languages/swift.ts'
import { toml } from './languages/toml.ts'
import { tsx } from './languages/tsx.ts'
import { typescript } from './languages/typescript.ts'
import { vue } from './languages/vue.ts'
import { yaml } from './languages/yaml.ts'
import { zig } from './languages/zig.ts'

export const LANGUAGES: readonly Language[] = [
  bash,
  c,
  cpp,
  csharp,
  css,
  dart,
  dockerfile,
  elixir,
  go,
  graphql,
  groovy,
  haskell,
  hcl,
  html,
  java,
  javascript,
  json,
  jsx,
  julia,
  kotlin,
  lua,
  make,
  markdown,
  objc,
  perl,
  php,
  powershell,
  proto,
  python,
  r,
  ruby,
  rust,
  scala,
  scss,
  sql,
  svelte,
  swift,
  toml,
  tsx,
  typescript,
  vue,
  yaml,
  zig,
]

const BY_ID = new Map(LANGUAGES.map((it) => [it.id, it]))
const BY_EXTENSION = new Map(LANGUAGES.flatMap((it) => it.extensions.map((end) => [end, it])))
const BY_NAME = new Map(LANGUAGES.flatMap((it) => (it.fileNames ?? []).map((name) => [name, it])))
const BY_PROGRAM = new Map(
  LANGUAGES.flatMap((it) => (it.interpreters ?? []).map((name) => [name, it])),
)

export function languageById(id: string): Language | undefined {
  return BY_ID.get(id)
}

/** By name, then by extension, then by the program that the first line asks for. */
export function languageOf(path: string, text: string): Language | undefined {
  const name = lastPart(path)
  const dot = name.lastIndexOf('.')
  return (
    BY_NAME.get(name) ??
    (dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot).toLowerCase())) ??
    byFirstLine(text)
  )
}

function byFirstLine(text: string): Language | undefined {
  if (!text.startsWith('#!')) return undefined
  const words = text
    .slice(2, text.indexOf('\n', 2))
    .trim()
    .split(/[\s/]+/)
  const program = words.findLast((it) => it !== '' && !it.startsWith('-') && it !== 'env')
  return BY_PROGRAM.get((program ?? '').replace(/[\d.]+$/, '')) ?? BY_PROGRAM.get(program ?? '')
}
