/**
 * The way out of the command: everything that people read passes here and is made visible. Emphasis is
 * put in after that, from marks that no text can know beforehand.
 */
import { visible } from '../../base/visible.ts'
import type { Paint } from '../operations/operation.ts'

export interface Screen {
  readonly paint: Paint
  /** What we say, with names and other text of anybody in it. */
  write(text: string): void
  /** What files hold: as it is to a pipe, and made visible for a terminal. */
  handOn(text: string): void
}

export interface Stream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** How emphasis looks on this screen. */
export type Colors = Readonly<Record<'bold' | 'dim' | 'green' | 'red', (text: string) => string>>

export function screenOn(stream: Stream, colors: Colors): Screen {
  const key = crypto.randomUUID()
  const marked = new RegExp(`<${key} (bold|dim|green|red)>(.*?)</${key}>`, 'gs')
  const marks =
    (color: keyof Colors) =>
    (text: string): string =>
      `<${key} ${color}>${text}</${key}>`
  const put = (text: string): void => {
    stream.write(
      text.replace(marked, (_, color: keyof Colors, inside: string) => colors[color](inside)),
    )
  }
  return {
    paint: {
      strong: marks('bold'),
      faint: marks('dim'),
      good: marks('green'),
      bad: marks('red'),
      isVerbose: false,
      hasFlags: true,
    },
    write: (text) => put(visible(text)),
    handOn: (text) => put(stream.isTTY === true ? visible(text) : text),
  }
}
