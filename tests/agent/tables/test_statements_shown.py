"""Statements on the pages of a company and of a filing: all are offered, and only that which is shown is made."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.identity import Identity
from agent.numbers.registry import registry
from agent.web.tables.company_figures import statements
from agent.web.tables.verified_tables import dependencies
from filings.models import Company, Statement, StatementKind
from filings.web.company_directory import with_held
from tests.agent.tables.cells import card, cell
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


def shown(client: Client, cik: int, **query: Any) -> dict[str, Any]:
    found = client.get(f"/companies/{cik}", query).context
    return {"kinds": found["kinds"], "kind": found["statement"][0], "years": found["statement"][1]}


@pytest.mark.parametrize("printed", [True, False])
def test_each_statement_that_a_filing_has_is_offered_and_shown_when_it_is_chosen(
    client: Client, sample: Sample, printed: bool
) -> None:
    filing = sample.filing("AAPL", 2023)
    if not printed:
        Statement.objects.filter(filing=filing).delete()
    first = shown(client, filing.company.cik, year=2023)
    assert first["kind"] == first["kinds"][0] == StatementKind.INCOME
    assert {StatementKind.INCOME, StatementKind.BALANCE, StatementKind.CASHFLOW} <= set(first["kinds"])
    titles = set()
    for kind in first["kinds"]:
        chosen = shown(client, filing.company.cik, year=2023, statement=kind.value)
        assert (chosen["kind"], chosen["kinds"]) == (kind, first["kinds"])
        assert any(group.rows for group in chosen["years"].groups)
        titles.add(chosen["years"].title)
    assert len(titles) == len(first["kinds"])
    page = client.get(f"/filings/{filing.accession}").context["statements"]
    assert [kind for kind, _ in page] == list(first["kinds"])


def test_an_unknown_statement_is_the_first(client: Client, sample: Sample) -> None:
    assert shown(client, sample["AAPL"].cik, statement="poem")["kind"] == StatementKind.INCOME


def test_a_statement_that_is_not_taken_is_not_made(sample: Sample) -> None:
    filing = sample.filing("AAPL", 2023)
    Statement.objects.filter(filing=filing).delete()
    company = with_held(Company.objects.filter(cik=filing.company.cik)).get()
    made = statements(filing, company, dependencies(Identity(), registry.load()))
    for make in made.values():
        with CaptureQueriesContext(connection) as asked:
            assert make()
        assert len(asked) > 0


def test_a_statement_has_no_first_and_last_figure() -> None:
    shown = card(
        cell("1", 2023, measure="a"), cell("2", measure="a"), cell("5", measure="b"), statement="income statement"
    )
    assert shown.trend is None
