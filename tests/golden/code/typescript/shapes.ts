export const SQUARE = 'square'
