/** Text that may have come from anywhere, made fit for a terminal. */

/** Control characters as pictures of themselves; line breaks of either kind and tabs stay. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (it) => {
    const code = it.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(PICTURES + code)
    return code === 0x7f ? '\u2421' : '\ufffd'
  })
}

const PICTURES = 0x2400
// oxlint-disable-next-line no-control-regex -- They are what a terminal would obey.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\r(?!\n)/g
