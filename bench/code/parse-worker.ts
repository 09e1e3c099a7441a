/** A thread of raw parsing: reads, decodes and parses the files it is handed, and keeps nothing. */
import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { Language, Parser } from 'web-tree-sitter'
import { grammarFile, grammarOf } from './grammars.ts'

await Parser.init()
const parser = new Parser()
const grammars = new Map<string, Language>()
for (const name of workerData as readonly string[]) {
  grammars.set(name, await Language.load(readFileSync(grammarFile(name))))
}

parentPort?.on('message', (paths: readonly string[]) => {
  for (const path of paths) parseFile(path)
  parentPort?.postMessage('done', [])
})
parentPort?.postMessage('ready', [])

function parseFile(path: string): void {
  const text = readFileSync(path, 'utf8')
  const language = grammars.get(grammarOf(path) ?? '')
  if (language === undefined) return
  parser.setLanguage(language)
  parser.parse(text)?.delete()
}
