const Row = ({ value, isFirst }) => <li className={isFirst ? 'first' : ''}>{format(value)}</li>

function format (value) {
  return String(value)
}

export default Row
