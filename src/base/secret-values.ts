/** Whether a value looks like a secret, or like a word, a path, a pattern or an example. */

const EXAMPLE_PARTS =
  'example|sample|dummy|fake|placeholder|change_?me|redacted|xxxx|\\*{3}|\\.{3}|1234567|abcdefg|qwerty|deadbeef|(?:[^a-z]|^)(?:your|test|my|foo|bar)(?:[^a-z]|$)'
const EXAMPLE = new RegExp(EXAMPLE_PARTS, 'i')
const SPEAKS_OF_SECRETS = /secret|passw|token/i
/** What is put there later: `${NAME}`, `{{ name }}`, `<name>`, `%(name)s`, `$(command)`, `$NAME`. */
const TEMPLATE = /[$#%]\{|\{\{|<[a-z%]|%\(|\$\(|^\$[A-Za-z_]|^%[A-Za-z_]|%$|^[*&!][a-z]/i
const REGULAR_EXPRESSION = /\(\?|\[\^|\[[a-z0-9]-|\{[0-9]+,/i
const ADDRESS_OR_PATH =
  /:\/\/|^(?:\.{0,2}\/|~\/|[A-Za-z]:\/)?(?:[\w.-]+\/)+[\w.-]*\.[a-z0-9]{1,8}$|^(?:\.{0,2}|~)(?:\/[a-z0-9_.-]{1,40})+\/?$/

/** `user2.name` and `data.key.ci2` are members in code. */
const MEMBER = /^[A-Za-z_$][\w$]{0,40}(?:(?:\.|::|->)[A-Za-z_$][\w$]{0,40}){1,8}$/

/** Letters and digits, many different ones, and hardly a word among them. */
export function looksRandom(value: string): boolean {
  if (SPEAKS_OF_SECRETS.test(value) || !/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) return false
  return !isExample(value) && !isMadeOfWords(value) && entropy(value) >= LEAST_ENTROPY
}

/** What people and generators choose: short, of several kinds of characters, no plain word. */
export function looksLikePassword(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((it) => it.test(value)).length
  const groups = value.match(/[0-9]+/g)?.length ?? 0
  if (groups === 0 || kinds < 3) return false
  // `Sha256Hash` is a name in code.
  if (groups < 2 && /^[A-Za-z_$][\w$-]*$/.test(value)) return false
  return !isExample(value) && !isMadeOfWords(value) && entropy(value) >= PASSWORD_ENTROPY
}

function isExample(value: string): boolean {
  return (
    EXAMPLE.test(value) ||
    TEMPLATE.test(value) ||
    MEMBER.test(value) ||
    REGULAR_EXPRESSION.test(value) ||
    ADDRESS_OR_PATH.test(value)
  )
}

function isMadeOfWords(value: string): boolean {
  let letters = 0
  for (const [word] of value.matchAll(/[A-Za-z][a-z]{4,}|[A-Z]{6,}/g)) letters += word.length
  return letters >= value.length / 2
}

/** Bits per character; of sixteen hexadecimal digits at random it is 3.3 on the average. */
const LEAST_ENTROPY = 3
/** Of eight different characters it is 3. */
const PASSWORD_ENTROPY = 2.5

function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) {
    const share = count / value.length
    bits -= share * Math.log2(share)
  }
  return bits
}

const COMMON_PASSWORD =
  /^(?:[a-z_-]*p[a4@]ss[a-z0_%-]*[0-9]{0,4}[a-z]*|pwd?|[a-z_-]*secret[a-z_-]*[0-9]{0,4}|tokens?|[a-z_-]*token|(?:api)?key|user.*|admin|root|test.*|example.*|foo|bar|baz|hunter2|postgres.*|mysql|guest|rabbitmq|redis|open ?sesame|your.*|my.*|change_?me|x+|\*+|\.+|[0-9]{1,6}|[$%<{[].*|.*redacted.*)$/i

/** The password of `user:password`, where both are written out. */
export function isChosenPassword(value: string): boolean {
  return !COMMON_PASSWORD.test(value)
}

/** What follows `Basic` in a header: `user:password` in base64. */
export function isBasicCredential(value: string): boolean {
  const digits = value.replace(/=+$/, '')
  if (digits.length % 4 === 1) return false
  const text = atob(digits)
  const at = text.indexOf(':')
  return at > 0 && /^[\x20-\x7e\x80-\xff]+$/.test(text) && isChosenPassword(text.slice(at + 1))
}
