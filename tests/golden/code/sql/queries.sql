CREATE VIEW written AS
SELECT p.title, u.name AS author
FROM posts p
JOIN Users AS u ON u.id = p.author_id;

INSERT INTO users (name) VALUES ('Ada');

UPDATE posts SET title = shout(title) WHERE author_id = 1;

WITH recent AS (SELECT id, title FROM posts WHERE id > 100)
SELECT recent.title FROM recent;

SELECT author FROM written;
