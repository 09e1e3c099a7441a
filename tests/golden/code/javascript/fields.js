class Shape {
  constructor (name) {
    this.name = name
    this.draw = () => this.draw()
  }

  draw () { return this.name }
}

class Round extends Shape {
  grow ({ draw, size = this.name }) { return [draw, size] }
}

module.exports = new Round('o').draw()
