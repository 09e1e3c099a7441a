const http = require('http')

const res = Object.create(http.ServerResponse.prototype)

res.send = function send(body) {
  return this.end(body)
}

res.json = function json(value) {
  return this.send(String(value))
}

res.render = function render(view) {
  const self = this
  const done = function (error, text) {
    self.send(text)
  }
  engine(view, done)
}

const teapot = Object.create(res)

teapot.json = function json() {
  return this.send('short and stout')
}

function Base() {}

Base.prototype.walk = function () {}

function Heir() {}

Heir.prototype = Object.create(Base.prototype)

Heir.prototype.run = function () {
  this.walk()
}

const tools = {}

Object.assign(tools, {
  cut() {},
})

tools.cut()

const merged = Object.assign({}, tools, { paste() {} })

merged.cut()
merged.paste()
teapot.render('pot')
