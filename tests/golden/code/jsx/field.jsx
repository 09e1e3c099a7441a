import Row from './row'

const Field = ({ children }) => <label class="field" for="name">{children}</label>

export function Fields () {
  return <Field in={Row}><Row default="yes" value={1} /></Field>
}
