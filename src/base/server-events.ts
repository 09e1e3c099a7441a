/** Events of a server's stream (`text/event-stream`), however the bytes are cut on their way. */

export interface ServerEvent {
  /** `message` unless told. */
  readonly name: string
  readonly data: string
}

/** Takes what has come and gives the events that are complete. */
export class ServerEvents {
  #rest = ''
  #name = ''
  #data: string[] = []

  take(text: string): readonly ServerEvent[] {
    const events: ServerEvent[] = []
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') this.#end(events)
      else this.#field(line)
    }
    return events
  }

  /** Many servers close without the empty line after the last event. */
  finish(): readonly ServerEvent[] {
    const events: ServerEvent[] = []
    if (this.#rest !== '') this.#field(this.#rest.replace(/\r$/, ''))
    this.#rest = ''
    this.#end(events)
    return events
  }

  #end(events: ServerEvent[]): void {
    if (this.#data.length > 0) {
      events.push({ name: this.#name || 'message', data: this.#data.join('\n') })
    }
    this.#name = ''
    this.#data = []
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    // A line that begins with one is a comment, sent to keep the connection open.
    if (colon === 0) return
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') this.#data.push(value)
    if (name === 'event') this.#name = value
  }
}
