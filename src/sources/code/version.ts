/** Changes with everything that reading or resolving a file gives: an index made by another version is made anew. */
import { FACTS_FORMAT } from '../../model/facts-codec.ts'

export const EXTRACTOR_VERSION = `7.${FACTS_FORMAT}`
