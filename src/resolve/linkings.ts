/** Every family of languages, by the id of each language in it. */

import { bash } from './linking/bash.ts'
import { c } from './linking/c.ts'
import { csharp } from './linking/csharp.ts'
import { dart } from './linking/dart.ts'
import { ecmascript, typescript } from './linking/ecmascript.ts'
import { elixir } from './linking/elixir.ts'
import { go } from './linking/go.ts'
import { julia } from './linking/julia.ts'
import { java, kotlin, scala } from './linking/jvm.ts'
import { lua } from './linking/lua.ts'
import { php } from './linking/php.ts'
import { python } from './linking/python.ts'
import { ruby } from './linking/ruby.ts'
import { rust } from './linking/rust.ts'
import {
  graphql,
  groovy,
  haskell,
  hcl,
  make,
  perl,
  powershell,
  proto,
  r,
  zig,
} from './linking/simple.ts'
import { sql } from './linking/sql.ts'
import { swift } from './linking/swift.ts'
import { text } from './linking/text.ts'
import { css, html } from './linking/web.ts'
import type { Linking } from './linking.ts'

const FAMILIES: readonly Linking[] = [
  bash,
  c,
  csharp,
  css,
  dart,
  ecmascript,
  elixir,
  go,
  graphql,
  groovy,
  haskell,
  hcl,
  html,
  java,
  julia,
  kotlin,
  lua,
  make,
  perl,
  php,
  powershell,
  proto,
  python,
  r,
  ruby,
  rust,
  scala,
  sql,
  swift,
  text,
  typescript,
  zig,
]

export const LINKINGS: ReadonlyMap<string, Linking> = new Map(
  FAMILIES.flatMap((it) => it.languages.map((language) => [language, it])),
)
