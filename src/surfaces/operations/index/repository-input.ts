/** The inputs that every operation on a code index shares. */
import { z } from 'zod'

export const repositoryInput = {
  path: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of the repository; the one that we are in if absent.'),
}
