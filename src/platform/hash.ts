import { hash } from 'node:crypto'

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

export function sha1(data: string | Uint8Array): string {
  return hash('sha1', data, 'hex')
}
