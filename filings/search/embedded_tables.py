"""The tables of the embedded index: generations, a filing's rows, and word matches."""

import math
import secrets
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from filings.models.section import CHUNKS_A_FILING
from filings.search.index import Entry, IndexMismatch, Query
from filings.search.indexed_markers import entry_digest, filing_digest
from filings.search.words import query_words, words

REBUILD = "manage.py search_index rebuild"
PATIENCE = 20.0  # seconds a writer waits for another
# Without a scope the lists are cut in SQL, before words and variants are added up, this many times deeper than
# requested.
SLACK = 4
# The weight of variants beside the asked words: FTS5 cannot weight terms, so they are a MATCH of their own.
VARIANTS = 0.8
# FTS5's lower bound of an inverse document frequency (fts5_aux.c).
LEAST_FREQUENCY = 1e-6

SCHEMA = """
CREATE TABLE IF NOT EXISTS generation (
  number INTEGER PRIMARY KEY, model TEXT NOT NULL, dimensions INTEGER NOT NULL, shape INTEGER NOT NULL,
  current INTEGER NOT NULL DEFAULT 0
);
"""
TABLES = """
CREATE TABLE filing_{n} (filing INTEGER PRIMARY KEY, stamp TEXT NOT NULL, windows INTEGER NOT NULL);
CREATE TABLE passage_{n} (
  id INTEGER PRIMARY KEY, filing INTEGER NOT NULL, item TEXT NOT NULL, statement TEXT NOT NULL, digest TEXT NOT NULL
);
CREATE TABLE vector_{n} (id INTEGER PRIMARY KEY, vectors BLOB NOT NULL);
CREATE VIRTUAL TABLE words_{n} USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2');
"""


class Generation(NamedTuple):
    """One set of tables, and what it was built by."""

    number: int
    model: str
    dimensions: int
    shape: int

    def sql(self, text: str) -> str:
        """SQL with the generation's tables, whose names end in its number, written as {n}."""
        return text.replace("{n}", str(int(self.number)))


def connected(path: Path) -> sqlite3.Connection:
    """A connection to the file, which is created with its first table, readable by its owner only."""
    # Empty where there was no space for its first page.
    new = not path.exists() or path.stat().st_size == 0
    database = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        if new:
            path.chmod(0o600)
            database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        database.execute(SCHEMA)
    except sqlite3.Error:
        database.close()
        raise
    return database


def current(database: sqlite3.Connection) -> Generation | None:
    """The current generation."""
    row = database.execute("SELECT number, model, dimensions, shape FROM generation WHERE current").fetchone()
    return Generation(*row) if row else None


def drop_tables(database: sqlite3.Connection, generation: Generation) -> None:
    for table in ("filing", "passage", "vector", "words"):
        database.execute(generation.sql(f"DROP TABLE IF EXISTS {table}_{{n}}"))
    database.execute("DELETE FROM generation WHERE number = ?", (generation.number,))


def chunk_range(filing: int) -> tuple[int, int]:
    """First and last possible chunk id of a filing."""
    return filing * CHUNKS_A_FILING, (filing + 1) * CHUNKS_A_FILING - 1


def erase(database: sqlite3.Connection, generation: Generation, filing: int) -> None:
    first, last = chunk_range(filing)
    for table, key in (("words", "rowid"), ("vector", "id"), ("passage", "id")):
        sql = f"DELETE FROM {table}_{{n}} WHERE {key} BETWEEN ? AND ?"  # noqa: S608 - names of our own
        database.execute(generation.sql(sql), (first, last))
    database.execute(generation.sql("DELETE FROM filing_{n} WHERE filing = ?"), (filing,))


