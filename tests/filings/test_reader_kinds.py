"""What the reader says of documents of each kind: kind and period, day, origin, who imported it, and withdrawal."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.models import User
from filings.models import Company, Filing, Section
from filings.models.report import imported_accession
from tests.support.holdings import NORTHWIND, northwind
from tests.support.sample import Sample
from tests.support.texts import Text, section


@pytest.fixture
def company(db: None) -> Company:
    return northwind()


def document(company: Company, source: str, item: str = "", **fields: Any) -> Filing:
    accession = f"{NORTHWIND}-25-000777" if fields.get("form") else imported_accession(source.encode())
    given = {"accession": accession, "filed": date(2025, 5, 6), "chunks_stored": 1, **fields}
    found = Filing.objects.create(company=company, source=source, **given)
    section(found, 1, item, Text().paragraph("Orders rose in the spring."), heading="Spring")
    return found


KINDS: list[tuple[str, str, dict[str, Any], str, str, str]] = [
    (
        "10-Q",
        "II.1A",
        {"form": "10-Q", "fiscal_year": 2025, "fiscal_quarter": 2},
        "10-Q, Q2 fiscal 2025",
        "Filed",
        "for",
    ),
    ("8-K", "2.02", {"form": "8-K", "fiscal_year": 2025}, "8-K, 6 May 2025", "Filed", "of"),
    ("DEF 14A", "", {"form": "DEF 14A"}, "DEF 14A, 6 May 2025", "Filed", "of"),
    ("20-F", "20F.5", {"form": "20-F", "fiscal_year": 2024}, "20-F, fiscal 2024", "Filed", "for"),
    ("call", "questions", {"fiscal_year": 2025, "fiscal_quarter": 3}, "Earnings call, Q3 fiscal 2025", "Held", "for"),
    ("report", "", {"fiscal_year": 2024}, "Other report, fiscal 2024", "Published", "for"),
    ("news", "", {}, "News, 6 May 2025", "Published", "of"),
]


@pytest.mark.parametrize(("source", "item", "fields", "headline", "dated", "joined"), KINDS)
def test_every_kind_has_the_same_reader_with_kind_and_period(
    client: Client,
    company: Company,
    source: str,
    item: str,
    fields: dict[str, Any],
    headline: str,
    dated: str,
    joined: str,
) -> None:
    found = document(company, source, item, **fields)
    name, _, period = headline.partition(", ")
    page = client.get(f"/filings/{found.accession}").content.decode()
    assert f'<h1>Northwind Instruments, <span class="nowrap">{name}</span> {joined} {period}</h1>' in page
    assert f'<th scope="row">{dated}</th>' in page
    assert "Not used for answers" not in page
    text = client.get(f"/filings/{found.accession}/{item or 'p1'}").content.decode()
    assert f'<a href="/filings/{found.accession}">{headline}</a>' in text
    assert f"<dt>{dated}</dt>" in text
    assert "Orders rose in the spring." in text


def test_contents_are_called_items_where_they_are(client: Client, company: Company) -> None:
    call, current = document(company, "call", "questions"), document(company, "8-K", "2.02", form="8-K")
    page = client.get(f"/filings/{call.accession}/questions").content.decode()
    assert "Contents" in page
    assert "Items of this filing" not in page
    page = client.get(f"/filings/{current.accession}/2.02").content.decode()
    assert "Items of this filing" in page
    listed = client.get(f"/filings/{call.accession}").content.decode()
    assert '<th scope="col">Part</th>' in listed
    assert "Extracted: the Item" not in listed


def test_an_import_has_its_title_and_where_it_came_from(client: Client, company: Company) -> None:
    found = document(company, "report", title="Outlook <2026>", address="https://example.com/outlook")
    page = client.get(f"/filings/{found.accession}").content.decode()
    assert "<h1>Outlook &lt;2026&gt;</h1>" in page
    assert '<a href="https://example.com/outlook" rel="noreferrer">Where it came from' in page
    assert "sec.gov" not in page.partition("<main")[2].partition("</main>")[0]
    text = client.get(f"/filings/{found.accession}/p1").content.decode()
    assert "<dt>Title</dt><dd>Outlook &lt;2026&gt;</dd>" in text
    Filing.objects.filter(pk=found.pk).update(address="javascript:alert(1)")
    assert 'href="javascript' not in client.get(f"/filings/{found.accession}").content.decode()


def test_who_imported_it_is_told_to_staff_alone(
    client: Client, as_alice: Client, as_charlie: Client, bob: User, company: Company
) -> None:
    found = document(company, "report", added_by=bob)
    for address in (f"/filings/{found.accession}", f"/filings/{found.accession}/p1"):
        assert "Imported by" in as_charlie.get(address).content.decode()
        assert bob.email in as_charlie.get(address).content.decode()
        for other in (client, as_alice):
            assert "Imported by" not in other.get(address).content.decode()


def test_what_was_withdrawn_says_so_and_is_not_searched(client: Client, company: Company) -> None:
    found = document(company, "report", withdrawn=now())
    for address in (f"/filings/{found.accession}", f"/filings/{found.accession}/p1"):
        assert "This document can be read. It is not searched or cited." in client.get(address).content.decode()
    assert "Search this document" not in client.get(f"/filings/{found.accession}").content.decode()
    Filing.objects.filter(pk=found.pk).update(withdrawn=None)
    assert "Search this document" in client.get(f"/filings/{found.accession}").content.decode()


def test_a_part_whose_name_begins_like_a_number_is_read_by_its_name(client: Client, sample: Sample) -> None:
    part = Section.objects.exclude(text="").get(item="prepared", filing__in=Filing.objects.imported())
    assert client.get(part.get_absolute_url()).status_code == 200
    read = client.get(f"/api/v1/filings/{part.filing.accession}/sections/prepared")
    assert (read.status_code, read.json()["text"][:100]) == (200, part.text[:100])
    for key in ("p", "preparedness", "p0", "p99999999999"):
        assert client.get(f"/filings/{part.filing.accession}/{key}").status_code == 404, key
        assert client.get(f"/api/v1/filings/{part.filing.accession}/sections/{key}").status_code == 404, key
