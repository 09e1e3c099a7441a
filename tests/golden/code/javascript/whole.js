exports = module.exports = Shop

function Shop () {}

function Item () {}

exports.Item = Item
exports.prices = { low: 1 }
