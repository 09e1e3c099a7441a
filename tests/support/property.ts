/**
 * How properties are run. The seed is fixed, so that a red build is red for everybody; to look
 * further than every build does, set DOSSIER_SEED and DOSSIER_RUNS (a factor), and give vitest a
 * longer --testTimeout.
 */
export function runs(count: number): { readonly numRuns: number; readonly seed: number } {
  const factor = Number(process.env['DOSSIER_RUNS'] ?? 1)
  const seed = Number(process.env['DOSSIER_SEED'] ?? 20_251_229)
  return { numRuns: Math.ceil(count * factor), seed }
}
