declare global {
  namespace Runtime {
    function start(): Settings
  }
}

class Meter {
  read() {}
}
interface Reading {
  read(): void
}
interface Measure {
  (of: string): Reading
  unit: string
}

export const measure: Measure = function (of) {
  return new Meter()
} as any

interface Sizes {
  unit: string
}
export const SIZES: Record<string, Sizes> = {
  map: { unit: 'entries' },
  file: { unit: 'bytes' },
}

export function main(settings: Settings) {
  if (__DEV__) settings.debug
  Runtime.start().debug
  measure('x').read()
  return measure.unit
}
