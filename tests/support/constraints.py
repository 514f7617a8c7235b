"""Foreign keys of what a test has written, looked at when it ends.

Django looks at those of the whole database, of which the sample is nearly all: that took longer than most tests.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper

WRITES = re.compile(r'(INSERT|REPLACE|UPDATE|DELETE)(?: OR \w+)?(?: INTO| FROM)? "(\w+)"')
REFERRING = 'SELECT made.name, key."table" FROM sqlite_master made, pragma_foreign_key_list(made.name) key'
NO_WRITES = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT", "PRAGMA", "EXPLAIN")


class Written:
    """The tables whose foreign keys the statements since the last look may have broken."""

    def __init__(self, connection: BaseDatabaseWrapper) -> None:
        self.tables: set[str] = set()
        self.anything = False
        self.whole = connection.check_constraints
        self.referring: dict[str, set[str]] = defaultdict(set)
        with connection.cursor() as cursor:
            cursor.execute(REFERRING)
            for table, named in cursor.fetchall():
                self.referring[named].add(table)

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if found := WRITES.match(sql):
            kind, table = found.groups()
            self.tables.add(table)
            if kind in {"DELETE", "REPLACE"}:
                self.tables |= self.referring[table]
        elif not sql.startswith(NO_WRITES):
            self.anything = True
        return execute(sql, params, many, context)

    def check(self, table_names: list[str] | None = None) -> None:
        tables, anything, self.tables, self.anything = sorted(self.tables), self.anything, set(), False
        if table_names is None and not anything:
            table_names = tables
        self.whole(table_names)


def check_what_is_written(connection: BaseDatabaseWrapper) -> None:
    """Make a connection look at no more than that, from now on."""
    written = Written(connection)
    connection.execute_wrappers.append(written)
    connection.check_constraints = written.check  # type: ignore[method-assign]
