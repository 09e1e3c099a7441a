/** A node of an export, not validated. */
export interface RawDoc {
  readonly id?: unknown
  readonly props?: RawProps
  readonly children?: unknown
  readonly modifiedTs?: unknown
}

export interface RawProps {
  readonly name?: unknown
  readonly description?: unknown
  readonly created?: unknown
  readonly _ownerId?: unknown
  readonly _metaNodeId?: unknown
  readonly _docType?: unknown
  readonly _done?: unknown
}

export function readProps(doc: RawDoc): RawProps {
  return typeof doc.props === 'object' && doc.props !== null ? doc.props : {}
}

/** When it was last changed: the newest of the times, which may be a list or the text of one. */
export function readModifiedTime(times: unknown): number | undefined {
  const list = typeof times === 'string' ? parseList(times) : times
  if (!Array.isArray(list)) return asTime(list)
  let newest = 0
  for (const one of list) if (typeof one === 'number' && one > newest) newest = one
  return asTime(newest)
}

export function asTime(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : undefined
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
