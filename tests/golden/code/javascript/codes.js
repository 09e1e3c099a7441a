'use strict'

function Code (name) {
  this.name = name
}

Code.prototype.text = function () {
  return 'code ' + this.name
}

const codes = {
  missing: new Code('missing'),
  make (name) { return new Code(name) }
}

module.exports = { codes, Code, describe: (it) => it.text() }
