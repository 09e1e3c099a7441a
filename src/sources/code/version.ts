/** Changes with everything that reading a file gives: an index made by another version is made anew. */
import { FACTS_FORMAT } from '../../model/facts-codec.ts'

export const EXTRACTOR_VERSION = `5.${FACTS_FORMAT}`
