-- Who may write.
CREATE TABLE users (
  id SERIAL PRIMARY KEY,
  name TEXT NOT NULL
);

CREATE TABLE posts (
  id SERIAL PRIMARY KEY,
  author_id INT REFERENCES users (id),
  title TEXT
);

CREATE INDEX posts_by_author ON posts (author_id);

CREATE FUNCTION shout(phrase TEXT) RETURNS TEXT AS $$ SELECT upper(phrase); $$ LANGUAGE sql;
