import common, { found } from './common.cjs'

export const all = [common.found({}), found({}), new common.Code('a').text()]
