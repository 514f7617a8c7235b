"""Reading filings without asking: company, filing, Items, text; and what an address may and may not say."""

import re
from typing import Any

import pytest
from django.test import Client

from filings.models import Company, Document, Filing, Section, SectionStatus
from tests.support.holdings import NORTHWIND, annual_report, northwind
from tests.support.texts import HOSTILE, SUPPLIER, Text, place, section, ten_k

ACCESSION = f"{NORTHWIND}-26-000012"


@pytest.fixture
def filing(db: None) -> Filing:
    return northwind().filings.get(fiscal_year=2025)


@pytest.fixture
def sections(filing: Filing) -> dict[str, Section]:
    return ten_k(filing)


def body(client: Client, path: str, status: int = 200, **query: Any) -> str:
    response = client.get(path, query)
    assert response.status_code == status
    return response.content.decode()


def marked(page: str) -> list[str]:
    return re.findall(r"<mark[^>]*>(.*?)</mark>", page)


# --- from the company to the text ---


def test_one_goes_from_the_company_to_the_filing_to_an_item(client: Client, sections: dict[str, Section]) -> None:
    company = body(client, f"/companies/{NORTHWIND}")
    assert f'<a href="/filings/{ACCESSION}">FY2025</a>' in company
    filing = body(client, f"/filings/{ACCESSION}")
    assert f'<a href="/filings/{ACCESSION}/1A">1A Risk Factors</a>' in filing
    assert SUPPLIER in body(client, f"/filings/{ACCESSION}/1A")


def test_the_company_page_shows_the_items_by_year(client: Client, sections: dict[str, Section]) -> None:
    page = body(client, f"/companies/{NORTHWIND}")
    ledger = page[page.index("Items of each 10-K") :]
    for cell in (
        f'<td class="is-x"><a href="/filings/{ACCESSION}/1A"><abbr title="extracted">X</abbr>',
        f'<td class="is-e"><a href="/filings/{ACCESSION}/1B"><abbr title="heading with None or Not applicable">–</abbr>',  # noqa: RUF001
        '<td class="is-o"><abbr title="omitted">O</abbr></td>',
        '<td class="is-r"><abbr title="by reference">R</abbr></td>',
        '<td class="is-n"><abbr title="not found">N</abbr></td>',
    ):
        assert cell in ledger, cell
    assert "2 extracted, 14 not found" in page


def test_a_company_whose_text_is_not_held_has_no_ledger(client: Client, filing: Filing) -> None:
    assert "Items of each 10-K" not in body(client, f"/companies/{NORTHWIND}")


def test_the_page_of_a_filing_says_what_is_known_of_every_item(client: Client, sections: dict[str, Section]) -> None:
    page = body(client, f"/filings/{ACCESSION}")
    for words in (
        "1C Cybersecurity",
        "Omitted",
        "the proxy statement for the 2026 annual meeting",
        "Page F-1",
        "20 Feb 2026",
    ):
        assert words in page, words
    assert f'<a href="/filings/{ACCESSION}/1C">' not in page
    assert f'<a href="/filings/{ACCESSION}/p24">' in page


def test_a_filing_without_text_says_so(client: Client, filing: Filing) -> None:
    assert "filing's text is not loaded." in body(client, f"/filings/{ACCESSION}")


def test_the_pages_cost_the_same_for_few_filings_and_for_many(
    client: Client, sections: dict[str, Section], django_assert_max_num_queries: Any
) -> None:
    company = Company.objects.get(cik=NORTHWIND)
    for year in range(2010, 2022):
        ten_k(annual_report(company, year))
    # Its key figures are of ten years at most, each of a filing of its own.
    with django_assert_max_num_queries(34):
        client.get(f"/companies/{NORTHWIND}")
    with django_assert_max_num_queries(9):
        client.get(f"/filings/{ACCESSION}")
    with django_assert_max_num_queries(5):
        client.get(f"/filings/{ACCESSION}/1A")


# --- the text ---


def test_a_section_shows_its_text_outline_and_hash(client: Client, sections: dict[str, Section]) -> None:
    page = body(client, f"/filings/{ACCESSION}/1A")
    text = sections["1A"].text
    assert "<h1>Item 1A. Risk Factors</h1>" in page
    assert 'aria-current="page">1A Risk Factors <small>p. 14</small>' in page
    assert "1B Unresolved Staff Comments <small>none, p. 22</small>" in page
    assert f"{len(text):,} characters" in page
    assert sections["1A"].sha256[:4] in page
    assert "<mark" not in page
    assert "cite-nav" not in page


def test_a_filing_cannot_bring_markup_of_its_own(client: Client, filing: Filing) -> None:
    section(filing, 1, "1", Text().page(1, HOSTILE[:8]).heading(HOSTILE).paragraph(HOSTILE), where=HOSTILE)
    section(filing, 2, "", Text().paragraph(HOSTILE), heading=HOSTILE)
    for path in ("", "/1", "/p2"):
        page = body(client, f"/filings/{ACCESSION}{path}")
        assert "<script>alert" not in page
        assert "<b onclick" not in page


