/**
 * Vectors as whole numbers from -127 to 127: a quarter of the room, and the last bits, in which
 * machines and libraries may differ, are gone. Directions are all that is compared.
 */

const LARGEST = 127

export interface ByteVectors {
  readonly bytes: Int8Array
  /** What each vector must be multiplied by to be what it was. */
  readonly scales: Float64Array
}

/** Rows of this many numbers; the largest number of each row becomes 127 or -127. */
export function scaleToBytes(rows: ArrayLike<number>, dimensions: number): ByteVectors {
  const bytes = new Int8Array(rows.length)
  const scales = new Float64Array(rows.length / dimensions)
  for (let row = 0; row < scales.length; row += 1) {
    const first = row * dimensions
    let most = 0
    for (let d = 0; d < dimensions; d += 1) most = Math.max(most, Math.abs(rows[first + d] ?? 0))
    if (most === 0) continue
    scales[row] = most / LARGEST
    for (let d = 0; d < dimensions; d += 1) {
      bytes[first + d] = Math.round(((rows[first + d] ?? 0) / most) * LARGEST)
    }
  }
  return { bytes, scales }
}

/** From -1 to 1; 0 where one of them is all zero. Sums of whole numbers have no order to depend on. */
export function computeCosine<Vector extends Int8Array | Float32Array>(
  a: Vector,
  b: Vector,
): number {
  let product = 0
  let ofA = 0
  let ofB = 0
  for (let d = 0; d < a.length; d += 1) {
    const [x, y] = [a[d] ?? 0, b[d] ?? 0]
    product += x * y
    ofA += x * x
    ofB += y * y
  }
  return product === 0 ? 0 : product / Math.sqrt(ofA * ofB)
}
