export function order (wish) { return wish }
