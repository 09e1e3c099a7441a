export interface Wish { colour: string }
export function order(wish: Wish): Wish
