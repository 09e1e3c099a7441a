import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/main.ts', 'src/index.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node24',
  dts: true,
  clean: true,
  fixedExtension: false,
  hash: false,
})
