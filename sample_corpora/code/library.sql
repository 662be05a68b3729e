-- A lending library: who has which copy, since when, and what is overdue.

CREATE TABLE reader (
    reader_id   INTEGER PRIMARY KEY,
    full_name   TEXT    NOT NULL CHECK (length(full_name) > 0),
    email       TEXT    UNIQUE,
    joined_on   DATE    NOT NULL DEFAULT CURRENT_DATE
);

CREATE TABLE book (
    isbn        CHAR(13) PRIMARY KEY,
    title       TEXT     NOT NULL,
    author      TEXT     NOT NULL,
    year        SMALLINT CHECK (year BETWEEN 1450 AND 2100),
    language    CHAR(2)  NOT NULL DEFAULT 'en'
);

CREATE TABLE copy (
    copy_id     INTEGER PRIMARY KEY,
    isbn        CHAR(13) NOT NULL REFERENCES book (isbn) ON DELETE CASCADE,
    shelf       VARCHAR(12),
    condition   TEXT NOT NULL CHECK (condition IN ('new', 'good', 'worn', 'withdrawn'))
);

CREATE TABLE loan (
    copy_id     INTEGER NOT NULL REFERENCES copy (copy_id),
    reader_id   INTEGER NOT NULL REFERENCES reader (reader_id),
    lent_on     DATE    NOT NULL,
    due_on      DATE    NOT NULL,
    returned_on DATE,
    PRIMARY KEY (copy_id, lent_on),
    CHECK (due_on > lent_on),
    CHECK (returned_on IS NULL OR returned_on >= lent_on)
);

-- A copy can be out only once at a time.
CREATE UNIQUE INDEX one_open_loan ON loan (copy_id) WHERE returned_on IS NULL;
CREATE INDEX loan_by_reader ON loan (reader_id, due_on DESC);

INSERT INTO book (isbn, title, author, year, language) VALUES
    ('9780000000019', 'A Field Guide to Clouds',   'M. Okafor',   1998, 'en'),
    ('9780000000026', 'Brot und Zeit',             'L. Weidner',  2007, 'de'),
    ('9780000000033', 'El mapa y la marea',        'R. Quintero', 2015, 'es');

-- Overdue copies with the fine so far: 20 cents a day, at most 8.00.
WITH overdue AS (
    SELECT l.copy_id,
           l.reader_id,
           julianday('now') - julianday(l.due_on) AS days_late
    FROM   loan AS l
    WHERE  l.returned_on IS NULL
      AND  l.due_on < CURRENT_DATE
)
SELECT   r.full_name,
         b.title,
         CAST(o.days_late AS INTEGER)                AS days_late,
         printf('%.2f', min(0.20 * o.days_late, 8.0)) AS fine
FROM     overdue AS o
JOIN     reader  AS r USING (reader_id)
JOIN     copy    AS c USING (copy_id)
JOIN     book    AS b USING (isbn)
ORDER BY days_late DESC, r.full_name;

-- The three most read books of each language.
SELECT language, title, loans
FROM (
    SELECT   b.language,
             b.title,
             count(*) AS loans,
             rank() OVER (PARTITION BY b.language ORDER BY count(*) DESC) AS place
    FROM     loan AS l
    JOIN     copy AS c USING (copy_id)
    JOIN     book AS b USING (isbn)
    GROUP BY b.language, b.isbn, b.title
)
WHERE place <= 3;

UPDATE copy
SET    condition = 'worn'
WHERE  condition = 'good'
  AND  copy_id IN (SELECT copy_id FROM loan GROUP BY copy_id HAVING count(*) >= 50);
