/** What a command is handed on its standard input. */
import { EngineError } from '../model/engine-error.ts'
import type { World } from '../platform/world.ts'

export async function inputText(world: World, what: string): Promise<string> {
  if (world.input === undefined) {
    throw new EngineError('POC_E_REQUEST_INVALID', `there is no input to take ${what} from`, {
      hint: 'give it in place of -',
    })
  }
  return new TextDecoder().decode(await world.input())
}
