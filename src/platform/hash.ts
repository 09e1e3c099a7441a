import { hash } from 'node:crypto'

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

export function sha1(data: string | Uint8Array): string {
  return hash('sha1', data, 'hex')
}

let xxh64: Promise<(text: string) => string> | undefined

/** For names of many small things, not for safety: 16 hexadecimal digits over the UTF-8 bytes. */
export function loadXxh64(): Promise<(text: string) => string> {
  xxh64 ??= startXxh64()
  return xxh64
}

async function startXxh64(): Promise<(text: string) => string> {
  const { default: xxhash } = await import('xxhash-wasm')
  const api = await xxhash()
  return (text) => api.h64ToString(text)
}
