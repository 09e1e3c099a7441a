/** The inputs that every operation on a code index shares. */
import { z } from '../../../platform/schema.ts'
import { optional } from '../input.ts'

export const repositoryInput = {
  path: optional(
    z.string().check(z.minLength(1)),
    'Folder of the repository (default: the current one).',
  ),
}

/** Taken by every operation that opens an index; `operation` gives it to the world. */
export const indexDirInput = {
  indexDir: optional(
    z.string().check(z.minLength(1)),
    'Folder of the index instead of .dossier in the repository (default: DOSSIER_INDEX_DIR).',
  ),
}
