/** What reading a file of C or C++ remembers until the whole file has been visited. */
import { defineState } from '../language-state.ts'

/** `typedef struct node node;`: says nothing new unless the struct itself is elsewhere. */
interface OpaqueType {
  readonly name: string
  readonly at: number
  readonly node: number
}

/** A member that is defined outside its class: `void Shop::open() {}`. */
export interface OutsideMember {
  readonly definition: number
  readonly to: number
  readonly inner: number
  readonly outer: number
  readonly qualifier: string
}

interface CState {
  /** Definitions that say that something exists, and not what it is. */
  readonly declaredOnly: Set<number>
  /** By definition: what is written before its name, `A` of `void A::f()`. */
  readonly qualifiers: Map<number, string>
  /** By full name: the scope in which a type is said to exist. */
  readonly promised: Map<string, number>
  readonly opaqueTypes: OpaqueType[]
  readonly outsideMembers: OutsideMember[]
}

export const cState = defineState<CState>(() => ({
  declaredOnly: new Set(),
  qualifiers: new Map(),
  promised: new Map(),
  opaqueTypes: [],
  outsideMembers: [],
}))
