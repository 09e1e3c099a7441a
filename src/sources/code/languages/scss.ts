import type { Language } from '../language.ts'

/** No grammar at hand reads these: they are cut, not understood. */
export const scss: Language = {
  id: 'scss',
  extensions: ['.scss', '.sass', '.less', '.styl'],
}
