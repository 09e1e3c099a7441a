/** What Node keeps of compiled modules from run to run. */
import { enableCompileCache } from 'node:module'

/** Each thread compiles its modules anew; what the main thread keeps of that is not kept for them. */
export function keepCompiledModules(): void {
  enableCompileCache()
}
