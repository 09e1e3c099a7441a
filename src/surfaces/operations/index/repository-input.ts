/** The inputs that every operation on a code index shares. */
import { z } from '../../../platform/schema.ts'
import { optional } from '../input.ts'

export const repositoryInput = {
  path: optional(
    z.string().check(z.minLength(1)),
    'Folder of the repository; the one that we are in if absent.',
  ),
}

/** Taken by every operation that opens an index; `operation` gives it to the world. */
export const indexDirInput = {
  indexDir: optional(
    z.string().check(z.minLength(1)),
    'Folder of the index, in place of .dossier in the repository; else DOSSIER_INDEX_DIR.',
  ),
}
