import { order } from './declared'

/** @param {import('./declared').Wish} wish */
export const send = (wish) => order(wish.colour)
