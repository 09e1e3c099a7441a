/** The composition root of the writer's thread. */
import { realFiles } from './platform/files.ts'
import { answerTasks } from './platform/program.ts'
import { createWriterService } from './store/docs/writer-thread.ts'

answerTasks(createWriterService(realFiles))