def write(database: sqlite3.Connection, generation: Generation, filing: int, entries: Sequence[Entry]) -> None:
    """Replace a filing's rows. Must run inside a transaction."""
    erase(database, generation, filing)
    if not entries:
        return
    first, last = chunk_range(filing)
    if any(not first <= entry.chunk <= last for entry in entries):
        raise ValueError(f"A chunk outside of filing {filing}.")
    embedded = [entry for entry in entries if entry.vectors is not None and len(entry.vectors)]
    for entry in embedded:
        if entry.vectors is not None and entry.vectors.shape[1] != generation.dimensions:
            raise IndexMismatch(
                f"A vector has {entry.vectors.shape[1]} dimensions, the index {generation.dimensions}: run {REBUILD}."
            )
    database.executemany(
        generation.sql("INSERT INTO passage_{n} VALUES (?, ?, ?, ?, ?)"),
        [(entry.chunk, filing, entry.item, entry.statement, entry_digest(entry)) for entry in entries],
    )
    database.executemany(
        generation.sql("INSERT INTO words_{n} (rowid, text) VALUES (?, ?)"),
        [(entry.chunk, " ".join(words(entry.text))) for entry in entries],
    )
    database.executemany(
        generation.sql("INSERT INTO vector_{n} VALUES (?, ?)"),
        [(entry.chunk, np.asarray(entry.vectors, dtype="<f2").tobytes()) for entry in embedded],
    )
    windows = sum(0 if entry.vectors is None else len(entry.vectors) for entry in embedded)
    database.execute(
        generation.sql("INSERT INTO filing_{n} VALUES (?, ?, ?)"), (filing, secrets.token_hex(8), windows)
    )


def counts(
    database: sqlite3.Connection, generation: Generation, filings: Sequence[int], phrase: str = ""
) -> dict[int, int]:
    if phrase:
        where, values = scope(f"rowid / {CHUNKS_A_FILING}", filings)
        count = f"SELECT rowid / {CHUNKS_A_FILING}, count(*) FROM words_{{n}}"  # noqa: S608 - names of our own
        sql = f"{count} WHERE words_{{n}} MATCH ? AND {where} GROUP BY 1"
        match = quoted(" ".join(words(phrase)))
        return dict(database.execute(generation.sql(sql), [match, *values]).fetchall())
    where, values = scope("filing", filings)
    first, last = f"f.filing * {CHUNKS_A_FILING}", f"(f.filing + 1) * {CHUNKS_A_FILING} - 1"
    count = f"SELECT count(*) FROM passage_{{n}} WHERE id BETWEEN {first} AND {last}"  # noqa: S608 - names of our own
    sql = f"SELECT f.filing, ({count}) FROM filing_{{n}} f WHERE {where}"  # noqa: S608
    return dict(database.execute(generation.sql(sql), values).fetchall())


def held(database: sqlite3.Connection, generation: Generation, filings: Sequence[int]) -> dict[int, str]:
    # A filing's ids are a range of rowids; the filing column has no index.
    bounds = [bound for filing in filings for bound in chunk_range(filing)]
    where = " OR ".join(["p.id BETWEEN ? AND ?"] * len(filings)) or "1"
    rows = database.execute(
        generation.sql(
            "SELECT p.filing, p.id, iif(d.id IS NULL, '-', p.digest) FROM passage_{n} p"  # noqa: S608 - names of our own
            f" LEFT JOIN words_{{n}}_docsize d ON d.id = p.id WHERE {where} ORDER BY p.id"
        ),
        bounds,
    )
    chunks: dict[int, list[tuple[int, str]]] = {}
    for filing, chunk, digest in rows:
        chunks.setdefault(filing, []).append((chunk, digest))
    return {filing: filing_digest(found) for filing, found in chunks.items()}


def vectors(database: sqlite3.Connection, generation: Generation, filing: int) -> dict[int, NDArray[np.float32]]:
    rows = database.execute(
        generation.sql("SELECT id, vectors FROM vector_{n} WHERE id BETWEEN ? AND ?"), chunk_range(filing)
    )
    return {
        chunk: np.frombuffer(blob, dtype="<f2").astype(np.float32).reshape(-1, generation.dimensions)
        for chunk, blob in rows
    }


