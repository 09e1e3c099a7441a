/**
 * A context document as JSON: the contract's keys in the contract's order. One line per note, since
 * indentation would cost as many tokens as a third of the notes.
 */
import type {
  ContextDocument,
  ContextNode,
  OverflowSummary,
  TokenUsage,
} from '../model/context-document.ts'

export function contextJson(document: ContextDocument): string {
  const { meta, nodes, overflow } = document
  const { query, workspace, lens, assembledAt, backend, embedder, warnings } = meta
  const head = {
    query,
    workspace,
    lens,
    tokens: tokensInOrder(meta.tokens),
    assembledAt,
    backend,
    ...(embedder === undefined ? {} : { embedder }),
    ...(warnings === undefined ? {} : { warnings }),
  }
  return [
    `{"meta":${JSON.stringify(head)},\n`,
    `"nodes":${list(nodes.map(jsonNode))},\n`,
    `"overflow":${list(overflow.map(jsonLine))}}\n`,
  ].join('')
}

export function jsonNode(node: ContextNode): string {
  const { id, name, content, tags, fields, score, distance, path } = node
  return JSON.stringify({
    id,
    name,
    content,
    tags,
    ...(fields === undefined ? {} : { fields }),
    score,
    distance,
    path: path.map(({ from, to, type, direction }) => ({ from, to, type, direction })),
  })
}

export function jsonLine({ id, name, tags, score }: OverflowSummary): string {
  return JSON.stringify({ id, name, tags, score })
}

function tokensInOrder(tokens: TokenUsage): TokenUsage {
  const { budget, used, utilization, nodesIncluded, nodesSummarized } = tokens
  return { budget, used, utilization, nodesIncluded, nodesSummarized }
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n]`
}
