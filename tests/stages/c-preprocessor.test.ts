/** L6 What the grammars of C and C++ see: everything in its place, without what is no syntax. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withoutPreprocessor } from '../../src/sources/code/languages/c-visible.ts'
import { SAMPLES } from '../support/code-files.ts'
import { runs } from '../support/property.ts'

/** The text that is left, with one space where there are many. */
function seen(text: string): string {
  return withoutPreprocessor(text).text.replaceAll(/\s+/g, ' ').trim()
}

describe('L6 macros', () => {
  test.each([
    ['API int f(void) PURE;', 'int f(void) ;'],
    ['static INLINE std::vector<int> f();', 'static std::vector<int> f();'],
    ['void CALL f(int x UNUSED);', 'void f(int x );'],
    ['char *API f(void);', 'char * f(void);'],
    ['class API Shape FINAL : Base {};', 'class Shape : Base {};'],
    ['API class Shape;', 'class Shape;'],
    ['struct A { int n GUARDED_BY(m); };', 'struct A { int n ; };'],
    ['struct A { API A(int n) NOEXCEPT : n(n) {} };', 'struct A { A(int n) : n(n) {} };'],
    ['struct A { API ~A(); };', 'struct A { ~A(); };'],
    ['BEGIN_NAMESPACE\nnamespace a {}\nEND_NAMESPACE', 'namespace a {}'],
    ['DECLARE(int, x);\nint y;', '; int y;'],
    ['template <class T, ENABLE_IF(a<T>::b)> void f();', 'template <class T, int > void f();'],
    ['typedef int (CALL *f_t)(int);', 'typedef int ( *f_t)(int);'],
    ['forceinline node_t *grow(int n);', 'forceinline node_t *grow(int n);'],
    ['forceinline int grow(int n);', 'int grow(int n);'],
    ['void f() { if CONSTEXPR (a) b(); }', 'void f() { if (a) b(); }'],
    ['void f() { TRY { a(); } CATCH(...) {} }', 'void f() { { a(); } {} }'],
    ['API int f(void);\nAPI g(void);', 'int f(void); g(void);'],
  ])('are hidden: %s', (text, left) => {
    expect(seen(text)).toBe(left)
  })

  test.each([
    'HANDLE open(void);',
    'static FILE *file;',
    'const DWORD count = MAX;',
    'struct FILE file;',
    'struct POINT { LONG x, y; };',
    'enum { A1, B2 };',
    'int sizes[] = { MAX };',
    'BOOL FOO(int x) { return MAX * x; }',
    'TEST_F(Fixture, Name) { EXPECT_EQ(a, b); }',
    'void f() { CHECK(a); if (a) FREE(b); else LOG(c); }',
    'void f() { switch (a) { case ONE: case TWO: run(); } }',
  ])('are not what may be a type, a name or a call: %s', (text) => {
    expect(withoutPreprocessor(text)).toEqual({ text, hidden: [] })
  })
})

describe('L6 branches', () => {
  test.each([
    ['#ifdef C\nextern "C" {\n#endif\nint a;\n#ifdef C\n}\n#endif', 'extern "C" { int a; }'],
    ['#if A\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n}', 'void f(int a) { }'],
    ['#if 0\nvoid f(int a) {\n#else\nvoid f() {\n#endif\n}', 'void f() { }'],
    ['int a[] = {\n#if A\n1,\n#else\n2,\n#endif\n3 };', 'int a[] = { 1, 2, 3 };'],
    ['int a = 1\n#if A\n+ 2\n#endif\n;', 'int a = 1 + 2 ;'],
    ['#if __has_include(<map>)\nint a;\n#endif', '#if 1 int a; #endif'],
    ['#define A(x) f( /* one */ \\\n x)', '#define A(x) f( \\ x)'],
  ])('of which one is seen: %s', (text, left) => {
    expect(seen(text)).toBe(left)
  })

  test.each([
    '#ifndef A_H\n#define A_H\nint a;\n#endif',
    '#if A\nint a;\n#else\nlong a;\n#endif',
    'enum a {\n#if A\nb,\n#endif\nc };',
    'void f() {\n#if A\na();\n#endif\n}',
  ])('that are whole are left alone: %s', (text) => {
    expect(withoutPreprocessor(text)).toEqual({ text, hidden: [] })
  })
})

test('L6 nothing moves, whatever the text', () => {
  const lines = SAMPLES.flatMap((it) => it.text.split('\n')).concat(
    '#if A',
    '#else',
    '#endif',
    'API int f() {',
    'class API A : B {',
    'CALL(a, "b',
    'R"(',
    '/*',
    '}',
  )
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...lines), { maxLength: 60 }), (some) => {
      const text = some.join('\n')
      const { text: other, hidden } = withoutPreprocessor(text)
      expect(other.length).toBe(text.length)
      expect(other.replaceAll(/[^\n]/g, '')).toBe(text.replaceAll(/[^\n]/g, ''))
      expect(hidden).toEqual([...new Set(hidden)].toSorted((a, b) => a - b))
    }),
    runs(200),
  )
})
