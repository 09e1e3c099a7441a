/** Which files hold tests, and what a test is named after, by the conventions of many languages. */

const TEST_FOLDER = /(^|\/)(?:tests?|__tests__|specs?|testing|e2e|integration-tests?)\//i
const TEST_NAME =
  /(^|\/)(?:test_[^/]*|conftest|[^/]*[._-](?:test|tests|spec|specs|e2e)|[^/]*[a-z0-9](?:Test|Tests|TestCase|Spec|IT))(?:-d)?\.[^./]+$/

/** Where tests lie elsewhere, or have a name that the compiler goes by, other names say nothing. */
const SHIPPED_FOLDER = /(?:^|\/)src\/main\//
const SHIPPED_HELPER = /(?:^|\/)test_[^/]*\.(?:rb|bash|sh|zsh)$/
const LIBRARY_FOLDER = /(?:^|\/)lib\//

export function isTestPath(path: string): boolean {
  return TEST_FOLDER.test(path) || (TEST_NAME.test(path) && !isShipped(path))
}

function isShipped(path: string): boolean {
  if (path.endsWith('.go')) return !path.endsWith('_test.go')
  return SHIPPED_FOLDER.test(path) || (SHIPPED_HELPER.test(path) && LIBRARY_FOLDER.test(path))
}

/** Names that tools go by; and tests in Rust are parts of the modules that they test. */
const CERTAIN_NAME =
  /(?:^|\/)(?:conftest\.py|[^/]*_test\.go|[^/]*\.(?:tests?|specs?|e2e)(?:-d)?\.\w+|[^/]*\.rs)$/
const TESTS_OF_MODULE = /(?:^|\/)src\/test\//
const UNCERTAIN_FOLDER = /\/(?:test|testing|specs?)\//i

/**
 * Whether a test by its path may be a part of the program: `pod_spec.py`, `src/dock/testing/a.ts`.
 * Folders of tests beside the source, and names that tools go by, leave no doubt.
 */
export function mayBeNoTest(path: string): boolean {
  if (CERTAIN_NAME.test(path)) return false
  const folder = TEST_FOLDER.exec(path)
  if (folder === null) return true
  const isUncertain = UNCERTAIN_FOLDER.test(folder[0]) && !TESTS_OF_MODULE.test(path)
  return isUncertain && !TEST_NAME.test(path)
}

const MARKS =
  /^test_|^Test(?=[A-Z])|(?:[._-](?:test|tests|spec|specs|e2e)|_test|Test|Tests|TestCase|Spec|IT)(?:-d)?$/g

/** Paths where the file that a test is named after may be, likeliest first. */
export function listSubjectPaths(path: string): readonly string[] {
  const slash = path.lastIndexOf('/')
  const folder = path.slice(0, slash + 1)
  const name = path.slice(slash + 1)
  const dot = name.lastIndexOf('.')
  const stem = name.slice(0, dot).replaceAll(MARKS, '')
  if (stem === '' || stem === name.slice(0, dot)) return []
  const file = stem + name.slice(dot)
  const homes = [
    folder,
    folder.replace(/(?:__tests__|tests?|specs?)\/$/, ''),
    folder.replace(TEST_FOLDER, '$1src/'),
    folder.replace(TEST_FOLDER, '$1lib/'),
    folder.replace(TEST_FOLDER, '$1'),
    folder.replace('src/test/', 'src/main/'),
  ]
  return [...new Set(homes)].map((home) => home + file)
}
