/**
 * What one source file says by itself: its scopes, its definitions, and the expressions from which
 * names get their meaning. Written by `sources/code/`, read by `resolve/`; nothing outside the file
 * is known yet. Plain numbers refer to places in the lists of the same file; -1 is "none".
 */
export interface Facts {
  readonly language: string
  /** The first is the file's own. */
  readonly scopes: readonly Scope[]
  /** The first is the file itself. */
  readonly definitions: readonly Definition[]
  /** The first means "unknown". */
  readonly expressions: readonly Expression[]
  readonly exports: readonly Export[]
  /** Stretches of comments and docstrings, as start and end by turns. */
  readonly comments: readonly number[]
  /** Words in comments and prose that look like names of code. */
  readonly mentions: readonly Mention[]
  /** Names by which other files of the language may know a definition: a Java class by its package. */
  readonly provides: readonly Provided[]
  /** Members that are given to a definition outside its body: `Router.prototype.add = …`. */
  readonly grants: readonly Grant[]
  /**
   * Text of a file that says how modules are found (package.json, go.mod); of a file that is only
   * part of some builds, the condition; else empty.
   */
  readonly settings: string
}

export interface Scope {
  readonly parent: number
  readonly kind: ScopeKind
  /** The definition whose body this is. */
  readonly owner: number
}

export const SCOPE_KINDS = ['file', 'class', 'function', 'block', 'namespace'] as const
export type ScopeKind = (typeof SCOPE_KINDS)[number]

export interface Definition {
  readonly name: string
  readonly kind: DefinitionKind
  /** The scope that the name is declared in; that of the owner's body for a member. */
  readonly scope: number
  /** The scope that it opens. */
  readonly inner: number
  /** The definition that it is part of; the file for what is at the top. */
  readonly owner: number
  /** Where the name stands. */
  readonly start: number
  readonly end: number
  /** Where the whole declaration stands, without leading comments. */
  readonly from: number
  readonly to: number
  /** Its declared type; of something callable, what it returns. */
  readonly type: number
  /** What it is given; of something callable, what it returns by its own statements. */
  readonly value: number
  /** Definitions of its parameters. */
  readonly parameters: readonly number[]
  /** What it extends, implements or embeds; of a function, what its decorators make of it. */
  readonly bases: readonly number[]
  readonly traits: number
}

export const DEFINITION_KINDS = [
  'file',
  'namespace',
  'class',
  'interface',
  'enum',
  'member', // of an enum
  'type',
  'function',
  'method',
  'constructor',
  'field',
  'variable',
  'parameter',
  'type-parameter',
  'object', // a literal with fields, which has no name of its own
  'signature', // the shape of a function, which has no name of its own
  'import',
  'macro',
  'label', // a selector, key, heading or target: something that is found by name but not resolved
] as const
export type DefinitionKind = (typeof DEFINITION_KINDS)[number]

/** Bits of `Definition.traits`. */
export const TRAIT = {
  exported: 1,
  static: 2,
  /** Reading it calls it: its value is what it returns. */
  getter: 4,
  /** Lives in a function: no other file can name it. */
  local: 8,
  /** Means something only as a type, or only as a value. Neither bit: both. */
  typeOnly: 16,
  valueOnly: 32,
  /** Takes all further arguments. */
  rest: 64,
  /** Has no name in the text. */
  anonymous: 128,
  /** `this` inside is that of the surroundings. */
  arrow: 256,
  /** Declared again after the first time, as an overload or a further assignment. */
  again: 512,
  /** Returns its value wrapped (a promise, a generator), and unwrapping gives it back. */
  async: 1024,
  private: 2048,
  /** A field that is known by assignments in methods; a base may be what declares it. */
  assigned: 4096,
  /** A method that others have to give a body to. */
  abstract: 8192,
} as const

