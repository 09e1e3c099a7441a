import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/main.ts', 'src/index.ts', 'src/worker.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node24',
  tsconfig: 'tsconfig.build.json',
  dts: true,
  clean: true,
  fixedExtension: false,
  hash: false,
})
