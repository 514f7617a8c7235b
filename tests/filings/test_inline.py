"""Inline XBRL documents of a fictional company: figures, cover, and what is left out."""

import csv
import lzma
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from filings.document.inline import UnreadableDocument, read_inline
from filings.xbrl.companyfacts import parse_companyfacts
from filings.xbrl.parsed_xbrl import ParsedDocument, ParsedFact, ParsedStatement
from tests.support import northwind as nw

SHARED = Path(__file__).resolve().parents[2] / "../shared"
MIRROR = SHARED / "edgar/mirror"
YEAR_END = date(2024, 12, 31)


def statement(document: ParsedDocument, kind: str) -> ParsedStatement:
    return next(found for found in document.statements if found.kind == kind)


def fact(document: ParsedDocument, tag: str, end: date = YEAR_END) -> ParsedFact:
    (found,) = [one for one in document.facts if one.tag == tag and one.end == end]
    return found


def test_it_reads_every_statement_with_its_title_and_lines_in_printed_order() -> None:
    document = read_inline(nw.annual_report())
    assert [(found.kind, found.title) for found in document.statements] == [
        ("income", "CONSOLIDATED STATEMENTS OF INCOME"),
        ("balance", "CONSOLIDATED BALANCE SHEETS"),
        ("cashflow", "CONSOLIDATED STATEMENTS OF CASH FLOWS"),
        ("comprehensive", "CONSOLIDATED STATEMENTS OF COMPREHENSIVE INCOME"),
        ("equity", "CONSOLIDATED STATEMENTS OF STOCKHOLDERS\u2019 EQUITY"),
        ("cover", ""),
    ]
    lines = statement(document, "income").lines
    assert [line.tag for line in lines][:4] == [
        "us-gaap:Revenues",
        "us-gaap:CostOfRevenue",
        "us-gaap:GrossProfit",
        "us-gaap:ResearchAndDevelopmentExpense",
    ]
    assert [line.order for line in lines] == sorted(line.order for line in lines)


def test_a_figure_is_a_full_number_with_its_place_on_the_face() -> None:
    found = fact(read_inline(nw.annual_report()), "CostOfRevenue")
    assert found == ParsedFact(
        taxonomy="us-gaap",
        tag="CostOfRevenue",
        unit="USD",
        start=date(2024, 1, 1),
        end=YEAR_END,
        raw="600000000",
        value=Decimal(600_000_000),
        decimals=-6,
        anchor="f-CostOfRevenue-fy",
        statement="income",
        order=4,
        label="Cost of revenue",
        printed="600",
    )


def test_sign_and_printed_parentheses_are_different_things() -> None:
    document = read_inline(nw.annual_report())
    outflow, loss = fact(document, "PaymentsOfDividends"), fact(document, "NetCashProvidedByUsedInFinancingActivities")
    assert (outflow.raw, outflow.printed) == ("110000000", "(110)")
    assert (loss.raw, loss.printed) == ("-110000000", "(110)")


def test_decimals_are_exact_and_without_zeros_at_the_end() -> None:
    found = fact(read_inline(nw.annual_report()), "EarningsPerShareDiluted")
    assert (found.raw, found.value, found.unit, found.printed) == ("1.5", Decimal("1.5"), "USD/shares", "1.50")


def test_rows_by_product_are_left_out_and_their_total_is_kept() -> None:
    document = read_inline(nw.annual_report())
    assert fact(document, "Revenues").raw == "1000000000"
    assert [line.label for line in statement(document, "income").lines if line.tag == "us-gaap:Revenues"] == [
        "Total revenue"
    ]
    assert statement(document, "income").dimensional == ()


def test_a_line_printed_by_product_only_is_told_apart_from_one_that_is_not_there() -> None:
    rows = [row for row in nw.INCOME_ROWS if "Total revenue" not in row]
    income = nw.heading("CONSOLIDATED STATEMENTS OF INCOME") + nw.table(*rows, *nw.PER_SHARE_ROWS)
    document = read_inline(nw.document(nw.COVER, income, nw.BALANCE))
    face = statement(document, "income")
    assert "us-gaap:Revenues" not in [line.tag for line in face.lines]
    assert [(line.tag, line.label) for line in face.dimensional] == [
        ("us-gaap:Revenues", "Lamps"),
        ("us-gaap:Revenues", "Repairs"),
    ]
    assert [row for row in face.stored_lines() if row.get("dimensional")] == [
        {"order": 1, "tag": "us-gaap:Revenues", "label": "Lamps", "heading": "Revenue:", "dimensional": True},
        {"order": 2, "tag": "us-gaap:Revenues", "label": "Repairs", "heading": "Revenue:", "dimensional": True},
    ]


