"""The local EDGAR of real filings beside the project, for tests that are skipped where it is not there."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from evals import mirror
from filings.ingest import queue
from filings.models import Company
from tests.support.sample import restored

ABSENT = "../shared/edgar is not there: real filings are not tested"
# One worker ingests the filings of a module: two would do the same work twice (pytest -n 2 --dist loadgroup).
one_worker = pytest.mark.xdist_group("mirror")


@contextmanager
def served() -> Iterator[Any]:
    """A server of the real filings, with the settings pointed at it; a skip where there is none."""
    if not mirror.is_there():
        pytest.skip(ABSENT)
    with mirror.edgar() as server:
        yield server


@contextmanager
def ingested(companies: Mapping[int, tuple[int, int | None]], vectors: Path) -> Iterator[None]:
    """Companies by CIK with their first and last fiscal year, in the database and the index while inside.

    vectors: a folder that outlives the session, so that the same text is embedded once.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        restored(),
        served(),
        override_settings(DATA_DIR=Path(folder), VECTORS_DIR=vectors),
    ):
        for cik, years in companies.items():
            company, _ = Company.objects.get_or_create(cik=cik, defaults={"name": f"CIK {cik}"})
            Company.objects.enqueue(company.pk, years)
            outcome = queue.work(company.pk)
            assert outcome is not None
            assert not outcome.failed, outcome.message
        yield
