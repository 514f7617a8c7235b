"""The embedded index: one SQLite file with FTS5 for words and float16 vectors, searched exactly with numpy.

Tables are in generations: a rebuild fills the next one while readers use the current, and one transaction switches.
Every read is one transaction too, so that a search never sees half of a write. A chunk's rowid is its id, filing x
100,000 + number, so that the scope of a search is a range of rowids.
"""

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from filings.search.embedded_tables import (
    REBUILD,
    TABLES,
    Generation,
    chunk_range,
    connected,
    counts,
    current,
    drop_tables,
    erase,
    held,
    matches,
    scope,
    vectors,
    weighted,
    write,
)
from filings.search.fusion import ordered
from filings.search.index import Entry, IndexMismatch, Lists, Query, SearchUnavailable
from filings.search.indexed_markers import SHAPE
from filings.search.vector_matrices import Matrices, Matrix, best_by_chunk

NAME = "embedded"


class EmbeddedIndex:
    """The index in one file, for vectors of one model."""

    name = NAME

    def __init__(self, path: Path, model: str, dimensions: int) -> None:
        self.path, self.model, self.dimensions = path, model, dimensions
        self.local = threading.local()
        self.matrices = Matrices()

    # --- the Index protocol ---

    def lists(self, queries: Sequence[Query]) -> list[Lists]:
        """The ranked lists of each query, from one snapshot."""
        with self.reading() as (database, generation):
            if generation is None:
                return [Lists() for _ in queries]
            self.check(generation)
            return [self.search(database, generation, query) for query in queries]

    def put(self, filing: int, entries: Iterable[Entry]) -> None:
        """Make the index contain exactly these chunks of a filing, in one transaction."""
        held = list(entries)
        with self.writing() as database:
            generation = current(database)
            if (
                generation
                and self.differs(generation)
                and not database.execute(generation.sql("SELECT 1 FROM filing_{n} LIMIT 1")).fetchone()
            ):
                drop_tables(database, generation)
                generation = None
            if generation is None:
                generation = self.create(database, is_current=True)
            self.check(generation)
            write(database, generation, filing, held)

    def drop(self, filing: int) -> None:
        """Remove a filing's chunks."""
        with self.writing() as database:
            if generation := current(database):
                erase(database, generation, filing)

    def counts(self, filings: Sequence[int] = (), phrase: str = "") -> dict[int, int]:
        """The number of chunks by filing, or of those with a phrase."""
        with self.reading() as (database, generation):
            if generation is None:
                return {}
            self.check(generation)
            return counts(database, generation, filings, phrase)

    def held(self, filings: Sequence[int] = ()) -> dict[int, str]:
        """The digest of each filing's rows; a chunk without words or vectors counts as different."""
        with self.reading() as (database, generation):
            if generation is None:
                return {}
            self.check(generation)
            return held(database, generation, filings)

    def vectors(self, filing: int) -> dict[int, NDArray[np.float32]]:
        """The stored vectors by chunk of a filing, (windows, dimensions), which need not be computed again."""
        with self.reading() as (database, generation):
            if generation is None:
                return {}
            self.check(generation)
            return vectors(database, generation, filing)

    # --- rebuilding ---

    def build(self) -> "Building":
        """A new generation for a rebuild. A damaged file is set aside first."""
        try:
            with self.writing() as database:
                return Building(self, self.create(database, is_current=False))
        except IndexMismatch:
            self.discard_file()
        with self.writing() as database:
            return Building(self, self.create(database, is_current=False))

    def create(self, database: sqlite3.Connection, is_current: bool) -> Generation:
        """New, empty tables."""
        number = database.execute("SELECT coalesce(max(number), 0) + 1 FROM generation").fetchone()[0]
        row = (number, self.model, self.dimensions, SHAPE)
        database.execute("INSERT INTO generation VALUES (?, ?, ?, ?, ?)", (*row, int(is_current)))
        generation = Generation(*row)
        for statement in generation.sql(TABLES).strip().split(";"):
            database.execute(statement)
        return generation

    def discard_file(self) -> None:
        """Delete a file that SQLite cannot read."""
        self.close()
        for suffix in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    # --- checks ---

    def differs(self, generation: Generation) -> bool:
        return (generation.model, generation.dimensions, generation.shape) != (self.model, self.dimensions, SHAPE)

    def check(self, generation: Generation) -> None:
        """Raise for an index of another model or shape."""
        if self.differs(generation):
            raise IndexMismatch(
                f"The embedded index holds {generation.model} with {generation.dimensions} dimensions (shape "
                f"{generation.shape}), and {self.model} with {self.dimensions} (shape {SHAPE}) is set: run {REBUILD}."
            )

    # --- connections ---

    @contextmanager
    def reading(self) -> Iterator[tuple[sqlite3.Connection, Generation | None]]:
        """A snapshot and its current generation; None where nothing was indexed yet."""
        with self.explained():
            database = self.connection()
            database.execute("BEGIN")
            try:
                yield database, current(database)
            finally:
                database.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A write transaction that takes the lock first, so that two writers wait and never fail."""
        with self.explained():
            database = self.connection()
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
            except BaseException:
                # On a full disk SQLite has already rolled it back.
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")

    def connection(self) -> sqlite3.Connection:
        """This thread's connection; a new one after a fork, or when the file was deleted or replaced."""
        try:
            status = self.path.stat()
            file = (os.getpid(), status.st_dev, status.st_ino)
        except OSError:
            file = None
        if file is None or getattr(self.local, "file", None) != file:
            self.local.database = connected(self.path)
            status = self.path.stat()
            self.local.file = (os.getpid(), status.st_dev, status.st_ino)
        found: sqlite3.Connection = self.local.database
        return found

    def close(self) -> None:
        """Close this thread's connection."""
        if database := getattr(self.local, "database", None):
            database.close()
            self.local.database, self.local.file = None, None

    @contextmanager
    def explained(self) -> Iterator[None]:
        """SQLite's errors as the protocol's."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise SearchUnavailable(f"The embedded index cannot be used now ({error}).") from error
        except sqlite3.DatabaseError as error:
            self.close()
            raise IndexMismatch(f"The embedded index is damaged ({error}): run {REBUILD}.") from error

    # --- one search ---

    def search(self, database: sqlite3.Connection, generation: Generation, query: Query) -> Lists:
        lexical, statements = self.lexical(database, generation, query)
        return Lists(
            ordered(lexical, query.depth),
            ordered(self.dense(database, generation, query), query.depth),
            ordered(statements, query.depth) if query.statements else (),
        )

    def lexical(
        self, database: sqlite3.Connection, generation: Generation, query: Query
    ) -> tuple[dict[int, float], dict[int, float]]:
        """bm25(words) + 0.8 bm25(variants) of the chunks in scope, and of their statements."""
        scores: dict[int, float] = {}
        statements: dict[int, float] = {}
        for match, weight in weighted(database, generation, query):
            for only in ("", " AND p.statement != ''") if not query.filings and query.statements else ("",):
                for chunk, score, statement in matches(database, generation, query, match, only):
                    if not only:
                        scores[chunk] = scores.get(chunk, 0.0) - weight * score
                    if statement and (only or query.filings):
                        statements[chunk] = statements.get(chunk, 0.0) - weight * score
        return scores, statements

    def dense(self, database: sqlite3.Connection, generation: Generation, query: Query) -> dict[int, float]:
        """The cosine of each chunk's best window to the query, in scope."""
        if query.vector is None:
            return {}
        scores: dict[int, float] = {}
        for matrix in self.in_scope(database, generation, query.filings):
            scores.update(best_by_chunk(matrix, query.vector, query.items, query.depth))
        return scores

    def in_scope(
        self, database: sqlite3.Connection, generation: Generation, filings: Sequence[int]
    ) -> Iterator[Matrix]:
        """The vectors of each filing in scope, cached in memory until the filing is written again."""
        where, values = scope("filing", filings)
        rows = database.execute(
            generation.sql(f"SELECT filing, stamp, windows FROM filing_{{n}} WHERE {where} ORDER BY filing"),  # noqa: S608
            values,
        ).fetchall()
        keep = sum(windows for _, _, windows in rows) * self.dimensions * 4 <= self.matrices.kept.maxsize
        for filing, stamp, _ in rows:
            matrix = self.matrices.get(filing, stamp)
            if matrix is None:
                matrix = self.read_matrix(database, generation, filing)
                if keep:
                    self.matrices.keep(filing, stamp, matrix)
            yield matrix

    def read_matrix(self, database: sqlite3.Connection, generation: Generation, filing: int) -> Matrix:
        rows = database.execute(
            generation.sql(
                "SELECT p.id, p.item, v.vectors FROM vector_{n} v JOIN passage_{n} p ON p.id = v.id"
                " WHERE v.id BETWEEN ? AND ? ORDER BY v.id"
            ),
            chunk_range(filing),
        ).fetchall()
        return Matrix.read(rows, self.dimensions)


class Building:
    """New tables (a generation) that are filled while the current ones stay in use."""

    def __init__(self, index: EmbeddedIndex, generation: Generation) -> None:
        self.index, self.generation = index, generation

    def put(self, filing: int, entries: Iterable[Entry]) -> None:
        held = list(entries)
        with self.index.writing() as database:
            write(database, self.generation, filing, held)

    def publish(self) -> None:
        """Switch to the new tables, and delete all others, including those of killed rebuilds."""
        with self.index.writing() as database:
            for number, *rest in database.execute(
                "SELECT number, model, dimensions, shape FROM generation"
            ).fetchall():
                if number != self.generation.number:
                    drop_tables(database, Generation(number, *rest))
            database.execute("UPDATE generation SET current = 1 WHERE number = ?", (self.generation.number,))
        with self.index.explained():
            self.index.connection().execute("PRAGMA incremental_vacuum").fetchall()

    def abandon(self) -> None:
        """Delete the unfinished tables."""
        with self.index.writing() as database:
            drop_tables(database, self.generation)
