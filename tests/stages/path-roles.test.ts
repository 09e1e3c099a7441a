/** What files are for, by their paths: Q5. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { PATH_ROLES, type PathRole, pathRole } from '../../src/base/path-roles.ts'
import { runs } from '../support/property.ts'

const ROLES: readonly (readonly [PathRole, readonly string[]])[] = [
  [
    'source',
    ['src/a.ts', 'a.py', 'lib/history/a.rb', 'cmd/main.go', 'src/newsletter.ts', 'docket.c'],
  ],
  [
    'source',
    ['auth/security.py', 'git/history.go', 'tools.go', 'src/docs/page.ts', 'lib/site/a.rb'],
  ],
  ['source', ['src/deps/graph.ts', 'internal/external/a.go', 'app/guide/a.kt', 'release.ts']],
  ['source', ['lib/dock/test_helpers.rb', 'lib/dock/test_functions.bash', 'test_helpers.go']],
  ['source', ['dock/src/main/java/KeySpec.java', 'src/main/kotlin/DepthTest.kt']],
  ['docs', ['src/docs/page.md', 'docs/conf.py', 'site/a.js', 'docs/src/page.ts']],
  ['docs', ['docs/security.md', 'RELEASE-CHECKLIST.md', 'dock/templates/news/list.html']],
  ['vendored', ['deps/lua/lua.c', 'external/src.c', 'deps/lua/src/lua.c', 'deps/lua/test/a.lua']],
  ['vendored', ['deps/lua/.github/workflows/test.yml', 'src/vendor/a.js']],
  ['types', ['types/a.d.ts', 'pkg/a.pyi']],
  ['test', ['test/a.ts', 'src/a.test.ts', 'src/a_test.go', 'tests/fixtures/a.json', 'testdata/x']],
  ['test', ['Dock.Tests/A.cs', 'Dock.Tests.Load/A.cs', 'DockTests/a.swift', 'unit_tests/a.c']],
  ['test', ['t/dock/a.t', 'tests-integration/src/a.rs', 'tests/external/a.py', 'test/deps/a.js']],
  ['test', ['src/test/java/KeySpec.java', 'lib/dock_spec.rb', 'test/test_helper.rb', 'a_test.go']],
  ['source', ['dock-test/src/a.rs', 'src/contests/a.ts', 'src/config.ts', 'src/_pytest/a.py']],
  ['docs', ['README.md', 'docs/a.ts', 'guide/a.rst', 'man/tool.1', 'lib/Dock.pod', 'rules/a.mdc']],
  ['log', ['CHANGELOG.md', 'HISTORY', 'changes/fix.md', 'LICENSE', 'docs/changelog/a.md']],
  ['support', ['examples/a.ts', 'scripts/build.sh', '.github/workflows/ci.yml', 'bench/a.ts']],
  ['log', ['SECURITY.md', '.github/SECURITY.md', 'RELEASES', 'release-1.2.rst', 'changes/1.yml']],
  ['support', ['.github/workflows/release.yml', '.github/workflows/build-test.yml']],
  ['support', ['_examples/a.go', 'Dock Example/a.swift', 'dock-samples/a.java']],
  ['settings', ['package.json', 'Makefile', '.eslintrc', 'config/a.yaml', 'src/style.css']],
  ['settings', ['Dock/Dock.csproj', 'Dock.sln', 'a.xcodeproj/project.pbxproj', 'dock.gemspec']],
  ['settings', ['changes/.gitignore', 'src/news/history.json', 'src/security.xml', 'release.yml']],
  ['settings', ['build.sbt', 'mix.exs', 'CMakeLists.txt', 'rollup.config.js', 'src/BUILD']],
  ['vendored', ['vendor/a.go', 'node_modules/x/index.js', 'third_party/README.md']],
]

test.each(ROLES)('Q5 %s', (role, paths) => {
  expect(paths.map((path) => [path, pathRole(path)])).toEqual(paths.map((path) => [path, role]))
})

test('Q5 any path has a role, found in linear time', () => {
  const segment = fc.string({ unit: fc.constantFrom('a', '.', '-', '_', 'd', 'o', 'c', 's', 'é') })
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 8 }), (segments) => {
      expect(PATH_ROLES).toContain(pathRole(segments.join('/')))
    }),
    runs(300),
  )
  // In quadratic time each of these would exceed the time limit of the test.
  for (const piece of ['a/', 'docs/', '.', 'change-', 'test']) {
    expect(PATH_ROLES).toContain(pathRole(piece.repeat(100_000)))
  }
})
