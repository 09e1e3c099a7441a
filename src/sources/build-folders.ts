/**
 * Folders that tools fill, for projects without a git repository to say so. Only names that are
 * never source, and names that are not when the tool's own file is there. `build`, `vendor`,
 * `out` and `bin` hold real source too often, and are entered. Pure.
 */

/** `has` tells whether there is a file or folder of this path, relative to the top. */
export function isBuildFolder(path: string, has: (path: string) => boolean): boolean {
  const cut = path.lastIndexOf('/') + 1
  const name = path.slice(cut)
  if (ALWAYS.has(name)) return true
  const tools = BESIDE.get(name)?.map((it) => path.slice(0, cut) + it)
  return [...(tools ?? []), ...(INSIDE.get(name)?.map((it) => `${path}/${it}`) ?? [])].some(has)
}

/** Whether what lies in a folder of this name may decide. */
export function isToldFromWithin(name: string): boolean {
  return INSIDE.has(name)
}

/** Whether a file of this name, come or gone, can make a build folder of another. */
export function isBuildTool(name: string): boolean {
  return TOOLS.has(name)
}

const ALWAYS: ReadonlySet<string> = new Set([
  '__pycache__',
  '.venv',
  '.tox',
  '.nox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.ipynb_checkpoints',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.turbo',
  '.parcel-cache',
  '.gradle',
  '.terraform',
  '.pnpm-store',
  'bower_components',
])

/** The tool's file lies next to the folder. */
const BESIDE: ReadonlyMap<string, readonly string[]> = new Map([
  ['target', ['Cargo.toml', 'pom.xml', 'build.sbt']],
  ['dist', ['package.json', 'pyproject.toml', 'setup.py']],
  ['_build', ['mix.exs', 'dune-project']],
])

/** The tool's file lies in the folder. */
const INSIDE: ReadonlyMap<string, readonly string[]> = new Map([
  ['venv', ['pyvenv.cfg']],
  ['env', ['pyvenv.cfg']],
])

const TOOLS: ReadonlySet<string> = new Set([...BESIDE.values(), ...INSIDE.values()].flat())
