"""A hundred asks from twenty threads of four processes, two of which have wrong clocks, on SQLite."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from tests.support.askers import ask_at_once
from tests.support.processes import ROOT, environment
from tests.support.quota_scenarios import SCENARIOS, check, settled, sites

# One for each limit; the others differ in what they count beside it, and are tried on PostgreSQL and Redis.
NAMES = ("requests", "tokens held", "unfinished", "in all", "answers", "cost", "requests of a site")
TABLES = ("accounts_plan", "accounts_override", "accounts_meter", "accounts_reservation")


@pytest.mark.soak  # tests/services has it on PostgreSQL and Redis
def test_no_limit_is_exceeded_by_one(db: None, tmp_path: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE tbl_name IN (%s, %s, %s, %s) AND sql IS NOT NULL", TABLES)
        made_by = [sql for (sql,) in cursor.fetchall()]
    file = tmp_path / "ledger.sqlite3"
    with closing(sqlite3.connect(file)) as ledger:
        ledger.executescript("PRAGMA journal_mode=WAL;" + ";".join(made_by))
    variables = environment(DATABASE_URL=f"sqlite:///{file}", DATA_DIR=str(tmp_path), SECRET_KEY="x")
    found = ask_at_once([SCENARIOS[name] for name in NAMES], variables, str(ROOT))
    check(found, NAMES)
    with closing(sqlite3.connect(file)) as ledger:
        rows = ledger.execute(
            "SELECT SUM(questions), SUM(answers), SUM(key LIKE 'site:%') FROM accounts_meter"
        ).fetchone()
        held = ledger.execute("SELECT state, COUNT(*) FROM accounts_reservation GROUP BY state").fetchall()
    assert rows == (settled(NAMES), settled(NAMES), sites(NAMES))
    assert dict(held)["settled"] == settled(NAMES)
