/** Text that may have come from anywhere, made fit to be shown: it is read, and nothing obeys it. */

/**
 * Control characters and those that turn the reading direction round, as something that can be seen.
 * Line breaks of either kind and tabs stay. JSON is the same value afterwards: in it only those occur
 * that become escapes of JSON.
 */
export function visible(text: string): string {
  return text.replace(OBEYED, shown)
}

/** The same for a name, which is one line whatever is in it. */
export function visibleName(name: string): string {
  return name.replace(OBEYED_IN_NAMES, shown)
}

function shown(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x20
    ? String.fromCharCode(PICTURES + code)
    : `\\u${code.toString(16).padStart(4, '0')}`
}

const PICTURES = 0x2400
/** Bidirectional marks, embeddings, overrides and isolates. */
const DIRECTIONS = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
const ABOVE_SPACE = `\\u007f-\\u009f${DIRECTIONS}`
const OBEYED = new RegExp(
  `[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f${ABOVE_SPACE}]|\\r(?!\\n)`,
  'g',
)
/** Also what another program may take for the end of a line. */
const OBEYED_IN_NAMES = new RegExp(`[\\u0000-\\u001f\\u2028\\u2029${ABOVE_SPACE}]`, 'g')
