export class Shape {
  draw () {}
}

export class Round extends Shape {
  grow () {}
}
