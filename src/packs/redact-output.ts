/**
 * The step that all text passes before it is handed out: likely secrets are redacted, unless the
 * person has asked to see them. What is stored keeps its text.
 */
import { redactSecretsInLines } from '../base/secrets.ts'
import { counted } from '../base/text.ts'
import type { World } from '../platform/world.ts'

/** Nobody but a person at the keyboard can be shown secrets. */
export interface Viewer {
  readonly revealsSecrets?: boolean | undefined
  readonly isServed?: boolean | undefined
}

export interface ShownText {
  readonly text: string
  /** How many likely secrets are not in it. */
  readonly redacted: number
}

/** As many lines as before, so that numbers of lines stay true. */
export function shownText(viewer: Viewer, text: string): ShownText {
  if (viewer.revealsSecrets === true && viewer.isServed !== true) return { text, redacted: 0 }
  const { text: shown, count } = redactSecretsInLines(text)
  return { text: shown, redacted: count }
}

/** `2 likely secrets`. */
export function secretsCounted(count: number): string {
  return counted(count, 'likely secret')
}

/** Says that there is less than there was; a client reads it in the answer itself. */
export function noticeRedacted(world: World, count: number): void {
  if (count === 0 || world.isServed === true) return
  const [are, them] = count === 1 ? ['is', 'it'] : ['are', 'them']
  world.notice(`${secretsCounted(count)} ${are} redacted; --reveal shows ${them}`)
}
