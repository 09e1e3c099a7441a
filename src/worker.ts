/** The composition root of the writer's thread. */
import { realFiles } from './platform/files.ts'
import { writerService } from './store/docs/writer-thread.ts'

export default writerService(realFiles)
