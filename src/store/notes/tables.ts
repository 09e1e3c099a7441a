/**
 * Tables of a workspace of notes. Inside, every note has a number, and so has every id that a note
 * points at and that is not there (yet): when it comes, all who point at it need no change.
 * What is asked of very many notes at once lies in columns and pages, not in rows: a first import
 * writes a few thousand of them in place of millions of rows, and a hub is read in one piece.
 * Numbers never decide an answer: the same notes give the same answers in whatever order they came.
 */
export const NOTES_VERSION = 1

/** `DosN`, for telling our databases from others. */
export const APPLICATION_ID = 0x446f734e

export const CREATE_TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE notes (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  created REAL,
  modified REAL,
  parent TEXT,
  rest TEXT
);
CREATE TABLE absent (n INTEGER PRIMARY KEY, id TEXT NOT NULL);
CREATE TABLE columns (name TEXT PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE outward (page INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE inward (page INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE postings (
  page INTEGER NOT NULL,
  term TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (page, term)
) WITHOUT ROWID;
CREATE TABLE vectors (n INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
`

/** Made after the rows of a first import. */
export const CREATE_INDEXES = 'CREATE UNIQUE INDEX IF NOT EXISTS notes_id ON notes(id)'