/**
 * An expression or a type, as far as names depend on it.
 *
 *     name        `name`, looked up among the members of `of` if there is one, then from `scope`
 *     member      `of`.`name`
 *     call        `of`(`list`)
 *     make        new `of`(`list`)
 *     self        the receiver, seen from `scope`
 *     super       the receiver as its base, seen from `scope`
 *     define      the thing that definition `of` defines
 *     either      one of `list`
 *     collection  something that holds `list`, and under keys of the type `of` where it has such
 *     item        what `of` holds
 *     key         what a loop over `of` gives beside the items, or before them
 *     text        the string `name`
 *     module      what the specifier `name` leads to
 *     import      `name` of the module `of`; `*` is all of it, `=` is the module as a whole
 *     parameter   what parameter number `list[0]` of `of` expects; `list[1]` is what the call is
 *                 expected to give, the rest what is passed before
 *     returned    what calling `of` gives, without being a call in the text
 *     typed       a value of the type `of`; with the role `make`, it is made of `list`
 *     generic     the type `of`, applied to `list`
 *     typeof      the type of the value `of`
 *     instance    an instance of the class that `of` is
 *     named       the argument `of`, passed by the name `name`
 *     literal     the value `name` alone; where values do not matter, a value of the basic type
 *                 `name`, or that type
 *     narrow      what the test `name` leaves of `of`; `list` is what it is tested for
 *     predicate   the type of something that tells whether its parameter `name` is of the type `of`
 */
export interface Expression {
  readonly op: Op
  readonly name: string
  readonly of: number
  readonly list: readonly number[]
  readonly scope: number
  /** Where the name stands in the text, for `name`, `member`, `self`, `super`; else the whole. */
  readonly start: number
  readonly end: number
  readonly role: number
}

export const OPS = [
  'unknown',
  'name',
  'member',
  'call',
  'make',
  'self',
  'super',
  'define',
  'either',
  'collection',
  'item',
  'text',
  'module',
  'import',
  'parameter',
  'returned',
  'typed',
  'generic',
  'typeof',
  'instance',
  'named',
  'literal',
  'narrow',
  'predicate',
  'key',
] as const
export type Op = (typeof OPS)[number]

/**
 * Tests of a value; with a `!` before it, one that has failed.
 *
 *     is      it is an instance of one of the operands
 *     equals  its member of the first name is one of the others
 *     true    its member of that name is none of `false`, `null`, `0` and the like
 *     has     it has a member of that name
 *     list    it is a list
 *     typeof  it is of that basic type
 *     tells   the function that is the operand says of which type it is
 */
export type Test = 'is' | 'equals' | 'true' | 'has' | 'list' | 'typeof' | 'tells'

/** Bits of `Expression.role`: what a reference is doing where it stands. */
export const ROLE = {
  /** It stands in the text as a reference; without this bit, it is only implied. */
  reference: 1,
  call: 2,
  type: 4,
  write: 8,
  inherit: 16,
  /** In an import or export statement. */
  import: 32,
  export: 64,
  /** What is called is a class, and the call makes an instance of it. */
  make: 128,
} as const

export interface Export {
  /** `*` passes on all that the module `of` exports; `=` makes `of` the module as a whole. */
  readonly name: string
  readonly of: number
}

export interface Provided {
  readonly name: string
  readonly definition: number
}

/** Before the name of what a file of TypeScript declares for all others. */
export const GLOBAL = 'global:'

export interface Grant {
  /** Leads to what receives the member. */
  readonly to: number
  readonly definition: number
}

export interface Mention {
  readonly name: string
  readonly start: number
  readonly end: number
  /** Set apart as code, not a word that merely looks like it. */
  readonly isMarked: boolean
}

/** Of a file that has no language, or none that can be understood. */
export const NO_FACTS: Facts = {
  language: 'plain',
  scopes: [{ parent: -1, kind: 'file', owner: 0 }],
  definitions: [
    {
      name: '',
      kind: 'file',
      scope: -1,
      inner: 0,
      owner: -1,
      start: 0,
      end: 0,
      from: 0,
      to: 0,
      type: 0,
      value: 0,
      parameters: [],
      bases: [],
      traits: 0,
    },
  ],
  expressions: [{ op: 'unknown', name: '', of: 0, list: [], scope: 0, start: 0, end: 0, role: 0 }],
  exports: [],
  comments: [],
  mentions: [],
  provides: [],
  grants: [],
  settings: '',
}
