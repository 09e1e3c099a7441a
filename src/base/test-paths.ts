/** Which files hold tests, and what a test is named after, by the conventions of many languages. */

const TEST_FOLDER = /(^|\/)(?:tests?|__tests__|specs?|testing|e2e|integration-tests?)\//i
const TEST_NAME =
  /(^|\/)(?:test_[^/]*|conftest|[^/]*[._-](?:test|tests|spec|specs|e2e)|[^/]*[a-z0-9](?:Test|Tests|TestCase|Spec|IT))(?:-d)?\.[^./]+$/

export function isTestPath(path: string): boolean {
  return TEST_FOLDER.test(path) || TEST_NAME.test(path)
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
