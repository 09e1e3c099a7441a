/**
 * zod in its form of functions: a tenth of the code of the one of methods, and schemas that are made
 * in a third of the time, which every short command makes anew. English has to be asked for.
 */

import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'

z.config(en())

export { z }
