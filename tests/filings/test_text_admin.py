"""Admin of sections and chunks: staff look, nobody edits, and no list loads a text."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from filings.models import Chunk, Section
from tests.support.holdings import annual_report, northwind
from tests.support.texts import PERMIT, SUPPLIER, Text, chunk_of, section, ten_k


@pytest.fixture
def sections(db: None) -> dict[str, Section]:
    return ten_k(northwind().filings.get(fiscal_year=2025))


def page(client: Client, name: str, *args: Any, **query: Any) -> str:
    response = client.get(reverse(f"admin:filings_{name}", args=args), query)
    assert response.status_code == 200
    return response.content.decode()


def test_sections_are_narrowed_by_status_and_item(as_charlie: Client, sections: dict[str, Section]) -> None:
    found = page(as_charlie, "section_changelist", status__exact="extracted", q=sections["1A"].filing.accession)
    assert "Item 1A, Risk Factors" in found
    assert "Item 1C" not in found.partition('id="result_list"')[2]
    only = page(as_charlie, "section_changelist", item="none", q=sections["1A"].filing.accession)
    assert "Section 24, outside any Item" in only
    assert "1 section" in only


def test_the_ledger_of_a_filing_shows_every_item(as_charlie: Client, sections: dict[str, Section]) -> None:
    filing = sections["1A"].filing
    found = page(as_charlie, "section_ledger", filing.pk)
    for words in ("1A Risk Factors", "Omitted", "By reference", "the proxy statement for the 2026 annual meeting"):
        assert words in found, words
    assert reverse("admin:filings_section_ledger", args=[filing.pk]) in page(as_charlie, "filing_change", filing.pk)
    assert "2 extracted" in page(as_charlie, "company_coverage", filing.company_id)


def test_the_ledger_is_for_staff(client: Client, as_alice: Client, sections: dict[str, Section]) -> None:
    address = reverse("admin:filings_section_ledger", args=[sections["1A"].filing_id])
    for stranger in (client, as_alice):
        assert stranger.get(address).status_code in (302, 403)


def test_a_section_is_read_and_not_edited(as_charlie: Client, sections: dict[str, Section]) -> None:
    change = reverse("admin:filings_section_change", args=[sections["1A"].pk])
    assert SUPPLIER in as_charlie.get(change).content.decode()
    assert as_charlie.post(change, {"text": "x"}).status_code == 403
    assert as_charlie.get(reverse("admin:filings_section_add")).status_code == 403


def test_a_chunk_shows_its_own_ranges_and_is_not_edited(as_charlie: Client, sections: dict[str, Section]) -> None:
    chunk = chunk_of(sections["1A"], PERMIT)
    change = reverse("admin:filings_chunk_change", args=[chunk.pk])
    assert PERMIT in as_charlie.get(change).content.decode()
    assert as_charlie.post(change, {"number": "7"}).status_code == 403


def test_text_of_a_filing_is_no_markup_in_the_admin(as_charlie: Client, sections: dict[str, Section]) -> None:
    hostile = section(sections["1A"].filing, 90, "", Text().paragraph("<script>alert(1)</script>"))
    chunk = chunk_of(hostile, "<script>alert(1)</script>")
    for name, pk in (("section_change", hostile.pk), ("chunk_change", chunk.pk)):
        assert "<script>alert" not in page(as_charlie, name, pk)


@pytest.mark.parametrize("name", ["section", "chunk"])
def test_a_list_loads_no_text_and_costs_the_same_for_many(
    as_charlie: Client, sections: dict[str, Section], name: str
) -> None:
    company = sections["1A"].filing.company
    for year in range(2010, 2016):
        for held in ten_k(annual_report(company, year)).values():
            if held.text:
                chunk_of(held, held.text[:20])
    assert Chunk.objects.count() > 12
    with CaptureQueriesContext(
        connection,
    ) as queries:
        page(as_charlie, f"{name}_changelist")
    assert len(queries) <= 8
    asked = [query["sql"] for query in queries if f'FROM "filings_{name}"' in query["sql"]]
    assert asked
    assert not [sql for sql in asked if '"text"' in sql or '"blocks"' in sql or '"windows"' in sql]
