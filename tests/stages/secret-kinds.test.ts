/** T5: the committed table of secrets, and what must be left alone. */
import { describe, expect, test } from 'vitest'
import { redactSecrets } from '../../src/base/secrets.ts'
import { DECOYS, SECRET_KINDS } from '../support/secret-kinds.ts'

describe('T5 kinds of secrets', () => {
  test.each(SECRET_KINDS)('T5 is redacted: $kind', ({ text, secret }) => {
    const once = redactSecrets(text)
    expect(once.count).toBe(1)
    expect(once.text).not.toContain(secret)
    expect(once.text).toMatch(/\[redacted\]|\*{4}/)
    expect(redactSecrets(once.text)).toEqual({ text: once.text, count: 0 })
  })

  test.each(DECOYS)('T5 is left alone: %s', (text) => {
    expect(redactSecrets(text)).toEqual({ text, count: 0 })
  })
})
