/** Really: until the engine ends the thread. In small pieces, so that it is the thread alone. */
export function runOutOfMemory(): void {
  const kept: object[][] = []
  for (;;) kept.push(Array.from({ length: 1000 }, () => ({ taken: kept.length })))
}