def test_the_tags_of_the_company_itself_are_kept() -> None:
    found = fact(read_inline(nw.annual_report()), "LighthouseUpkeepExpense")
    assert (found.taxonomy, found.raw, found.label) == ("nwl", "30000000", "Lighthouse upkeep")


def test_a_standard_taxonomy_under_another_prefix_gets_its_usual_name() -> None:
    text = nw.annual_report().replace(b"us-gaap:", b"gaap24:").replace(b"xmlns:us-gaap=", b"xmlns:gaap24=")
    assert fact(read_inline(text), "CostOfRevenue").taxonomy == "us-gaap"


def test_figures_of_notes_are_left_out() -> None:
    document = read_inline(nw.annual_report())
    assert "AccountsReceivableGrossCurrent" not in {found.tag for found in document.facts}


def test_a_figure_on_two_statements_belongs_to_the_income_statement_and_stands_on_both() -> None:
    document = read_inline(nw.annual_report())
    assert fact(document, "NetIncomeLoss").statement == "income"
    assert "us-gaap:NetIncomeLoss" in [line.tag for line in statement(document, "cashflow").lines]


def test_cash_at_the_beginning_and_the_end_are_two_lines_of_one_tag() -> None:
    lines = statement(read_inline(nw.annual_report()), "cashflow").lines
    assert [line.label for line in lines if line.tag == "us-gaap:CashAndCashEquivalentsAtCarryingValue"] == [
        "Cash, beginning of year",
        "Cash, end of year",
    ]


def test_a_statement_of_equity_keeps_the_lines_of_its_components() -> None:
    tags = [line.tag for line in statement(read_inline(nw.annual_report()), "equity").lines]
    assert tags == [
        "us-gaap:StockholdersEquity",
        "us-gaap:NetIncomeLoss",
        "us-gaap:DividendsCommonStock",
        "us-gaap:StockholdersEquity",
    ]


def test_the_cover_gives_texts_counts_and_the_fiscal_year() -> None:
    document = read_inline(nw.annual_report())
    assert document.cover == {
        "DocumentType": "10-K",
        "DocumentFiscalYearFocus": "2024",
        "DocumentPeriodEndDate": "December 31, 2024",
        "EntityRegistrantName": "Northwind & Sons Lanterns, Inc.",
        "EntityIncorporationStateCountryCode": "Vermont",
        "EntityShellCompany": "No",
        "AuditorName": "Fjord & Partner LLP",
    }
    assert (document.fiscal_year_focus, document.period_end) == (2024, YEAR_END)
    counted = fact(document, "EntityCommonStockSharesOutstanding", date(2025, 2, 7))
    assert (counted.raw, counted.unit, counted.statement) == ("121450300", "shares", "cover")
    assert fact(document, "EntityPublicFloat", date(2024, 6, 28)).raw == "8400000000"


def test_a_hidden_figure_stands_where_the_text_that_points_to_it_is_printed() -> None:
    hidden = nw.HIDDEN + nw.fact("us-gaap:GoodwillImpairmentLoss", "0", scale="0", id="h-9")
    rows = [
        *nw.INCOME_ROWS,
        nw.row("Impairment", '<span style="-sec-ix-hidden:h-9">&#8212;</span>'),
        *nw.PER_SHARE_ROWS,
    ]
    text = nw.document(nw.COVER, nw.table(*rows), nw.BALANCE, hidden=hidden)
    found = fact(read_inline(text), "GoodwillImpairmentLoss")
    assert (found.raw, found.label, found.printed, found.statement) == ("0", "Impairment", "\u2014", "income")


def test_a_hidden_figure_that_is_printed_nowhere_is_on_no_statement() -> None:
    hidden = nw.HIDDEN + nw.fact("us-gaap:GoodwillImpairmentLoss", "0", scale="0", id="h-9")
    document = read_inline(nw.document(nw.COVER, *nw.STATEMENTS, hidden=hidden))
    assert "GoodwillImpairmentLoss" not in {found.tag for found in document.facts}
    assert len(document.statements) == 6


def test_of_two_roundings_of_one_figure_the_more_precise_is_kept() -> None:
    rough = nw.line("Net income", "us-gaap:NetIncomeLoss", "0.2", scale="9", decimals="-8")
    income = nw.table(rough, *nw.INCOME_ROWS, *nw.PER_SHARE_ROWS)
    assert fact(read_inline(nw.document(nw.COVER, income, nw.BALANCE)), "NetIncomeLoss").raw == "184000000"