def quoted(word: str) -> str:
    """A word quoted for FTS5."""
    return '"' + word.replace('"', '""') + '"'


def any_of(text: str) -> str:
    """A MATCH for any word of a text; empty where it has none."""
    return " OR ".join(map(quoted, query_words(text)))


def any_phrase(phrases: Sequence[str]) -> str:
    """A MATCH for any of some phrases, each with all of its words."""
    found = [" AND ".join(map(quoted, query_words(phrase))) for phrase in phrases]
    return " OR ".join(f"({match})" for match in dict.fromkeys(found) if match)


def weighted(database: sqlite3.Connection, generation: Generation, query: Query) -> list[tuple[str, float]]:
    """MATCH expressions and the weights of their bm25: the words of a query, and its variants.

    Within a scope each word is matched by itself and weighted like Lucene's BM25: FTS5 gives a word that most chunks
    have no weight at all, so the two indexes would order the same passages differently.
    """
    if not query.filings:
        found = [(any_of(query.words), 1.0), (any_phrase(query.variants), VARIANTS)]
        return [(match, weight) for match, weight in found if match]
    chunks = database.execute(generation.sql("SELECT count(*) FROM passage_{n}")).fetchone()[0]
    count = generation.sql("SELECT count(*) FROM words_{n} WHERE words_{n} MATCH ?")

    def weight(match: str) -> float:
        return rarity(chunks, database.execute(count, (match,)).fetchone()[0])

    words = [(match, weight(match)) for match in map(quoted, query_words(query.words))]
    variants = dict.fromkeys(any_phrase([variant]) for variant in query.variants)
    # Each word of a phrase has its own frequency, and words together are rare.
    return words + [(match, VARIANTS * (1.0 if " AND " in match else weight(match))) for match in variants if match]


def rarity(chunks: int, having: int) -> float:
    """The factor that turns FTS5's bm25 of a word into Lucene's: the quotient of their inverse document frequencies."""
    odds = (chunks - having + 0.5) / (having + 0.5)
    return math.log1p(odds) / max(math.log(odds), LEAST_FREQUENCY)


def scope(column: str, filings: Sequence[int]) -> tuple[str, list[int]]:
    """A condition on filings, and its values."""
    if not filings:
        return "1", []
    return f"{column} IN ({','.join('?' * len(filings))})", list(filings)


def matches(
    database: sqlite3.Connection, generation: Generation, query: Query, match: str, only: str
) -> list[tuple[int, float, str]]:
    """(chunk, FTS5's bm25, where lower is better, statement) of the chunks in scope that match.

    statement: "" where the query asks for no statements; then, and without Items, the passages table is not read.
    """
    conditions, values = ["words_{n} MATCH ?"], [match]
    bounds: list[int] = []
    if query.filings:
        # One range over all filings: FTS5 would process the words once for each range.
        conditions.append("w.rowid BETWEEN ? AND ?")
        bounds = [chunk_range(min(query.filings))[0], chunk_range(max(query.filings))[1]]
    within, filings = scope(f"w.rowid / {CHUNKS_A_FILING}", query.filings if len(query.filings) > 1 else ())
    conditions.append(within)
    if query.items:
        conditions.append(f"p.item IN ({','.join('?' * len(query.items))})")
    cut = "" if query.filings else f" ORDER BY 2 LIMIT {int(query.depth) * SLACK}"
    looked = bool(query.statements or query.items or only)
    # CROSS JOIN keeps SQLite's planner from scanning the passages first.
    passages = " CROSS JOIN passage_{n} p ON p.id = w.rowid" if looked else ""
    columns = "w.rowid, bm25(words_{n}), " + ("p.statement" if looked else "''")
    where = " AND ".join(conditions)
    sql = f"SELECT {columns} FROM words_{{n}} w{passages} WHERE {where}{only}{cut}"  # noqa: S608 - no text of a question
    return database.execute(generation.sql(sql), [*values, *bounds, *filings, *query.items]).fetchall()
