/** Checks a file that the user named. */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { EngineError } from '../../../model/engine-error.ts'

/** The size of a readable file. `hint`: what kind of file to give instead. */
export function readFileSize(path: string, hint: string): number {
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
      hint: 'check the path and the file permissions',
      cause,
    })
  }
  throw new EngineError('POC_E_SOURCE_INVALID', `${path} is not a file`, { hint })
}
