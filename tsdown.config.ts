import { join } from 'node:path'
import { defineConfig } from 'tsdown'
import { buildVocabulary } from './src/platform/tokenizer.ts'

const SHARED = {
  format: 'esm',
  platform: 'node',
  target: 'node24',
  tsconfig: 'tsconfig.build.json',
  fixedExtension: false,
  hash: false,
} as const

export default defineConfig([
  {
    ...SHARED,
    entry: ['src/main.ts', 'src/worker.ts', 'src/extractor.ts'],
    outDir: 'dist/bin',
    dts: false,
    // What every start loads: bundled, without what is not used, it loads in half of the time.
    deps: { alwaysBundle: ['zod', 'commander', 'picocolors', 'ignore'] },
    // Both builds look for it in the folder above their own.
    onSuccess: () => buildVocabulary(join(import.meta.dirname, 'dist', 'o200k.bin')),
  },
  {
    ...SHARED,
    entry: ['src/index.ts', 'src/worker.ts', 'src/extractor.ts'],
    outDir: 'dist/library',
    dts: true,
  },
])
