"""Real filings of ../shared/edgar, ingested and asked through the page."""

import importlib.util
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings
from django.utils.html import strip_tags
from pytest_django import DjangoDbBlocker

from diligence.celery import app
from filings import queue
from filings.models import Company

SERVE = Path(__file__).resolve().parents[2] / "../shared/edgar/serve.py"
# CIK and fiscal years: Apple, Tesla, NVIDIA, Microsoft, JPMorgan, Lowe's, and two companies with partial facts.
INGESTED = {
    320193: (2024, 2024),
    1318605: (2023, 2023),
    1045810: (2024, 2024),
    789019: (2024, 2024),
    19617: (2024, 2024),
    60667: (2023, 2023),
    34088: (2015, None),
    1596532: (2015, None),
}


@pytest.fixture(scope="module")
def _real(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The companies of the mirror, ingested once for the module into the test database, and taken out again."""
    if not SERVE.is_file():
        pytest.skip("../shared/edgar is not there")
    spec = importlib.util.spec_from_file_location("serve", SERVE)
    assert spec is not None
    assert spec.loader is not None
    serve = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(serve)
    folder = tempfile.mkdtemp()
    from tests.support.sample import restored

    with django_db_blocker.unblock(), restored(), serve.Edgar() as edgar:
        changes = {
            "DATA_DIR": Path(folder),
            "EDGAR_BASE_URL": edgar.url,
            "EDGAR_DATA_URL": edgar.url,
            "EDGAR_REQUESTS_PER_SECOND": 1000.0,
        }
        with override_settings(**changes):
            for cik, years in INGESTED.items():
                company, _ = Company.objects.get_or_create(cik=cik, defaults={"name": f"CIK {cik}"})
                Company.objects.enqueue(company.pk, years)
                outcome = queue.work(company.pk)
                assert outcome is not None
                assert not outcome.failed, outcome.message
        yield
    shutil.rmtree(folder)


@pytest.fixture
def read(_real: None, db: None, django_capture_on_commit_callbacks: Any) -> Iterator[Callable[[str], str]]:
    """Ask on the page and read the answer as a person does: text without markup, white space folded."""

    def ask(question: str) -> str:
        client = Client()
        with django_capture_on_commit_callbacks(execute=True):
            asked = client.post("/ask", {"question": question})
        html = client.get(asked["Location"]).content.decode()
        return re.sub(r"\s+", " ", strip_tags(html.partition("<main")[2]))

    app.conf.task_always_eager = True
    yield ask
    app.conf.task_always_eager = False


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What was Apple's revenue in FY2024?", ["$391,035 million", "391,035,000,000", "28 September 2024"]),
        ("Apple shares outstanding, fiscal 2024", ["15,115,823,000", "18 October 2024", "15,116,786,000"]),
        ("Tesla revenue FY2023", ["$96,773 million", "31 December 2023"]),
        ("What was NVIDIA's revenue in fiscal 2024?", ["$60,922 million", "28 January 2024"]),
        ("Apple total term debt FY2024", ["$96,662 million", "10,912", "85,750"]),
        ("Microsoft R&D FY2024", ["$29,510 million", "30 June 2024"]),
        ("What was Apple's R&D spend in FY2024?", ["$31,370 million", "Research and development"]),
        ("Lowe's revenue in fiscal 2023", ["2 February 2024", "fiscal 2023"]),
    ],
)
def test_the_page_shows_the_figure_of_the_filing(read: Callable[[str], str], question: str, shown: list[str]) -> None:
    text = read(question)
    assert "Re-read from the stored filing" in text or "figures re-read" in text, text
    missing = [part for part in shown if part not in text]
    assert not missing, text


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("JPMorgan gross profit 2024", "not_meaningful"),
        # Partial companyfacts of some ten to twenty tags.
        ("Exxon Mobil goodwill fiscal 2023", "concept_not_reported"),
        ("Arista inventory fiscal 1999", "year_before_2015"),
        ("Arista revenue fiscal 2040", "future_period"),
    ],
)
def test_the_page_refuses_by_what_is_held(read: Callable[[str], str], question: str, code: str) -> None:
    text = read(question)
    assert "Not answered" in text
    assert code in text


def test_partial_facts_never_answer_with_a_wrong_year(read: Callable[[str], str]) -> None:
    """A year whose 10-K holds the tag answers with that year's own end; one that does not refuses."""
    held = Company.objects.get(cik=34088).filings.filter(is_primary=True, fiscal_year__gte=2015)
    for filing in held:
        text = read(f"Exxon Mobil revenue fiscal {filing.fiscal_year}")
        if "Re-read from the stored filing" in text:
            assert f"{filing.period_end:%-d %B %Y}" in text
