import { defineConfig } from 'tsdown'

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
  },
  {
    ...SHARED,
    entry: ['src/index.ts', 'src/worker.ts', 'src/extractor.ts'],
    outDir: 'dist/library',
    dts: true,
  },
])
