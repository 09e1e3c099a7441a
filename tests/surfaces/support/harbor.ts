/** A small repository with a graph that is known: who calls whom, who tests what. */
import type { ContextPack } from '../../../src/model/context-pack.ts'
import { folderWith, write } from './folder.ts'
import { dossier } from './program.ts'

export const HARBOR: Readonly<Record<string, string>> = {
  'src/harbor.ts': `import { berthFor } from './berths'

/** Lets a ship in, if there is a berth that is long enough for it. */
export function dockShip(name: string, length: number): string {
  const berth = berthFor(length)
  if (berth === undefined) throw new Error('no berth is long enough')
  return \`\${name} lies at \${berth}\`
}
`,
  'src/berths.ts': `const LENGTHS = new Map([['north', 80], ['south', 200]])

/** The first berth that a ship of this length fits in. */
export function berthFor(length: number): string | undefined {
  for (const [berth, most] of LENGTHS) if (length <= most) return berth
  return undefined
}
`,
  'src/office.ts': `import { dockShip } from './harbor'

export class HarborOffice {
  readonly log: string[] = []

  receive(name: string, length: number): void {
    this.log.push(dockShip(name, length))
  }
}
`,
  'tests/harbor.test.ts': `import { dockShip } from '../src/harbor'

test('a long ship lies in the south', () => {
  expect(dockShip('Anna', 150)).toBe('Anna lies at south')
})
`,
  'README.md': `# Harbor

Ships are docked by \`dockShip\` in \`src/harbor.ts\`; berths have a greatest length.
`,
  'secret/plans.ts': `export function dockShipSecretly() { return 'at night' }\n`,
}

/** Gone when the test is. */
export function harborFolder(): string {
  return folderWith(HARBOR)
}

export async function indexedHarbor(): Promise<string> {
  const folder = harborFolder()
  await reindex(folder)
  return folder
}

export async function reindex(folder: string, ...flags: readonly string[]): Promise<void> {
  const done = await dossier(['index', '--quiet', ...flags], { cwd: folder })
  if (done.status !== 0) throw new Error(done.stderr)
}

/** Another body of one function, and nothing else. */
export function editBerths(folder: string): void {
  const text = HARBOR['src/berths.ts'] ?? ''
  write(folder, {
    'src/berths.ts': text.replace('return undefined', "return length > 900 ? undefined : 'pier'"),
  })
}

export function placesOf(pack: ContextPack): readonly string[] {
  return pack.sections.flatMap(({ items }) => items.map((it) => it.fileRelPath))
}
