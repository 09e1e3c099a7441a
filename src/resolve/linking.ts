/**
 * What resolving has to be told of a language: how its files find each other, and what a bare name
 * may mean. One table per family of languages in `linking/`. Everything that is asked of the
 * repository goes through `Ask`, which remembers the questions: a file is resolved again when the
 * answer to one of its questions changes, and only then.
 */
import type { DefinitionKind, Facts } from '../model/facts.ts'

export interface Linking {
  readonly languages: readonly string[]
  /**
   * Whether a bare name can mean a member of the class around it: never (JavaScript), only in the
   * class's own body (Python), or also in its methods, inherited members included (Java).
   */
  readonly bareMembers: 'never' | 'directly' | 'always'
  /** Calling a class makes an instance, without `new`. */
  readonly callMakes: boolean
  /** What stands at the top of a file can be imported without being exported. */
  readonly exportsAll: boolean
  /** Which wildcard imports bring in what can be imported from the file in turn. */
  readonly passesOnWildcards?: 'all' | 'exported'
  /** Paths of the files that together are the module a specifier names; none when it is foreign. */
  modules(specifier: string, from: string, ask: Ask): readonly string[]
  /** `#include`, where the text of other files becomes a part of a file's own. */
  readonly including?: Including
  /** The file that declares for others what a file exports, beside what it exports itself. */
  declaredBeside?(path: string, ask: Ask): string | undefined
  /** What `name` of the module `specifier` is, where that is not simply what its files export. */
  imported?(wanted: Imported, from: string, ask: Ask): readonly Place[]
  /**
   * What a name means to those who import the module of a file, where a module is all the files of
   * a folder. `modules` then gives one of them, and the others need not be read for a name.
   */
  exported?(name: string, of: string, ask: Ask): readonly Place[]
  /** What a name can mean that the file itself does not declare or import. */
  beyond?(name: string, from: string, ask: Ask): readonly Place[]
  /** The same, where it matters in which namespace the name stands; the file where in none. */
  within?(name: string, namespace: Place, ask: Ask): readonly Place[]
  /** Of several definitions of one name, those that a program with the file can have; best first. */
  together?(places: readonly Place[], from: string, ask: Ask): readonly Place[]
  /** A module inside a module: `a.b` where `a` is a package. Paths of its files. */
  submodule?(name: string, of: readonly string[], ask: Ask): readonly string[]
  /** Members that a definition has in other files: the methods of a Go type, a partial class. */
  members?(name: string, of: Place, ask: Ask): readonly Place[]
  /** Whether these members may as well be those of another definition, if their grants say so. */
  isDisputed?(of: Place, ask: Ask): boolean
  /** The only kinds of things that get members by assignments to them, where not all do. */
  readonly extensible?: ReadonlySet<DefinitionKind>
  /**
   * Whether a variable that members are assigned to is an object with these members, even if nothing
   * else is known of it.
   */
  readonly variablesGrow?: boolean
  /** Functions of the library that make an object which inherits from their first argument. */
  readonly derives?: ReadonlySet<string>
  /** Whether the scope of a name is that of its declaration, not that of the reference. */
  readonly scopesInOrder?: boolean
  /** A method's first parameter is its receiver, for which callers write no argument. */
  readonly receiverIsParameter?: boolean
  /** The name of the member that makes instances; `constructor` unless told. */
  readonly maker?: string
  /** The member that calling an object calls: `__call__`. */
  readonly calls?: string
  /** The members that `a[b]` and a loop over `a` call: `__getitem__`, `__iter__`. */
  readonly subscripts?: string
  readonly iterates?: string
  /** Functions of the language's library that pass on what their arguments hold, and how, by name. */
  readonly passers?: Readonly<Record<string, Passer>>
  /** Methods of the language's library, by name: what they give back, and give to functions. */
  readonly methods?: Readonly<Record<string, Method>>
  /** The member that gives the items of an object one by one. */
  readonly advances?: string
  /** Names of types of the language's library that stand for what they hold, and how. */
  readonly wrappers?: Readonly<Record<string, Wrapper>>
  /** Functions of one name are told apart by what is passed to them, by these rules. */
  readonly overloads?: Overloads
}

/** What can be passed as what, by the simple names of types that are not of the repository. */
export interface Overloads {
  /** The type that everything is derived from. */
  readonly any: string
  /** Types that are no classes. */
  readonly basic: ReadonlySet<string>
  /** Types that nothing is derived from. */
  readonly final: ReadonlySet<string>
  /** All that a value of a type can be passed as without a word, nearest first. */
  readonly passedAs: Readonly<Record<string, readonly string[]>>
  /** Types of functions, by the number of their parameters. */
  readonly functions: Readonly<Record<string, number>>
  /** What functions of the library give back, by name, where that is the same for all of a name. */
  readonly returns: Readonly<Record<string, string>>
  /** Functions of a library's class that give back an instance of it. */
  readonly makers: ReadonlySet<string>
  /** The type of the constants of a library's class. */
  readonly constants: Readonly<Record<string, string>>
}

/**
 * A promise is as good as its value, or the first of what it may be; a list holds values, a tuple one
 * at each place; of a map, the values count; of what can be called, what it gives back, what it takes, both of them, or that
 * it takes two of a kind.
 */
export type Wrapper =
  | 'same'
  | 'first'
  | 'items'
  | 'tuple'
  | 'values'
  | 'second'
  | 'callable'
  | 'takes'
  | 'maps'
  | 'compares'

/**
 * The argument itself, all arguments as one, the same list again, one of the list's items, a list of
 * pairs of number and item, a list of tuples with an item of each argument; or what a loop goes
 * through: the items, or the keys.
 */
export type Passer = 'same' | 'merged' | 'list' | 'item' | 'numbered' | 'tuples' | 'each' | 'keys'

/**
 * `same` and `item` give back the receiver or one of its items, `made` an instance of it, `held` an
 * item of a list and else the receiver, `numbered` pairs. The rest take a function and give it the items, or a receiver
 * that is no list: `mapped` and `flattened` give back what it returns, `sifted` the receiver,
 * `found` an item.
 */
export type Method =
  | 'same'
  | 'made'
  | 'item'
  | 'held'
  | 'numbered'
  | 'mapped'
  | 'flattened'
  | 'sifted'
  | 'found'

export interface Imported {
  readonly specifier: string
  readonly name: string
}

/** A definition in a file; definition 0 is the file itself. */
export interface Place {
  readonly path: string
  readonly definition: number
}

export interface Including {
  /** What a file includes, as it is written. */
  specifiers(facts: Facts): readonly string[]
  /** Paths of the files that a specifier leads to. */
  files(specifier: string, from: string, places: Places): readonly string[]
}

/** What files there are, and what is known by names. */
export interface Places {
  exists(path: string): boolean
  /** Definitions that are known by a name of the language's own making; see `Facts.provides`. */
  provided(name: string): readonly Place[]
}

export interface Ask extends Places {
  /** Paths of the files that lie directly in a folder; `''` is the top. */
  folder(path: string): readonly string[]
  facts(path: string): Facts | undefined
  /** What including leads to from a file; only where its language has `including`. */
  included(path: string): Included
  /** The text of a file like package.json or go.mod, which says how modules are found. */
  settings(path: string): string | undefined
}

/** The files that including leads to in the end, the one that it begins with among them. */
export interface Included {
  has(path: string): boolean
  /** The files that the file itself includes by a specifier. */
  by(specifier: string): readonly string[]
}

/** What a table says of a name in the text, which may be that of something every object has. */
export function entryOf<T>(table: Readonly<Record<string, T>> | undefined, name: string) {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined
}
