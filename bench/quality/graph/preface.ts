/** What stands above the tables in GRAPH.md: how to read them. */

export const PREFACE = `# The code index, as last measured

These figures belong to the commit that last changed this file; \`node bench/quality/graph.ts --data <eval folder> --mirror <git directories> --write\` writes it.
The truth is not in this repository: it is the output of compilers, recorded runs of programs, and test suites of other projects.

- **right**: the first target has the file and the line of the definition. Of a module the file is enough. **wrong** leads elsewhere, **unresolved** leads nowhere, **missing** has no reference at that place.
- **by name**: the same figure for identifiers found by pattern and resolved by name alone, first in the same file, else the least nested definition of that name anywhere, tests last.
- **recall, precision by line**: a definition of the same name on the same line; **by column**: at the very place. Local variables and import bindings of ours are left out of precision, since the truth has none. **comparable** leaves out what only the compiler's index has (properties of object literals, members of type literals, modules, locals), and of ours what it has under no name that could be compared. Those are **declared again**: further declarations of one name (overloads, setters, a second \`def\`) with their parameters, of which it lists one; and **unlisted**: members of type literals, types inferred in passing (\`infer T\`, \`[K in T]\`), names of blocks and comprehensions, parameters of functions that are assigned or stand in literals, which it numbers as locals. All of them are real definitions; **everything** counts them as wrong.
- **file edges**: one file refers to a definition in another; both are files of the truth.
- **PyCG**: edges between functions; the call of a class is an edge to its \`__init__\`, own or inherited, or none. **inside the files** leaves out what is called in packages and built-in modules.
- **Jelly**: of the calls that a run made, how many the index leads to the function that ran, by any of its targets; **named** are those where a name is called. **pairs** are of calling and called function. Nothing is said of targets that no run reached, so **targets**, their mean number, stands beside.
- **Stack-graphs**: **equal** are the very lines that the assertion names. **part** is some of them and no other, mostly where both an import and what it imports are expected.

What the misses have in common:

- **Calls.** hono: members of what a proxy type computes (\`client.posts.$get().json()\`), and of globals that a declaration file adds (\`Deno.mkdir\`). fastify: where \`module.exports = { a }\` passes a function on, the compiler names the key and we name the function. httpx: methods of what a library's class gives back.
- **All references.** Members of a union that no test in sight narrows: we take the first that has the member. In httpx, six calls after \`assert isinstance(stream, MultipartStream)\`: we lead to that class, the truth to its base. Keys of literals whose type is computed from other types; parameters of callbacks that a library's types describe (\`ProxyHandler\`, \`TransformStream\`).
- **File edges of hono.** A test file that augments a module counts as a file that the module depends on; we lead to the module itself.
- **PyCG.** Assigning a key a second time keeps the first value as well; the iteration protocol calls nothing.
- **Jelly.** Programs that are made to be hard: properties with computed names, \`eval\`, callbacks kept in lists, native functions that call back. Half of the calls are beyond what types say.
- **Stack-graphs.** Assertions that want a variable's every assignment as well as its declaration; labels; \`with\`.
- **Precision of definitions.** Fields that JavaScript assigns to \`this\`, which the compiler's index does not list; a few names where a large file of types does not parse as the grammar wants it.
`
