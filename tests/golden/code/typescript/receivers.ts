class Shop {
  name = 'shop'
  open() {}
}

class Kiosk extends Shop {
  rename() { this.name = 'kiosk' }
}

function close(this: Shop, later: Kiosk) {
  this.open()
  return /* at last */ later.rename()
}

type Handler = (this: Shop, shop: Kiosk) => void
export const handler: Handler = (shop) => close.call(shop, shop.rename())

export type First<T> = T extends [infer Head extends Shop, ...unknown[]] ? Head : never
