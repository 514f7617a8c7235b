"""Companyfacts files: rows of annual reports by accession, numbers as written."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from filings.xbrl.companyfacts import FactRow, LabelledElement, RowConflict, UnreadableFacts, parse_companyfacts

ACCESSION = "0009999999-25-000007"


def row(val: Any = 1000, **told: Any) -> dict[str, Any]:
    return {
        "start": "2024-01-01",
        "end": "2024-12-31",
        "val": val,
        "accn": ACCESSION,
        "fy": 2024,
        "fp": "FY",
        "form": "10-K",
        "filed": "2025-02-20",
        **told,
    }


def companyfacts(
    *rows: dict[str, Any],
    taxonomy: str = "us-gaap",
    tag: str = "Revenues",
    unit: str = "USD",
    label: object = "Revenue",
) -> bytes:
    facts = {taxonomy: {tag: {"label": label, "units": {unit: list(rows)}}}}
    return json.dumps({"cik": 9999999, "entityName": "Northwind", "facts": facts}).encode()


def test_a_row_of_an_annual_report_is_kept_with_its_dates_and_unit() -> None:
    found = parse_companyfacts(companyfacts(row(1000)))
    assert (found.cik, found.has_ifrs) == (9999999, False)
    filing = found.filings[ACCESSION]
    assert (filing.form, filing.filed) == ("10-K", date(2025, 2, 20))
    assert filing.rows == [
        FactRow("us-gaap", "Revenues", "USD", date(2024, 1, 1), date(2024, 12, 31), "1000", Decimal(1000))
    ]


@pytest.mark.parametrize("written", ["6.10", "-0.000006", "12345678901234567.89", "31370000000", "1.5E7"])
def test_a_number_is_kept_as_written(written: str) -> None:
    raw = companyfacts(row("@")).replace(b'"@"', written.encode())
    (found,) = parse_companyfacts(raw).filings[ACCESSION].rows
    assert (found.raw, found.value) == (written, Decimal(written))


def test_an_instant_starts_where_it_ends() -> None:
    instant = row()
    del instant["start"]
    (found,) = parse_companyfacts(companyfacts(instant)).filings[ACCESSION].rows
    assert found.start == found.end == date(2024, 12, 31)


@pytest.mark.parametrize("form", ["10-K", "10-K405", "10-K/A", "10-KT", "10-KT/A"])
def test_every_form_of_annual_report_is_kept(form: str) -> None:
    assert parse_companyfacts(companyfacts(row(form=form))).filings[ACCESSION].form == form


@pytest.mark.parametrize("form", ["10-Q", "8-K", "20-F", "40-F", "S-1", "", None])
def test_rows_of_other_forms_are_left_out(form: str | None) -> None:
    assert parse_companyfacts(companyfacts(row(form=form))).filings == {}


@pytest.mark.parametrize("taxonomy", ["ecd", "ffd", "invest", "ifrs-full"])
def test_taxonomies_of_no_statement_are_left_out(taxonomy: str) -> None:
    found = parse_companyfacts(companyfacts(row(), taxonomy=taxonomy))
    assert (found.filings, found.has_ifrs) == ({}, taxonomy == "ifrs-full")


@pytest.mark.parametrize("value", [None, True, "many", [], {}])
def test_a_value_that_is_no_number_is_left_out(value: Any) -> None:
    assert parse_companyfacts(companyfacts(row(value))).filings == {}


@pytest.mark.parametrize("written", [b"NaN", b"Infinity"])
def test_a_value_that_is_not_finite_is_left_out(written: bytes) -> None:
    assert parse_companyfacts(companyfacts(row("@")).replace(b'"@"', written)).filings == {}


def test_the_same_row_twice_is_one() -> None:
    filing = parse_companyfacts(companyfacts(row(frame="CY2024"), row())).filings[ACCESSION]
    assert (len(filing.rows), filing.conflicts) == (1, [])


@pytest.mark.parametrize("values", [(1_000_000, 1_002_417), (1_002_417, 1_000_000)])
def test_of_two_values_the_more_precise_is_kept_and_both_are_reported(values: tuple[int, int]) -> None:
    filing = parse_companyfacts(companyfacts(*map(row, values))).filings[ACCESSION]
    assert [found.raw for found in filing.rows] == ["1002417"]
    (conflict,) = filing.conflicts
    assert isinstance(conflict, RowConflict)
    assert (conflict.kept.raw, conflict.dropped.raw) == ("1002417", "1000000")


def test_the_fiscal_year_of_a_filing_is_the_vote_of_its_rows() -> None:
    rows = [row(fy=2024), row(fy=2024, end="2023-12-31", start="2023-01-01"), row(fy=2023, end="2022-12-31")]
    assert parse_companyfacts(companyfacts(*rows)).filings[ACCESSION].fiscal_year_focus == 2024


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"<html>",
        b"[]",
        b"{}",
        b'{"cik": 1}',
        b'{"cik": "x", "facts": {}}',
        b'{"cik": 1, "facts": {"us-gaap": []}}',
    ],
)
def test_another_file_is_unreadable(raw: bytes) -> None:
    with pytest.raises(UnreadableFacts):
        parse_companyfacts(raw)


def test_a_row_without_an_accession_makes_the_file_unreadable() -> None:
    broken = row()
    del broken["accn"]
    with pytest.raises(UnreadableFacts):
        parse_companyfacts(companyfacts(broken))


# --- what elements are called ---


def instant(**told: Any) -> dict[str, Any]:
    return {name: value for name, value in row(**told).items() if name != "start"}


def labels(*rows: dict[str, Any], **told: Any) -> list[str]:
    return [element.label for element in parse_companyfacts(companyfacts(*rows, **told)).elements]


def test_an_element_has_its_label_and_what_its_figures_are() -> None:
    (found,) = parse_companyfacts(companyfacts(row(), label="Revenues, Total")).elements
    assert found == LabelledElement("us-gaap", "Revenues", "Revenues, Total", "money", instant=False)


@pytest.mark.parametrize(
    ("unit", "measured"),
    [
        ("USD", "money"),
        ("EUR", "money"),
        ("shares", "shares"),
        ("USD/shares", "per_share"),
        ("pure", "pure"),
        ("Y", "other"),
        ("USD/bbl", "other"),
    ],
)
def test_the_unit_says_what_an_element_measures(unit: str, measured: str) -> None:
    (found,) = parse_companyfacts(companyfacts(row(), unit=unit)).elements
    assert found.measured == measured


def test_an_element_of_a_day_is_known_by_its_missing_start() -> None:
    (found,) = parse_companyfacts(companyfacts(instant(), instant())).elements
    assert found.instant


def test_an_element_of_both_kinds_of_period_is_told_for_each() -> None:
    found = parse_companyfacts(companyfacts(row(), instant())).elements
    assert [one.instant for one in found] == [False, True]


@pytest.mark.parametrize(
    "label",
    [
        "Accounts Receivable, Net (Deprecated 2021-01-31)",
        "Accounts Receivable, Net [Deprecated]",
        " Accounts  Receivable, Net, (deprecated)",
    ],
)
def test_the_mark_of_a_deprecated_element_is_no_part_of_its_label(label: str) -> None:
    assert labels(row(), label=label) == ["Accounts Receivable, Net"]


@pytest.mark.parametrize(
    "label",
    [
        "Assets [Abstract]",
        "Segments [Axis]",
        "Europe [Member]",
        "Schedule [Line Items]",
        "Deprecated element",
        "",
        None,
        ["Assets"],
    ],
)
def test_a_label_that_names_no_measure_is_left_out(label: object) -> None:
    assert labels(row(), label=label) == []


@pytest.mark.parametrize("taxonomy", ["nwi", "ecd", "ifrs-full"])
def test_elements_of_no_standard_taxonomy_are_left_out(taxonomy: str) -> None:
    assert labels(row(), taxonomy=taxonomy) == []


def test_an_element_without_a_figure_in_an_annual_report_is_left_out() -> None:
    assert labels(row(form="10-Q")) == []
