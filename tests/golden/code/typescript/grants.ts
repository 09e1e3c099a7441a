import type { Except } from 'elsewhere'

interface Shape {
  size: number
}

const plain: Except<Shape, 'size'> = { size: 1 }
plain.colour = 'red'
export const colour = plain.colour

export function draw() {
  return draw.times
}
draw.times = 1

const shapes: Shape[] = []
shapes.push({ size: draw.times })
