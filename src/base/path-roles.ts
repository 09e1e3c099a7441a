/**
 * What a file is for, by the conventions of its path, and whether that is certain: a folder called
 * `docs` or `deps` may be a part of the program. Source comes first when nothing else is asked for:
 * tests, docs and change logs repeat its words and would crowd it out.
 */
import { isTestPath, mayBeNoTest } from './test-paths.ts'

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
/** Others' code, or a part of the program that is called so. */
const VENDORED_PERHAPS = /(?:^|\/)(?:external|deps)\//
const VENDOR_BELOW_TOP = /\/vendor(?:ed)?\//
const SOURCE_FOLDER = /(?:^|\/)(?:src|lib|app|pkg|internal|sources?)\//
const TEST_DATA = /(?:^|\/)(?:fixtures?|testdata|test-data|__snapshots__|__?mocks?__?|playground)\//
/** A project of tests beside the one that it tests: `Harbor.Tests/`, `unit_tests/`, `HarborTests/`. */
const TEST_PROJECT =
  /(?:^|\/)(?:(?:[^/]*[._ -])?[Tt]ests(?:[._ -][^/]*)?|[^/]*[a-z0-9]Tests)\/|\.t$/
const LOG_NAME =
  /(?:^|\/)(?:change-?log|changes|history|news|release-?notes|authors|contributors|maintainers|licen[sc]e|copying|notice|code_of_conduct)(?:[.-][^/]*)?$|(?:^|\/)(?:releases?(?:-v?\d[^/]*)?|security)(?:\.\w+)?$/
const LOG_FOLDER = /(?:^|\/)(?:change-?logs?|changes|news)\//
/** What a folder of change logs holds besides them. */
const NO_LOG = /\.html?$/
/** Fragments of change logs are prose, or in these. */
const LOG_DATA = /\.ya?ml$/
const SECURITY_NAME = /(?:^|\/)security\.\w+$/
const DOCS_NAME =
  /\.(?:md|mdx|mdc|markdown|rst|txt|adoc|asciidoc|rdoc|pod|textile|html?|[1-9]|man|tex|texi|ipynb)$/
const DOCS_FOLDER = /(?:^|\/)(?:docs?|documentation|website|site|man|manual|guides?)\//
const SUPPORT_FOLDER =
  /(?:^|\/)(?:(?:[^/]*[._ -])?(?:examples?|samples?|demos?|benchmarks?)|bench|benches|perf|scripts?|tools?|contrib|\.github|\.circleci|ci)\//
/** Settings in these are about building and releasing, whatever they are called. */
const SERVICE_FOLDER = /(?:^|\/)\.(?:github|gitlab|circleci)\//
const SETTINGS_NAME =
  /\.(?:json5?|jsonc|ya?ml|toml|lock|ini|cfg|conf|xml|gradle|cmake|css|scss|less|svg|csv|tsv|snap|properties|in|ac|am|m4)$|(?:^|\/)(?:makefile|dockerfile|gemfile|rakefile|vagrantfile|procfile|\.[^/]+)$/
/** What a build or an editor of projects reads, in the ecosystems that have files of their own for it. */
const PROJECT_NAME =
  /\.(?:(?:cs|fs|vb|vcx)proj|sln|props|targets|nuspec|resx|pbxproj|xcscheme|xcconfig|xcworkspacedata|xib|storyboard|plist|entitlements|podspec|gemspec|sbt|cabal|bazel|bzl|gyp|gypi|mk|nix)$|\.config\.[cm]?[jt]s$|(?:^|\/)(?:podfile|cartfile|brewfile|build|workspace|mix\.exs|package\.swift|cmakelists\.txt)$/

export interface PathVerdict {
  readonly role: PathRole
  /** What the file holds, by its name. */
  readonly holds: 'code' | 'prose' | 'settings' | 'other'
  /** The folder, or the file, whose name alone decided: what is known of the file may correct it. */
  readonly doubt?: string
}

export function pathRole(path: string): PathRole {
  return judgePath(path).role
}

export function judgePath(path: string): PathVerdict {
  const lower = path.toLowerCase()
  const isSettings = SETTINGS_NAME.test(lower) || PROJECT_NAME.test(lower)
  const isProse = !isSettings && DOCS_NAME.test(lower)
  const isCode = !isSettings && !isProse && /\.\w+$/.test(lower)
  const holds = isSettings ? 'settings' : isProse ? 'prose' : isCode ? 'code' : 'other'
  const source = isCode ? lower.search(SOURCE_FOLDER) : -1
  /** The folder that the pattern names, unless it is a part of a folder of source. */
  const findFolder = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(lower)
    if (found === null || (source !== -1 && source < found.index)) return undefined
    return path.slice(0, found.index + found[0].length)
  }
  if (VENDORED.test(lower)) {
    const found = VENDOR_BELOW_TOP.exec(lower)
    const folder = found === null ? undefined : path.slice(0, found.index + found[0].length)
    return withDoubt('vendored', holds, folder)
  }
  const perhaps = findFolder(VENDORED_PERHAPS)
  // What tests are given may be called so as well.
  if (perhaps !== undefined && !isInTests(perhaps) && !isTestPath(perhaps))
    return withDoubt('vendored', holds, perhaps)
  if (isSettings && SERVICE_FOLDER.test(lower)) return { role: 'support', holds }
  if (isInTests(path)) return { role: 'test', holds }
  if (isTestPath(path)) return withDoubt('test', holds, mayBeNoTest(path) ? path : undefined)
  // `security.py` is code and `release.yml` has settings, whatever they are called.
  if (!isCode && isLog(lower, isSettings)) return { role: 'log', holds }
  const docs = findFolder(DOCS_FOLDER)
  if (docs !== undefined) return withDoubt('docs', holds, docs)
  if (isProse) return { role: 'docs', holds }
  if (SUPPORT_FOLDER.test(lower)) return { role: 'support', holds }
  return { role: isSettings ? 'settings' : codeRole(path), holds }
}

/** By a folder that holds nothing but tests and what they are given. */
function isInTests(path: string): boolean {
  return TEST_DATA.test(path.toLowerCase()) || TEST_PROJECT.test(path)
}

function isLog(lower: string, isSettings: boolean): boolean {
  const isInFolder = LOG_FOLDER.test(lower) && !NO_LOG.test(lower)
  if (isSettings) return isInFolder && LOG_DATA.test(lower)
  // Among the documentation, a page on security is one of its topics.
  const isPage = SECURITY_NAME.test(lower) && DOCS_FOLDER.test(lower)
  return isInFolder || (LOG_NAME.test(lower) && !isPage)
}

function withDoubt(
  role: PathRole,
  holds: PathVerdict['holds'],
  doubt: string | undefined,
): PathVerdict {
  return doubt === undefined ? { role, holds } : { role, holds, doubt }
}

/** Of code that is a part of the program. */
export function codeRole(path: string): 'source' | 'types' {
  return /\.(?:d\.ts|pyi)$/i.test(path) ? 'types' : 'source'
}
