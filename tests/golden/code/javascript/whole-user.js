const Shop = require('./whole')
const { Item, prices } = Shop

let low
;({ low } = prices)
;[low] = [new Item(), new Shop.Item(), low]
