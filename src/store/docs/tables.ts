/** Tables of context.db. The columns of `chunks` from `id` to `end_line` are the seed's. */
export const DATABASE_VERSION = 2

/** Version 1 has the same tables and an older form of chunk ids: it can be read, not built upon. */
export const OLDEST_READABLE_VERSION = 1

export const CREATE_TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
  path TEXT PRIMARY KEY,
  doc TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  hashed_at_ms REAL NOT NULL,
  chunk_count INTEGER NOT NULL,
  total_chars INTEGER NOT NULL,
  digest TEXT NOT NULL,
  source_files_bytes INTEGER NOT NULL,
  docs_bytes INTEGER NOT NULL,
  digest_bytes INTEGER NOT NULL,
  index_bytes INTEGER NOT NULL,
  chunks_bytes INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE chunks (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  doc TEXT NOT NULL,
  title_path TEXT NOT NULL,
  source_path TEXT NOT NULL,
  heading_level INTEGER NOT NULL,
  char_count INTEGER NOT NULL,
  line_count INTEGER NOT NULL,
  start_line INTEGER NOT NULL,
  end_line INTEGER NOT NULL,
  part INTEGER,
  ordinal INTEGER NOT NULL,
  preview TEXT NOT NULL,
  parts TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE UNIQUE INDEX idx_chunks_id ON chunks(id);
CREATE INDEX idx_chunks_doc ON chunks(doc, ordinal);
CREATE INDEX idx_chunks_title_path ON chunks(title_path);
CREATE VIRTUAL TABLE chunks_fts USING fts5(
  title_path, text, parts, source_path,
  content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2'
);
`

/** The words of chunks that are in their table, without taking the texts through JavaScript again. */
export const INDEX_WORDS = `
INSERT INTO chunks_fts(rowid, title_path, text, parts, source_path)
  SELECT n, title_path, text, parts, source_path FROM chunks WHERE n > ?
`
