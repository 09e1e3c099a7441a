/** The inputs that every operation on a code index shares. */
import { z } from 'zod'

export const repositoryInput = {
  path: z
    .string()
    .min(1)
    .default('.')
    .describe('Folder of the repository; the current one if absent.'),
}
