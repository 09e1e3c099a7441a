import { SQUARE } from './shapes'

class Cat {
  name = 'cat'
  purr() {}
}
class Kitten extends Cat {
  play() {}
}
class Dog {
  name = 'dog'
  bark() {}
}

interface Square {
  kind: 'square'
  area: number
}
interface Circle {
  kind: 'circle'
  area: number
}
interface Line {
  kind: 'line' | 'ray'
  area: undefined
}
enum Level {
  low,
  high,
}
interface Calm {
  level: Level.low
  note: string
}
interface Loud {
  level: Level.high
  note: string
}

function isDog(it: Cat | Dog): it is Dog {
  return it instanceof Dog
}

function classes(pet: Cat | Dog, base: Cat, unknown) {
  pet.name
  if (pet instanceof Dog) pet.name
  else pet.name
  if (isDog(pet)) pet.name
  if (!(pet instanceof Dog)) return pet.name
  pet.name
  const named = base instanceof Kitten ? base.play() : base.purr()
  if (unknown instanceof Kitten && unknown.play()) unknown.purr()
  pet = new Cat()
  pet.name
}

function kinds(shape: Circle | Square | Line, mood: Calm | Loud) {
  if (shape.kind === SQUARE) shape.area
  if (shape.kind === 'circle' || shape.kind === 'line') shape.area
  if (shape.kind !== 'square' && shape.kind !== 'circle') shape.area
  switch (shape.kind) {
    case 'square':
      return shape.area
    case 'line':
    case 'ray':
      return shape.area
    default:
      shape.area
  }
  if (mood.level === Level.high) mood.note
}

type Result = { ok: true; value: Cat; why: string } | { ok: false; error: Dog; why: number }

function results(one: Result, two: Result, many: Cat | Cat[]) {
  if (!one.ok) return one.why
  const { why } = one
  if ('error' in two) two.why
  if (Array.isArray(many)) many[0].name
  else many.name
  function later(one: { why: Cat }) {
    return one.why
  }
}
