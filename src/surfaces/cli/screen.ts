/**
 * The output of the command: control characters are made visible in everything that people read.
 * Emphasis is applied after that, from random markers that no text can contain.
 */
import { visible } from '../../base/visible.ts'
import type { Paint } from '../operations/operation.ts'

export interface Screen {
  readonly paint: Paint
  /** Our output, which may contain foreign names and text. */
  write(text: string): void
  /** File content: unchanged to a pipe, escaped for a terminal. */
  handOn(text: string): void
}

export interface OutputStream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** How emphasis looks on this screen. */
export type Colors = Readonly<Record<'bold' | 'dim' | 'green' | 'red', (text: string) => string>>

export function createScreen(stream: OutputStream, colors: Colors): Screen {
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
