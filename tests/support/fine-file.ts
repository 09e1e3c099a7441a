/** A file that stands beside whatever is wrong, and is indexed all the same. */
import { expect } from 'vitest'
import { dumpOf } from './indexed-folder.ts'

export const FINE = '//- fine.ts\nexport function fine() {\n  return 1\n}\nfine()\n'

/** Whatever else there is: this file was read and resolved. */
export async function expectFine(folder: string): Promise<string> {
  const dump = await dumpOf(folder)
  expect(dump).toMatch(/edge \["fine\.ts",.*"call",.*`fine\.ts`\/fine\(\)\./)
  return dump
}
