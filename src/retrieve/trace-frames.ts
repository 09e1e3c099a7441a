/** Frames of stack traces: which function they name, beside the file and the line. */

export interface TraceFrame {
  /** As the trace writes it, with `/`. */
  readonly path: string
  readonly line: number
  /** The name of the function, without what qualifies it. */
  readonly name: string
}

const MOST_FRAMES = 20
/** What is longer is data. */
const LONGEST_LINE = 600

/** What each of them repeats is bounded, and none can match in two ways: they take linear time. */
const FORMS: readonly RegExp[] = [
  /** `File "lib/a.py", line 3, in send` */
  /\bFile ["'](?<path>[^"'\n]{1,300})["'], line (?<line>\d{1,7}), in (?<name>[\w$]{1,80})/,
  /** `at Client.send (lib/a.js:3:5)`, `at port.Client.send(Client.java:3)` */
  /\bat (?:async |new )?(?<name>[\w$.#/<>]{1,160})(?: \[as [\w$.]{1,80}\])? ?\((?<path>[^()\n:]{1,300}):(?<line>\d{1,7})(?::\d{1,7})?\)/,
  /** "lib/a.rb:3:in `send'", `lib/a.rb:3:in 'Client#send'` */
  /(?<path>[^\s:'"`]{1,300}):(?<line>\d{1,7}):in [`'](?:(?:block|rescue|ensure)[\w ()]{0,40} in )?(?<name>[\w$.#:?!]{1,160})'/,
  /** `#0 lib/a.php(3): Client->send()` */
  /^\s*#\d{1,4} (?<path>[^\s()]{1,300})\((?<line>\d{1,7})\): (?<name>[\w$:>\\-]{1,160})\(/,
]

export function findTraceFrames(text: string): readonly TraceFrame[] {
  const found: TraceFrame[] = []
  for (const line of text.split('\n')) {
    if (found.length === MOST_FRAMES) break
    const frame = line.length > LONGEST_LINE ? undefined : parseFrame(line)
    if (frame !== undefined) found.push(frame)
  }
  return found
}

function parseFrame(text: string): TraceFrame | undefined {
  for (const form of FORMS) {
    const { path = '', line = '', name = '' } = form.exec(text)?.groups ?? {}
    const own = name.split(/[.#:>/\\]+/).at(-1) ?? ''
    if (path !== '' && /^[\w$]/.test(own))
      return { path: path.replaceAll('\\', '/'), line: Number(line), name: own }
  }
  return undefined
}
