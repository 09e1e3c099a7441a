/**
 * Texts under names of languages that they are not written in, and of those that they are. Nothing
 * here comes from files of the project: what is drawn stays the same when files come and go.
 */
import * as fc from 'fast-check'
import { LANGUAGES } from '../../src/sources/code/languages.ts'
import type { CodeFile } from './code-files.ts'

/** A name of a file for each language that is parsed. */
export const NAMES: readonly string[] = LANGUAGES.filter((it) => it.grammar !== undefined).map(
  ({ extensions: [extension], fileNames }) =>
    extension === undefined ? `any/${fileNames?.[0]}` : `any/name${extension}`,
)

/** The `@` is replaced by a number, so that several of one text are not equals. */
const PATTERNS: readonly string[] = [
  `import { type Chunk@, cut } from './cut@.ts'

/** Adds one to each of them. */
export function add@<T extends Chunk@>(all: readonly T[], by = 1): readonly T[] {
  const found = all.filter((it) => it.end - it.start > by && !/^[\\s)}>;,]+$/.test(it.title))
  return found.map((it) => ({ ...it, title: \`\${it.title} (part \${by})\` }))
}

class Router@ extends Base<string> {
  readonly #routes = new Map<string, () => void>()
  override get size(): number { return this.#routes.size ?? 0 }
}
`,
  `module Data.Shape@ (Shape(..), area) where

import qualified Data.Map as Map

data Shape@ = Circle { radius :: Double } | Square Double
  deriving (Eq, Show)

area :: Shape@ -> Double
area (Circle r) = pi * r ^ 2
area shape
  | isSquare shape, let Square a = shape = a * a
  | otherwise = 0
  where isSquare (Square _) = True
        isSquare _ = False
`,
  `@dataclass(frozen=True)
class Order@:
    """What was bought, and for how much."""
    items: dict[str, int] = field(default_factory=dict)

    def total(self, *, tax: float = 0.19) -> float:
        if not self.items:
            return 0.0
        return sum(v for k, v in self.items.items() if k != 'gift') * (1 + tax)

async def main@():
    async with session.get(f"http://{host}:{port!r}/") as reply:
        print(await reply.text())
`,
  `#pragma once
#include <vector>
#define MAX@(a, b) ((a) > (b) ? (a) : (b))

namespace draw@ {
template <typename T> struct Point { T x{}, y{}; };

/* Draws it, and says how long it took. */
static inline int draw(const std::vector<Point<int>> &points, char *out[]) {
  for (size_t i = 0; i < points.size(); ++i) out[i][0] = 'x';
  return points.empty() ? -1 : 0;
}
}
`,
  `<!doctype html>
<div class="page@" v-if="isOpen && a < b" @click.prevent="close">
  <p>An unclosed paragraph, &amp; an entity
  <script type="module">const a@ = { b: '</div>' }</script>
  <style>.page@ > p::before { content: "{"; color: #fff }</style>
  {{ value | upper }} {#if open}<b>{value}</b>{/if}
</div>
`,
  `name: build@
on: { push: { branches: [main] } }
jobs:
  test@:
    runs-on: &where ubuntu-latest
    steps:
      - run: |
          make all && echo "$(date): \${{ matrix.name }}" >> log@
      - { uses: *where, with: "a: b" }
`,
  `SELECT o.id, count(*) AS "many@" FROM orders@ o
LEFT JOIN items i ON i.order_id = o.id -- all of them
WHERE o.made_at >= '2024-01-01'::date AND i.name NOT LIKE '%it''s%'
GROUP BY 1 HAVING count(*) > 3;
CREATE FUNCTION total@(integer) RETURNS numeric AS $$ SELECT 1.5 * $1 $$ LANGUAGE sql;
`,
  `impl<'a, T: Clone + 'static> Store<'a, T> for Disk@ {
    fn get(&self, key: &'a str) -> Result<Option<T>, Error> {
        match self.map.get(key) { Some(Entry { value, .. }) => Ok(Some(value.clone())), None => Ok(None) }
    }
}
macro_rules! point@ { ($($x:expr),* $(,)?) => { vec![$($x),*] }; }
`,
  `#!/bin/sh
set -eu
for file@ in "$@" *.txt; do
  case "$file" in *.md) cat <<EOT | sed 's/a/b/g' ;; *) : ;; esac
It's \${file%.*} of $((1 + 2)).
EOT
done
[ -z "\${a@:-}" ] || exit 1
`,
  `#if DEBUG
func log@(_ text: String, to out: inout [String]) { out.append(#"raw \\#(text)"#) }
#endif
if #available(iOS 13, *), let first = list.first { first.map { $0 * 2 } }
extension Array where Element == Int { var sum: Int { reduce(0, +) } }
`,
  `It was the best of times (number @), it wasn't the worst: "half-open, of course.
* A list, with \`code\` and a - b ] } > end
    Indented, as if it mattered; 100% of it, \\ even this.

All's well that ends
`,
]

/** Each text several times over, so that there is something to cut. */
export const TEXTS: readonly string[] = PATTERNS.map((pattern) =>
  Array.from({ length: 4 }, (_, at) => pattern.replaceAll('@', `${at}`)).join('\n'),
)

const LINES = TEXTS.map((text) => text.split('\n'))

/** Lines of a few of the texts, in stretches of any length, cut off anywhere, under any name. */
export const anyForeign: fc.Arbitrary<CodeFile> = fc
  .record({
    path: fc.constantFrom(...NAMES),
    stretches: fc.array(
      fc.tuple(fc.constantFrom(...LINES), fc.nat(60), fc.integer({ min: 1, max: 40 })),
      { minLength: 1, maxLength: 6 },
    ),
    ending: fc.constantFrom('\n', '\n', '\r\n', '\r'),
    extra: fc.constantFrom(
      '',
      '',
      ' \t',
      '// 𝒳𝒴 🎉 漢字',
      '\u00a0\n\u2003x',
      `a${'𝒳'.repeat(5000)}`,
    ),
    end: fc.nat(12_000),
  })
  .map(({ path, stretches, ending, extra, end }) => {
    const lines = stretches.flatMap(([of, from, count]) => of.slice(from, from + count))
    return { path, text: [...lines, extra].join(ending).slice(0, end) }
  })
