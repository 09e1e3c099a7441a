/** A generated repository on disk, and its edits. Says which paths an edit touched, as a watcher would. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { folderOf } from '../../src/base/paths.ts'
import {
  type Edit,
  furtherStatement,
  type GeneratedFiles,
  type Statements,
} from './generated-repository.ts'

/** What stands at a path: text, bytes that are no text, or a link. */
type Content = Statements | 'binary' | 'link'

export class EditedFolder {
  readonly folder: string
  readonly #files = new Map<string, Content>()
  /** Times are told apart by it, and lie far enough back to be trusted. */
  #time = Date.UTC(2024, 0, 1)

  constructor(folder: string, files: GeneratedFiles) {
    this.folder = folder
    for (const [path, statements] of files) this.#put(path, statements)
  }

  /** The same files in another folder, put there in another order. */
  copyTo(folder: string): void {
    for (const [path, content] of [...this.#files].toReversed()) write(folder, path, content)
  }

  apply(edit: Edit): readonly string[] {
    if (edit.kind === 'write') return this.#put(edit.file, edit.statements)
    const path = this.#pathAt(edit.at)
    if (path === undefined) return []
    switch (edit.kind) {
      case 'delete':
        return this.#remove(path)
      case 'delete-folder':
        return this.#removeFolder(folderOf(path))
      case 'rename':
        return this.#rename(path, edit.to)
      case 'rename-folder':
        return this.#renameFolder(folderOf(path), edit.to)
      case 'swap':
        return this.#swap(path, this.#pathAt(edit.with) ?? path)
      case 'touch':
        return this.#put(path, this.#files.get(path) ?? [])
      case 'binary':
      case 'link':
        return this.#put(path, edit.kind)
      default:
        return this.#put(path, changed(path, this.#statements(path), edit))
    }
  }

  #statements(path: string): Statements {
    const content = this.#files.get(path)
    return typeof content === 'string' ? [] : (content ?? [])
  }

  #pathAt(at: number): string | undefined {
    const paths = [...this.#files.keys()].toSorted()
    return paths[at % paths.length]
  }

  /** Nothing where a file stands in the way of a folder, or a folder in that of a file. */
  #put(path: string, content: Content): readonly string[] {
    if (this.#isBlocked(path)) return []
    this.#files.set(path, content)
    write(this.folder, path, content)
    this.#time += 1000
    const at = join(this.folder, path)
    if (content !== 'link') utimesSync(at, this.#time / 1000, this.#time / 1000)
    return [path]
  }

  #isBlocked(path: string): boolean {
    for (const known of this.#files.keys())
      if (known.startsWith(`${path}/`) || path.startsWith(`${known}/`)) return true
    return false
  }

  #remove(path: string): readonly string[] {
    this.#files.delete(path)
    rmSync(join(this.folder, path), { force: true })
    return [path]
  }

  #removeFolder(folder: string): readonly string[] {
    if (folder === '') return []
    for (const path of this.#files.keys())
      if (path.startsWith(`${folder}/`)) this.#files.delete(path)
    rmSync(join(this.folder, folder), { recursive: true, force: true })
    return [folder]
  }

  #rename(path: string, to: string): readonly string[] {
    if (path === to || this.#isBlocked(to)) return []
    const content = this.#files.get(path) ?? []
    this.#files.delete(path)
    this.#files.set(to, content)
    mkdirSync(dirname(join(this.folder, to)), { recursive: true })
    renameSync(join(this.folder, path), join(this.folder, to))
    return [path, to]
  }

  #renameFolder(folder: string, to: string): readonly string[] {
    const target = join(this.folder, to)
    if (folder === '' || `${to}/`.startsWith(`${folder}/`) || this.#isBlocked(to)) return []
    if (existsSync(target) && readdirSync(target).length > 0) return []
    for (const [path, content] of this.#files.entries().toArray()) {
      if (!path.startsWith(`${folder}/`)) continue
      this.#files.delete(path)
      this.#files.set(to + path.slice(folder.length), content)
    }
    rmSync(target, { recursive: true, force: true })
    mkdirSync(dirname(target), { recursive: true })
    renameSync(join(this.folder, folder), target)
    return [folder, to]
  }

  #swap(one: string, other: string): readonly string[] {
    const [first, second] = [this.#files.get(one) ?? [], this.#files.get(other) ?? []]
    return [...this.#put(one, second), ...this.#put(other, first)]
  }
}

type ContentEdit = Extract<
  Edit,
  { kind: 'add-statement' | 'drop-statement' | 'body' | 'signature' | 'break' | 'empty' }
>

function changed(path: string, before: Statements, edit: ContentEdit): Statements {
  switch (edit.kind) {
    case 'add-statement':
      return [...before, furtherStatement(path, edit.seed)]
    case 'drop-statement':
      return before.toSpliced(edit.which % Math.max(1, before.length), 1)
    case 'body':
      return before.map((it) => it.replaceAll(/\b\d+\b/g, String(edit.value)))
    case 'signature':
      return before.map((it) => it.replace(/\b(function|def|func) \w+/, `$1 ${edit.name}`))
    case 'break':
      return broken(before, edit.where)
    case 'empty':
      return []
  }
}

/** Cut off in the middle. */
function broken(before: Statements, where: number): Statements {
  const at = where % Math.max(1, before.length)
  return before.map((it, each) => (each === at ? it.slice(0, where % 40) : it))
}

function write(folder: string, path: string, content: Content): void {
  const at = join(folder, path)
  mkdirSync(dirname(at), { recursive: true })
  rmSync(at, { force: true })
  if (content === 'link') symlinkSync('nowhere', at)
  else if (content === 'binary') writeFileSync(at, Uint8Array.of(0, 1, 2, 0))
  else writeFileSync(at, content.map((it) => `${it}\n`).join(''))
}
