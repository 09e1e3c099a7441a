/** Run as a child: finds and stats every file of the folder that is its argument. Nothing less can notice a change. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

statAll(process.argv[2] ?? '.')

function statAll(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === '.dossier') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) statAll(path)
    else statSync(path)
  }
}
