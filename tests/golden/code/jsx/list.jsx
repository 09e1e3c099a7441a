import Row from './row'

export default function List ({ rows }) {
  const first = rows[0]
  return <ul>{rows.map((row) => <Row key={row.id} value={row} isFirst={row === first} />)}</ul>
}
