const { codes, describe: tell } = require('./codes')
const all = require('./codes.js')

class Log {
  #lines = []
  static open () { return new Log() }
  get last () { return this.#lines.at(-1) }
  write (line) { this.#lines.push(line); return this }
}

exports.main = function main (path) {
  const log = Log.open()
  log.write(tell(codes.missing)).write(path)
  return all.codes.make(log.last).text()
}
