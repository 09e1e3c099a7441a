/**
 * Tables of index.db. Inside, everything has a number; numbers are given out once and never again,
 * and what belongs to one file has numbers in a row, so a file is found and removed by ranges.
 * The order of `EDGE_KINDS`, `EVIDENCE_KINDS` and `WORD_FIELDS` is part of the format.
 */
export const INDEX_VERSION = 3

/** `Doss`, for telling our databases from others. */
export const APPLICATION_ID = 0x446f7373

export const CREATE_TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE look (
  circumstances TEXT NOT NULL,
  places TEXT NOT NULL,
  marks BLOB NOT NULL,
  files TEXT NOT NULL,
  times BLOB NOT NULL
);
CREATE TABLE files (
  n INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  folder TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  language TEXT NOT NULL,
  lines INTEGER NOT NULL,
  surface TEXT NOT NULL,
  diagnostics TEXT NOT NULL,
  first_chunk INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL,
  words INTEGER NOT NULL,
  first_symbol INTEGER NOT NULL,
  symbol_count INTEGER NOT NULL,
  first_provided INTEGER NOT NULL,
  provided_count INTEGER NOT NULL,
  resolution INTEGER NOT NULL
);
CREATE UNIQUE INDEX files_path ON files(path);
CREATE INDEX files_folder ON files(folder);
CREATE INDEX files_bucket ON files(bucket);
CREATE TABLE facts (file INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE strings (n INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE chunks (
  n INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  uid TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  symbol INTEGER NOT NULL,
  text TEXT NOT NULL
);
CREATE TABLE symbols (
  n INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  id INTEGER NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  definition INTEGER NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  is_exported INTEGER NOT NULL
);
CREATE TABLE provided (
  n INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  name TEXT NOT NULL,
  definition INTEGER NOT NULL
);
CREATE TABLE resolutions (
  n INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  first_edge INTEGER NOT NULL,
  edge_count INTEGER NOT NULL,
  unresolved_count INTEGER NOT NULL,
  unresolved TEXT NOT NULL
);
CREATE TABLE edges (
  n INTEGER PRIMARY KEY,
  file INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  source INTEGER NOT NULL,
  target INTEGER NOT NULL,
  evidence INTEGER NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  confidence REAL NOT NULL
);
CREATE TABLE buckets (n INTEGER PRIMARY KEY, digest TEXT NOT NULL);
CREATE TABLE field_words (page INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE chunk_words (page INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE dead_chunks (first INTEGER PRIMARY KEY, past INTEGER NOT NULL);
CREATE TABLE segments (
  list TEXT NOT NULL,
  n INTEGER NOT NULL,
  keys INTEGER NOT NULL,
  PRIMARY KEY (list, n)
) WITHOUT ROWID;
CREATE TABLE postings (
  segment INTEGER NOT NULL,
  key TEXT NOT NULL,
  numbers INTEGER NOT NULL,
  entries BLOB NOT NULL,
  PRIMARY KEY (segment, key)
) WITHOUT ROWID;
CREATE TABLE askers (
  segment INTEGER NOT NULL,
  key TEXT NOT NULL,
  numbers INTEGER NOT NULL,
  entries BLOB NOT NULL,
  PRIMARY KEY (segment, key)
) WITHOUT ROWID;
`

/** Wanted earlier than the others when there are more strings than are remembered. */
export const CREATE_STRING_INDEX = `
CREATE UNIQUE INDEX IF NOT EXISTS strings_text ON strings(text);
`

/** Made after the rows of a first build, which takes a third of the time. */
export const CREATE_DEFINITION_INDEXES = `
${CREATE_STRING_INDEX}
CREATE INDEX IF NOT EXISTS chunks_uid ON chunks(uid);
CREATE INDEX IF NOT EXISTS symbols_id ON symbols(id);
CREATE INDEX IF NOT EXISTS symbols_name ON symbols(name);
CREATE INDEX IF NOT EXISTS provided_name ON provided(name);
`

export const CREATE_EDGE_INDEXES = `
CREATE INDEX IF NOT EXISTS edges_source ON edges(source);
CREATE INDEX IF NOT EXISTS edges_target ON edges(target);
`
