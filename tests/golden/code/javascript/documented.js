import { Shape as Form } from './shapes.js'

/** @typedef {import('./shapes.js').Shape} Figure */

/**
 * @param {Figure} shape
 * @param {Array<Form>} [others]
 * @param {{ size: number }} options
 * @param {number} options.size
 * @returns {Promise<import("./shapes.js").Round | undefined>}
 */
export async function find (shape, others = [], { size }) {
  for (const other of others) other.draw()
  return shape.draw(size)
}

/** @type {Form[]} */
export const forms = JSON.parse('[]')

export async function main (given) {
  const round = /** @type {import('./shapes.js').Round} */ (given)
  forms[0].draw()
  return [round.grow(), (await find(round)).grow()]
}

export class Album {
  /** @type {?Form} */
  cover = null

  /** @param {...Form} forms */
  show (...forms) { return [this.cover.draw(), forms[0].draw()] }

  /** @param {function(Form): void} each is no type that can be followed */
  walk (each) { each(this.cover) }

  /** @param {Form} Form */
  keep (Form) { Form.draw() }
}

/**
 * @this {import('./shapes.js').Round & { size: number }}
 */
export function resize () {
  return /** @type {Form} */ (this.grow())
}
