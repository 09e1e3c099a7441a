import type { ReactNode } from 'react'
import { Frame } from './frame'

interface CardProps {
  title: string
  children?: ReactNode
}

export function Card({ title, children }: CardProps) {
  const shown = title.trim()
  return (
    <Frame label={shown} onOpen={() => open(shown)}>
      <h1>{shown}</h1>
      {children}
    </Frame>
  )
}

function open(name: string): void {
  console.log(name)
}
