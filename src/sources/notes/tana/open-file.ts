/** Opening what somebody named, with words for whoever named the wrong thing. */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { EngineError } from '../../../model/engine-error.ts'

/** The number of bytes of a file that can be read. `hint`: what should have been named. */
export function fileSize(path: string, hint: string): number {
  try {
    const file = openSync(path, 'r')
    try {
      const stat = fstatSync(file)
      if (stat.isFile()) return stat.size
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    throw new EngineError('POC_E_READ_FAILED', `${path} cannot be read`, {
      hint: 'check the path, and that the file may be read',
      cause,
    })
  }
  throw new EngineError('POC_E_SOURCE_INVALID', `${path} is not a file`, { hint })
}
