const { codes: { missing = 1 } } = require('./codes')
const Code = require('./codes').Code
const { make } = require('./codes').codes

exports.found = function found ({ name = 'none', ...rest }) {
  return [missing, new Code(name), make(rest)]
}
exports.Code = Code