def test_the_page_needs_no_script(client: Client, sections: dict[str, Section]) -> None:
    page = body(client, f"/filings/{ACCESSION}/1A")
    main = page[page.index("<main") : page.index("</main>")]
    assert "hx-" not in main
    assert "<script" not in main


def test_text_under_no_item_is_named_by_its_page(client: Client, sections: dict[str, Section]) -> None:
    page = body(client, f"/filings/{ACCESSION}/p24")
    assert "<h1>Page F-1</h1>" in page
    assert "under no Item that could be verified" in page


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (SectionStatus.OMITTED, "No heading in this filing names this Item"),
        (SectionStatus.NOT_FOUND, "was not found in the document"),
        (SectionStatus.UNVERIFIED, "could not be verified as this Item"),
        (SectionStatus.BY_REFERENCE, "The text is not in this document: Exhibit 13"),
    ],
)
def test_an_item_without_text_says_why(client: Client, filing: Filing, status: str, said: str) -> None:
    section(filing, 1, "8", status=status, where="Exhibit 13" if status == SectionStatus.BY_REFERENCE else "")
    assert said in body(client, f"/filings/{ACCESSION}/8")


def test_the_original_is_the_exhibit_that_the_text_stands_in(client: Client, filing: Filing) -> None:
    exhibit = Document.objects.create(
        filing=filing, sequence=5, type="EX-13", filename="nwi-ex13.htm", size=1, sha256="e" * 64
    )
    section(filing, 1, "8", Text().paragraph("Statements."), document=exhibit)
    assert f"/{ACCESSION.replace('-', '')}/nwi-ex13.htm" in body(client, f"/filings/{ACCESSION}/8")


# --- a range of it ---


def test_a_range_is_marked_and_is_where_the_page_opens(client: Client, sections: dict[str, Section]) -> None:
    start, end = place(sections["1A"], SUPPLIER)
    page = body(client, f"/filings/{ACCESSION}/1A", at=f"{start}-{end}")
    assert marked(page) == [SUPPLIER]
    assert 'id="at"' in page


def test_several_ranges_are_marked_at_once(client: Client, sections: dict[str, Section]) -> None:
    (a, b), (c, d) = place(sections["1A"], "Ceramic stage"), place(sections["1A"], "31%")
    assert marked(body(client, f"/filings/{ACCESSION}/1A", at=f"{a}-{b},{c}-{d}")) == ["Ceramic stage", "31%"]


@pytest.mark.parametrize("at", ["x", "5-5", "9-3", "0-99999999", "", "1-2,,", "-1-5", "<b>"])
def test_a_range_that_is_none_is_said_and_the_text_is_shown(
    client: Client, sections: dict[str, Section], at: str
) -> None:
    page = body(client, f"/filings/{ACCESSION}/1A", status=400, at=at)
    assert 'role="alert"' in page
    assert "range" in page[page.index('role="alert"') :][:200]
    assert SUPPLIER in page
    assert "<mark" not in page
    assert "<b>" not in page


# --- addresses ---


@pytest.mark.parametrize(
    "path",
    ["/0000000001-26-000012", "/0000000001-26-000012/1A", f"/{ACCESSION}/17", f"/{ACCESSION}/p99", f"/{ACCESSION}/1a",
     f"/{ACCESSION}/1A/2", "/nonsense", f"/{ACCESSION}/../../etc", f"/{ACCESSION}?cik=1", f"/{ACCESSION}/1A?cik=x",
     f"/{ACCESSION}/1A?cik=99999999999999999999", f"/{ACCESSION}/1A?cik=²"],
)  # fmt: skip
def test_what_is_not_held_is_not_found(client: Client, sections: dict[str, Section], path: str) -> None:
    assert client.get(f"/filings{path}").status_code == 404


def test_a_section_is_addressed_by_its_item_and_loose_text_by_its_place(sections: dict[str, Section]) -> None:
    assert sections["1A"].get_absolute_url() == f"/filings/{ACCESSION}/1A"
    assert sections["p"].get_absolute_url() == f"/filings/{ACCESSION}/p24"


def test_co_registrants_each_have_their_own_text(client: Client, sections: dict[str, Section]) -> None:
    twin = annual_report(Company.objects.create(cik=7, name="Twin Co"), 2025, accession=ACCESSION)
    section(twin, 1, "1A", Text().paragraph("Of the twin."))
    assert SUPPLIER in body(client, f"/filings/{ACCESSION}/1A")
    other = body(client, f"/filings/{ACCESSION}/1A", cik=7)
    assert "Of the twin." in other
    assert f'href="/filings/{ACCESSION}/1A?cik=7" aria-current="page"' in other
    assert "Also filed by" in body(client, f"/filings/{ACCESSION}")
    assert f"/filings/{ACCESSION}?cik={NORTHWIND}" in body(client, f"/companies/{NORTHWIND}")


def test_the_filing_that_answers_comes_before_a_co_registrants_copy(client: Client, filing: Filing) -> None:
    twin = annual_report(Company.objects.create(cik=7, name="Twin Co"), 2025, accession=ACCESSION, is_primary=False)
    assert twin.pk > filing.pk
    assert "<h1>Northwind Instruments, " in body(client, f"/filings/{ACCESSION}")
