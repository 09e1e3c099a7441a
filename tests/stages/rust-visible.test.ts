/** What the grammar sees of Rust: items that a macro hands on stand there by themselves. */
import { expect, test } from 'vitest'
import { withoutItemMacros } from '../../src/sources/code/languages/rust-visible.ts'

function seen(text: string): string {
  const visible = withoutItemMacros(text)
  expect(visible.text.length).toBe(text.length)
  expect(visible.text.split('\n').length).toBe(text.split('\n').length)
  return visible.text.replaceAll(/\s+/g, ' ').trim()
}

const HANDED_ON = [
  [
    'cfg_x! {\n  pub(crate) mod a;\n  #[cfg(y = "}")]\n  use b::{c, d};\n}',
    'pub(crate) mod a; #[cfg(y = "}")] use b::{c, d};',
  ],
  [
    'a::b! { const fn f() -> T { 1 } const X: T = T { a: 1 }; }',
    'const fn f() -> T { 1 } const X: T = T { a: 1 };',
  ],
  ['impl A {\n  cfg_x! { pub async fn f(&self) {} }\n}', 'impl A { pub async fn f(&self) {} }'],
  ['cfg_x! { cfg_y! { struct A(B); } }', 'struct A(B);'],
  ['lazy! { pub static ref A: B = c(); }', 'pub static A: B = c();'],
  ['scoped!(static A: B);', 'static A: B ;'],
  [
    'cfg_if! { if #[cfg(a)] { fn f() {} } else if #[cfg(b)] { } else { mod c; } }',
    'fn f() {} mod c;',
  ],
] as const

test.each(HANDED_ON)('L2 items are seen: %s', (text, expected) => {
  expect(seen(text)).toBe(expected)
})

const LEFT_ALONE = [
  'macro_rules! a { () => { b! { fn c() {} } } }',
  'quote! { fn #name() {} }',
  'a! { fn $name() {} }',
  'bitflags! { struct Flags: u32 { const A = 1; } }',
  'select! { a = b => c, }',
  'a! { unsafe { b() } }',
  'let x = a! { fn b() {} };',
  'vec! { 1, 2 }',
  'cfg_if! { if a { fn b() {} } }',
  '// a! { fn b() {} }',
  'let a = "\na! { fn b() {} }";',
  'let a = r#"\na! { fn b() {} }"#;',
  '/* /* */\na! { fn b() {} } */',
  'let a = \'"\';\nlet b = "\na! { fn b() {} }";',
  'a! { fn b() {}',
]

test.each(LEFT_ALONE)('L2 anything else is seen as it is: %s', (text) => {
  expect(withoutItemMacros(text)).toEqual({ text, hidden: [] })
})