def test_plain_html_gives_an_empty_document() -> None:
    assert read_inline(b"<html><body><table><tr><td>Net sales</td><td>1,000</td></tr></table>") == ParsedDocument()


@pytest.mark.parametrize("document", [b"", b"   ", b"%PDF-1.7 ...", b"\x89PNG\r\n\x1a\n", b"Net sales 1,000"])
def test_bytes_that_are_no_html_are_unreadable(document: bytes) -> None:
    with pytest.raises(UnreadableDocument):
        read_inline(document)


def test_entities_of_html_are_read_as_characters() -> None:
    text = nw.annual_report().replace(b"Lighthouse upkeep", b"Lighthouse&nbsp;upkeep&mdash;net")
    assert fact(read_inline(text), "LighthouseUpkeepExpense").label == "Lighthouse upkeep\u2014net"


def test_a_document_that_is_not_well_formed_is_repaired() -> None:
    text = nw.annual_report().replace(b"</td><td>$</td>", b"<br></td><td>$</td>", 3)
    assert fact(read_inline(text), "NetIncomeLoss").raw == "184000000"


def test_entities_declared_in_a_document_are_not_expanded(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("Lighthouse secret")
    start = f'<!DOCTYPE html [<!ENTITY leak SYSTEM "{secret.as_uri()}">]>\n<html '.encode()
    text = nw.annual_report().replace(b"<html ", start, 1).replace(b"Lighthouse upkeep", b"Upkeep &leak;")
    document = read_inline(text)
    assert fact(document, "LighthouseUpkeepExpense").raw == "30000000"
    assert all("secret" not in found.label for found in document.facts)


def test_an_annual_report_exhibit_takes_contexts_and_year_from_the_document_beside_it() -> None:
    primary = nw.document(nw.COVER)
    header = nw.annual_report().partition(b"<ix:resources>")[2].partition(b"</ix:resources>")[0]
    exhibit = nw.document(*nw.STATEMENTS, hidden="").replace(header, b"")
    assert read_inline(exhibit).facts == ()
    document = read_inline(exhibit, beside=[primary])
    assert [found.kind for found in document.statements] == [
        "income",
        "balance",
        "cashflow",
        "comprehensive",
        "equity",
    ]
    assert (document.cover, document.period_end) == ({}, YEAR_END)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_no_damage_to_a_document_raises_anything_but_unreadable(data: st.DataObject) -> None:
    text = nw.annual_report()
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.integers(0, 200))
        text = text[:start] + data.draw(st.binary(max_size=8)) + text[end:]
    try:
        document = read_inline(text)
    except UnreadableDocument:
        return
    assert all(found.unit and found.taxonomy for found in document.facts)


@pytest.mark.parametrize(
    "accession",
    [
        "0000320193-24-000123",  # dates in September, figures and share counts in label cells
        "0000040545-25-000015",  # company tags on the face, labels printed over two rows
        "0001326801-22-000018",  # cash flow statement in two tables
        "0001104659-22-025141",  # made by another tool, totals without a label
        "0001283699-25-000012",  # one statement of income and comprehensive income
    ],
)
def test_the_figures_of_a_real_statement_are_those_of_companyfacts(accession: str) -> None:
    index = SHARED / "edgar/filings.csv"
    if not index.is_file():
        pytest.skip("../shared/edgar is not there")
    with index.open(encoding="utf-8") as file:
        filing = next((row for row in csv.DictReader(file) if row["accession"] == accession), None)
    if filing is None:
        pytest.skip(f"{accession} is not in the mirror")
    document = read_inline(lzma.decompress((MIRROR / f"{filing['mirror_path']}.xz").read_bytes()))
    facts = MIRROR / f"api/xbrl/companyfacts/CIK{int(filing['cik']):010d}.json.xz"
    rows = parse_companyfacts(lzma.decompress(facts.read_bytes())).filings[accession].rows
    known = {(row.taxonomy, row.tag, row.unit, row.start, row.end): row.value for row in rows}
    assert {"income", "balance", "cashflow", "comprehensive"} <= {found.kind for found in document.statements}
    shared = [
        (found.value, known[key])
        for found in document.facts
        if (key := (found.taxonomy, found.tag, found.unit, found.start, found.end)) in known
    ]
    assert len(shared) >= 150
    assert [pair for pair in shared if pair[0] != pair[1]] == []
