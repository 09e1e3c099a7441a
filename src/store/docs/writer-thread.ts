/**
 * A writer in a thread of its own. Writing a large pack is as much work as reading its documents,
 * most of it SQLite's, and the two can go on at the same time.
 */
import { EngineError, type ErrorCode } from '../../model/engine-error.ts'
import type { Files } from '../../platform/files.ts'
import type { Thread } from '../../platform/thread.ts'
import type { PackPaths } from './open-index.ts'
import type { PackFrame } from './pack-file.ts'
import { fromWire, toWire, type Wire } from './wire.ts'
import { type DocsWriter, openWriter, type TouchedFile, type WriterOptions } from './write-pack.ts'

type Message =
  | { readonly do: 'open'; readonly paths: PackPaths; readonly options: WriterOptions }
  | { readonly do: 'put'; readonly files: readonly TouchedFile[]; readonly wire: Wire }
  | { readonly do: 'touch'; readonly files: readonly TouchedFile[] }
  | { readonly do: 'remove'; readonly paths: readonly string[] }
  | { readonly do: 'publish'; readonly frame: PackFrame; readonly order: readonly string[] }
  | { readonly do: 'close' }

/** An error of ours loses its class on the way between threads, so it travels as data. */
type Answer =
  | { readonly done: true }
  | { readonly code: ErrorCode; readonly message: string; readonly hint: string }

/** The thread's side: one writer, one message at a time. */
export function writerService(files: Files): (message: Message) => Promise<Answer> {
  let writer: DocsWriter | undefined
  return async (message) => {
    try {
      if (message.do === 'open') writer = openWriter(files, message.paths, message.options)
      else await perform(writer, message)
      return { done: true }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return { code: error.code, message: error.message, hint: error.hint }
    }
  }
}

async function perform(
  writer: DocsWriter | undefined,
  message: Exclude<Message, { readonly do: 'open' }>,
): Promise<void> {
  if (message.do === 'put') {
    const documents = fromWire(message.wire)
    await writer?.put(
      message.files.flatMap((file, at) => {
        const document = documents[at]
        return document === undefined ? [] : [{ ...file, document }]
      }),
    )
  } else if (message.do === 'touch') await writer?.touch(message.files)
  else if (message.do === 'remove') await writer?.remove(message.paths)
  else if (message.do === 'publish') await writer?.publish(message.frame, message.order)
  else await writer?.close()
}

/** Batches that may wait for the writer: enough that it is never idle, few enough to bound memory. */
const MOST_AHEAD = 16

/** The builder's side. */
export async function openWriterThread(
  thread: Thread,
  paths: PackPaths,
  options: WriterOptions,
): Promise<DocsWriter> {
  const send = async (message: Message): Promise<void> => {
    const answer = (await thread.ask(message)) as Answer
    if ('code' in answer) throw new EngineError(answer.code, answer.message, { hint: answer.hint })
  }
  const ahead: Promise<unknown>[] = []
  const settled = async (most: number): Promise<void> => {
    while (ahead.length > most) await ahead.shift()
  }
  try {
    await send({ do: 'open', paths, options })
  } catch (error) {
    await thread.close()
    throw error
  }
  return {
    async put(documents) {
      await settled(MOST_AHEAD)
      const files = documents.map(({ path, times }) => ({ path, times }))
      const sent = send({ do: 'put', files, wire: toWire(documents.map((it) => it.document)) })
      // Looked at when its turn comes; until then a failure is no unhandled one.
      sent.catch(() => undefined)
      ahead.push(sent)
    },
    touch: (files) => send({ do: 'touch', files }),
    remove: (removed) => send({ do: 'remove', paths: removed }),
    async publish(frame, order) {
      await settled(0)
      await send({ do: 'publish', frame, order })
    },
    async close() {
      await Promise.allSettled(ahead)
      await send({ do: 'close' })
      await thread.close()
    },
  }
}
