import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Processes, not threads: grammars are compiled code, and threads that come and go with it in
    // one process can end the process (see src/platform/wasm.ts).
    pool: 'forks',
    maxWorkers: 2,
  },
})
