/** What Java lets pass as what without a word, by the simple names of its library's types. */
import type { Overloads } from '../linking.ts'

const BOXES: Readonly<Record<string, string>> = {
  byte: 'Byte',
  short: 'Short',
  char: 'Character',
  int: 'Integer',
  long: 'Long',
  float: 'Float',
  double: 'Double',
  boolean: 'Boolean',
}

const WIDER: Readonly<Record<string, readonly string[]>> = {
  byte: ['short', 'int', 'long', 'float', 'double'],
  short: ['int', 'long', 'float', 'double'],
  char: ['int', 'long', 'float', 'double'],
  int: ['long', 'float', 'double'],
  long: ['float', 'double'],
  float: ['double'],
  double: [],
  boolean: [],
}

const OF_NUMBERS = ['Number', 'Comparable', 'Serializable']
const OF_VALUES = ['Comparable', 'Serializable']
const CLOSED = ['Closeable', 'AutoCloseable']
const OF_LISTS = ['List', 'Collection', 'Iterable']
const OF_SETS = ['Set', 'Collection', 'Iterable']
const OF_QUEUES = ['Queue', 'Collection', 'Iterable']
const READERS = ['Reader', 'Readable', ...CLOSED]
const WRITERS = ['Writer', 'Appendable', 'Flushable', ...CLOSED]
const INPUTS = ['InputStream', ...CLOSED]
const OUTPUTS = ['OutputStream', 'Flushable', ...CLOSED]

/** Each type with all that it is derived from. */
const DERIVED: Readonly<Record<string, readonly string[]>> = {
  Closeable: ['AutoCloseable'],
  Iterator: [],
  Cloneable: [],
  NavigableSet: ['SortedSet', ...OF_SETS],
  NavigableMap: ['SortedMap', 'Map'],
  AbstractList: OF_LISTS,
  AbstractSet: OF_SETS,
  AbstractMap: ['Map'],
  FilterInputStream: INPUTS,
  FilterOutputStream: OUTPUTS,
  String: ['CharSequence', 'Comparable', 'Serializable'],
  StringBuilder: ['CharSequence', 'Appendable', 'Comparable', 'Serializable'],
  StringBuffer: ['CharSequence', 'Appendable', 'Comparable', 'Serializable'],
  CharBuffer: ['Buffer', 'CharSequence', 'Appendable', 'Comparable', 'Readable'],
  ByteBuffer: ['Buffer', 'Comparable'],
  BigInteger: OF_NUMBERS,
  BigDecimal: OF_NUMBERS,
  AtomicInteger: ['Number', 'Serializable'],
  AtomicLong: ['Number', 'Serializable'],
  Class: ['Type', 'AnnotatedElement', 'GenericDeclaration', 'Serializable'],
  ParameterizedType: ['Type'],
  GenericArrayType: ['Type'],
  WildcardType: ['Type'],
  TypeVariable: ['Type', 'AnnotatedElement'],
  File: OF_VALUES,
  Path: ['Comparable', 'Iterable', 'Watchable'],
  URI: OF_VALUES,
  URL: ['Serializable'],
  Date: ['Cloneable', ...OF_VALUES],
  List: ['Collection', 'Iterable'],
  ArrayList: ['AbstractList', ...OF_LISTS, 'RandomAccess', 'Cloneable', 'Serializable'],
  LinkedList: ['AbstractList', ...OF_LISTS, 'Deque', 'Queue', 'Cloneable', 'Serializable'],
  Set: ['Collection', 'Iterable'],
  HashSet: ['AbstractSet', ...OF_SETS, 'Cloneable', 'Serializable'],
  LinkedHashSet: ['HashSet', 'AbstractSet', ...OF_SETS, 'Cloneable', 'Serializable'],
  TreeSet: ['NavigableSet', 'SortedSet', 'AbstractSet', ...OF_SETS, 'Cloneable', 'Serializable'],
  SortedSet: OF_SETS,
  Collection: ['Iterable'],
  Queue: ['Collection', 'Iterable'],
  Deque: OF_QUEUES,
  ArrayDeque: ['Deque', ...OF_QUEUES, 'Cloneable', 'Serializable'],
  Map: [],
  HashMap: ['AbstractMap', 'Map', 'Cloneable', 'Serializable'],
  LinkedHashMap: ['HashMap', 'AbstractMap', 'Map', 'Cloneable', 'Serializable'],
  TreeMap: ['NavigableMap', 'SortedMap', 'AbstractMap', 'Map', 'Cloneable', 'Serializable'],
  SortedMap: ['Map'],
  InputStream: CLOSED,
  ByteArrayInputStream: INPUTS,
  FileInputStream: INPUTS,
  BufferedInputStream: ['FilterInputStream', ...INPUTS],
  OutputStream: ['Flushable', ...CLOSED],
  ByteArrayOutputStream: OUTPUTS,
  FileOutputStream: OUTPUTS,
  BufferedOutputStream: ['FilterOutputStream', ...OUTPUTS],
  PrintStream: ['FilterOutputStream', ...OUTPUTS, 'Appendable'],
  Reader: ['Readable', ...CLOSED],
  StringReader: READERS,
  BufferedReader: READERS,
  InputStreamReader: READERS,
  FileReader: ['InputStreamReader', ...READERS],
  Writer: ['Appendable', 'Flushable', ...CLOSED],
  StringWriter: WRITERS,
  PrintWriter: WRITERS,
  BufferedWriter: WRITERS,
  OutputStreamWriter: WRITERS,
}

