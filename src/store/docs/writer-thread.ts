/**
 * A pack writer that runs in a separate thread. Writing a large pack is as much work as reading its
 * documents, most of it SQLite's, and the two can go on at the same time.
 */
import { EngineError, type ErrorCode } from '../../model/engine-error.ts'
import type { Files } from '../../platform/files.ts'
import type { Thread } from '../../platform/thread.ts'
import type { PackPaths } from './open-index.ts'
import type { PackFrame } from './pack-file.ts'
import { decodeBatch, encodeBatch, type TransferBatch } from './thread-transfer.ts'
import {
  type DocsWriter,
  openPackWriter,
  type TouchedFile,
  type WriterOptions,
} from './write-pack.ts'

type WriterMessage =
  | { readonly do: 'open'; readonly paths: PackPaths; readonly options: WriterOptions }
  | { readonly do: 'put'; readonly files: readonly TouchedFile[]; readonly wire: TransferBatch }
  | { readonly do: 'touch'; readonly files: readonly TouchedFile[] }
  | { readonly do: 'remove'; readonly paths: readonly string[] }
  | { readonly do: 'publish'; readonly frame: PackFrame; readonly order: readonly string[] }
  | { readonly do: 'close' }

/** Errors lose their class between threads, so they are sent as data. */
type WriterAnswer =
  | { readonly done: true }
  | { readonly code: ErrorCode; readonly message: string; readonly hint: string }

/** The thread's side: one writer, one message at a time. */
export function createWriterService(
  files: Files,
): (message: WriterMessage) => Promise<WriterAnswer> {
  let writer: DocsWriter | undefined
  return async (message) => {
    try {
      if (message.do === 'open') writer = openPackWriter(files, message.paths, message.options)
      else await performMessage(writer, message)
      return { done: true }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return { code: error.code, message: error.message, hint: error.hint }
    }
  }
}

async function performMessage(
  writer: DocsWriter | undefined,
  message: Exclude<WriterMessage, { readonly do: 'open' }>,
): Promise<void> {
  if (message.do === 'put') {
    const documents = decodeBatch(message.wire)
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
const MAX_PENDING_BATCHES = 16

/** The builder's side. */
export async function openWriterThread(
  thread: Thread,
  paths: PackPaths,
  options: WriterOptions,
): Promise<DocsWriter> {
  const send = async (message: WriterMessage): Promise<void> => {
    const answer = (await thread.ask(message)) as WriterAnswer
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
      await settled(MAX_PENDING_BATCHES)
      const files = documents.map(({ path, times }) => ({ path, times }))
      const sent = send({ do: 'put', files, wire: encodeBatch(documents.map((it) => it.document)) })
      // The result is awaited later; until then a rejection must not count as unhandled.
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
