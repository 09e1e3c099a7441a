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

const VENDORED = /(?:^|\/)(?:node_modules|vendor|vendored|third_?party|external|deps)\//
const TEST_DATA = /(?:^|\/)(?:fixtures?|testdata|test-data|__snapshots__|__?mocks?__?|playground)\//
const LOG_NAME =
  /(?:^|\/)(?:change-?log|changes|history|news|releases?|release-?notes|authors|contributors|maintainers|licen[sc]e|copying|notice|security|code_of_conduct)(?:[.-][^/]*)?$/
const LOG_FOLDER = /(?:^|\/)(?:change-?logs?|changes|news)\//
const DOCS_NAME = /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|html?|[1-9]|man|tex|texi|ipynb)$/
const DOCS_FOLDER = /(?:^|\/)(?:docs?|documentation|website|site|man|manual|guides?)\//
const SUPPORT_FOLDER =
  /(?:^|\/)(?:examples?|samples?|demos?|benchmarks?|bench|benches|perf|scripts?|tools?|contrib|\.github|\.circleci|ci)\//
const SETTINGS_NAME =
  /\.(?:json5?|jsonc|ya?ml|toml|lock|ini|cfg|conf|xml|gradle|cmake|css|scss|less|svg|csv|tsv|snap|properties|in|ac|am|m4)$|(?:^|\/)(?:makefile|dockerfile|gemfile|rakefile|vagrantfile|procfile|\.[^/]+)$/

export function pathRole(path: string): PathRole {
  const lower = path.toLowerCase()
  if (VENDORED.test(lower)) return 'vendored'
  if (isTestPath(path) || TEST_DATA.test(lower)) return 'test'
  if (LOG_NAME.test(lower) || LOG_FOLDER.test(lower)) return 'log'
  if (DOCS_NAME.test(lower) || DOCS_FOLDER.test(lower)) return 'docs'
  if (SUPPORT_FOLDER.test(lower)) return 'support'
  if (SETTINGS_NAME.test(lower)) return 'settings'
  return lower.endsWith('.d.ts') || lower.endsWith('.pyi') ? 'types' : 'source'
}