function passedAs(): Readonly<Record<string, readonly string[]>> {
  const boxed = Object.entries(BOXES).flatMap(([basic, box]): [string, readonly string[]][] => {
    const further = WIDER[basic] ?? []
    const isNumber = basic !== 'char' && basic !== 'boolean'
    const bases = isNumber ? OF_NUMBERS : OF_VALUES
    return [
      [basic, [...further, box, ...bases]],
      [box, [...bases, basic, ...further]],
    ]
  })
  const known = { ...DERIVED, ...Object.fromEntries(boxed) }
  const others = Object.values(known).flat()
  return { ...Object.fromEntries(others.map((name) => [name, []])), ...known }
}

export const OVERLOADS: Overloads = {
  any: 'Object',
  basic: new Set(Object.keys(BOXES)),
  final: new Set(['String', 'Class', 'StringBuilder', 'StringBuffer', ...Object.values(BOXES)]),
  passedAs: passedAs(),
  functions: {
    Runnable: 0,
    Supplier: 0,
    Callable: 0,
    IntSupplier: 0,
    LongSupplier: 0,
    BooleanSupplier: 0,
    Consumer: 1,
    IntConsumer: 1,
    Function: 1,
    IntFunction: 1,
    ToIntFunction: 1,
    ToLongFunction: 1,
    Predicate: 1,
    IntPredicate: 1,
    UnaryOperator: 1,
    IntUnaryOperator: 1,
    BiConsumer: 2,
    BiFunction: 2,
    BiPredicate: 2,
    BinaryOperator: 2,
    IntBinaryOperator: 2,
    Comparator: 2,
  },
  returns: {
    byteValue: 'byte',
    charAt: 'char',
    compareTo: 'int',
    contains: 'boolean',
    doubleValue: 'double',
    endsWith: 'boolean',
    equals: 'boolean',
    floatValue: 'float',
    format: 'String',
    getBytes: 'byte[]',
    getClass: 'Class',
    getName: 'String',
    getMessage: 'String',
    getSimpleName: 'String',
    hasNext: 'boolean',
    hashCode: 'int',
    indexOf: 'int',
    intValue: 'int',
    isEmpty: 'boolean',
    lastIndexOf: 'int',
    length: 'int',
    longValue: 'long',
    nanoTime: 'long',
    parseInt: 'int',
    parseLong: 'long',
    repeat: 'String',
    replaceAll: 'String',
    shortValue: 'short',
    size: 'int',
    split: 'String[]',
    startsWith: 'boolean',
    substring: 'String',
    toCharArray: 'char[]',
    toLowerCase: 'String',
    toPath: 'Path',
    toString: 'String',
    toUpperCase: 'String',
    trim: 'String',
  },
  makers: new Set(['valueOf', 'of', 'copyOf']),
  constants: Object.fromEntries(Object.entries(BOXES).map(([basic, box]) => [box, basic])),
}
