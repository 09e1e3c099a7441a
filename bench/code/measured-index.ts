/** One index of a folder, made from nothing, and how fast that was by the time of the processor. */
import { dossier, forgetIndex } from './dossier.ts'

export interface MeasuredIndex {
  readonly files: number
  readonly megabytes: number
  readonly processorSeconds: number
  readonly wallSeconds: number
  readonly peakMegabytes: number
  readonly filesPerSecond: number
  readonly megabytesPerSecond: number
}

interface Outcome {
  readonly read: number
  readonly bytes: number
}

/** The index stays where it is. */
export async function measureIndex(folder: string): Promise<MeasuredIndex> {
  forgetIndex(folder)
  const run = await dossier('index', folder, '--json', '--quiet')
  const { read, bytes }: Outcome = JSON.parse(run.stdout)
  const wallSeconds = run.milliseconds / 1000
  const processorSeconds = run.processorSeconds ?? wallSeconds
  return {
    files: read,
    megabytes: bytes / 1e6,
    processorSeconds,
    wallSeconds,
    peakMegabytes: run.peakMegabytes ?? Number.NaN,
    filesPerSecond: read / processorSeconds,
    megabytesPerSecond: bytes / 1e6 / processorSeconds,
  }
}
