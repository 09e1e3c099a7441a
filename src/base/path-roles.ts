/**
 * What a file is for, by the conventions of its path. Source comes first when nothing else is
 * asked for: tests, docs and change logs repeat its words and would crowd it out.
 */
import { isTestPath } from './test-paths.ts'

export const PATH_ROLES = [
  'source',
  'types',
  'test',
  'docs',
  'log',
  'support',
  'settings',
  'vendored',
] as const
export type PathRole = (typeof PATH_ROLES)[number]

const VENDORED = /(?:^|\/)(?:node_modules|vendor|vendored|third_?party)\//
/** Others' code at the top; below a folder of source, a part of the program that is called so. */
const VENDORED_AT_TOP = /(?:^|\/)(?:external|deps)\//
const SOURCE_FOLDER = /(?:^|\/)(?:src|lib|app|pkg|internal|sources?)\//
const TEST_DATA = /(?:^|\/)(?:fixtures?|testdata|test-data|__snapshots__|__?mocks?__?|playground)\//
/** A project of tests beside the one that it tests: `Harbor.Tests/`, `unit_tests/`, `HarborTests/`. */
const TEST_PROJECT =
  /(?:^|\/)(?:(?:[^/]*[._ -])?[Tt]ests(?:[._ -][^/]*)?|[^/]*[a-z0-9]Tests)\/|\.t$/
const LOG_NAME =
  /(?:^|\/)(?:change-?log|changes|history|news|releases?|release-?notes|authors|contributors|maintainers|licen[sc]e|copying|notice|security|code_of_conduct)(?:[.-][^/]*)?$/
const LOG_FOLDER = /(?:^|\/)(?:change-?logs?|changes|news)\//
const DOCS_NAME =
  /\.(?:md|mdx|mdc|markdown|rst|txt|adoc|asciidoc|rdoc|pod|textile|html?|[1-9]|man|tex|texi|ipynb)$/
const DOCS_FOLDER = /(?:^|\/)(?:docs?|documentation|website|site|man|manual|guides?)\//
const SUPPORT_FOLDER =
  /(?:^|\/)(?:(?:[^/]*[._ -])?(?:examples?|samples?|demos?|benchmarks?)|bench|benches|perf|scripts?|tools?|contrib|\.github|\.circleci|ci)\//
const SETTINGS_NAME =
  /\.(?:json5?|jsonc|ya?ml|toml|lock|ini|cfg|conf|xml|gradle|cmake|css|scss|less|svg|csv|tsv|snap|properties|in|ac|am|m4)$|(?:^|\/)(?:makefile|dockerfile|gemfile|rakefile|vagrantfile|procfile|\.[^/]+)$/
/** What a build or an editor of projects reads, in the ecosystems that have files of their own for it. */
const PROJECT_NAME =
  /\.(?:(?:cs|fs|vb|vcx)proj|sln|props|targets|nuspec|resx|pbxproj|xcscheme|xcconfig|xcworkspacedata|xib|storyboard|plist|entitlements|podspec|gemspec|sbt|cabal|bazel|bzl|gyp|gypi|mk|nix)$|\.config\.[cm]?[jt]s$|(?:^|\/)(?:podfile|cartfile|brewfile|build|workspace|mix\.exs|package\.swift|cmakelists\.txt)$/

export function pathRole(path: string): PathRole {
  const lower = path.toLowerCase()
  const isSettings = SETTINGS_NAME.test(lower) || PROJECT_NAME.test(lower)
  const isCode = !isSettings && !DOCS_NAME.test(lower) && /\.\w+$/.test(lower)
  const isSource = isCode && SOURCE_FOLDER.test(lower)
  if (VENDORED.test(lower) || (!isSource && VENDORED_AT_TOP.test(lower))) return 'vendored'
  if (isTestPath(path) || TEST_DATA.test(lower) || TEST_PROJECT.test(path)) return 'test'
  // `security.py` and `src/docs/page.ts` are code, whatever they are called.
  if (!isCode && (LOG_NAME.test(lower) || LOG_FOLDER.test(lower))) return 'log'
  if (!isSource && (DOCS_FOLDER.test(lower) || (DOCS_NAME.test(lower) && !isSettings)))
    return 'docs'
  if (SUPPORT_FOLDER.test(lower)) return 'support'
  if (isSettings) return 'settings'
  return lower.endsWith('.d.ts') || lower.endsWith('.pyi') ? 'types' : 'source'
}
