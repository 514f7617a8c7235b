"""What begins like a formula is a text, in CSV and in a workbook; numbers below nothing stay numbers."""

import csv
import io
import re
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.state import Table
from agent.web.exports import csv_file
from agent.web.exports.cell_values import Amount, Value
from agent.web.exports.file_formats import Format, written
from agent.web.exports.provenance import About
from agent.web.exports.safe_text import guarded, reads_as_formula, writable
from agent.web.exports.xlsx_writer import Book, Sheet
from agent.web.tables.table_card import TableCard
from tests.agent.exports import sheets
from tests.agent.tables.cells import cell, margin, result

ATTACKS = [
    '=HYPERLINK("http://evil.example","Total")', "=1+1", "+1", "-1", "-2+3+cmd|' /C calc'!A0", "@SUM(A1)",
    "\t=1+1", "\r=1+1", "\n=1+1", " =1+1", "\u00a0=1", "\u200b=1", "\ufeff=1",
    "\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20A", "\ufe661", "\u207a1",
]  # fmt: skip
HARMLESS = ["Apple", "R&D", "a=b", "2024", "", " ", "'quoted", "\u2212 5 is a minus sign of typographers", "10-K"]
TEXTS = st.text() | st.builds("".join, st.tuples(st.sampled_from(["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", " "]), st.text()))  # fmt: skip


@pytest.mark.parametrize("text", ATTACKS)
def test_what_a_spreadsheet_could_compute_is_known(text: str) -> None:
    assert reads_as_formula(text)
    assert guarded(text).startswith("'")


@pytest.mark.parametrize("text", HARMLESS)
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert guarded(text) == text


@given(TEXTS)
def test_no_guarded_text_is_a_formula_and_nothing_of_it_is_lost(text: str) -> None:
    found = guarded(text)
    assert not reads_as_formula(found)
    assert found.removeprefix("'") == writable(text).removeprefix("'")


def fields(*values: Value) -> list[str]:
    file = io.BytesIO()
    csv_file.write(file, ["head"] * len(values), [values])
    text = file.getvalue().decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))[1]


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_a_row_of_csv_is_read_back_as_it_was_guarded(texts: list[str]) -> None:
    assert fields(*texts) == [guarded(text) for text in texts]


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3))
def test_a_number_of_csv_stays_a_number_with_all_its_digits(value: Decimal) -> None:
    assert Decimal(fields(Amount(value, "USD"))[0]) == value


def sheet_of(*values: Value) -> sheets.Sheet:
    file = io.BytesIO()
    with Book(file, "Test") as book:
        Sheet(book, "Test", [("head", 10.0)] * len(values)).write(values)
    return sheets.read(file.getvalue())["Test"]


@given(TEXTS)
@example("=cmd|' /C calc'!A0")
@example("http://evil.example")
@example("internal:Sheet2!A1")
@example("_x0041_")
@example("x" * 40_000)
def test_a_text_of_a_workbook_is_a_text_and_nothing_else(text: str) -> None:
    found = sheet_of("beside", text)
    assert not found.formulas
    assert found.links == {}
    kept = writable(text)
    if not kept:
        assert "B2" not in found.cells
        return
    said = str(found.cells["B2"])
    assert said.replace("\r", "\n") == (kept if len(kept) < 32_768 else f"{kept[:32_766]}\u2026").replace("\r", "\n")
    assert ("B2" in found.quoted) == reads_as_formula(text)


@given(st.decimals(min_value=-(10**11), max_value=10**11, allow_nan=False, places=3))
def test_a_number_of_a_workbook_is_a_number(value: Decimal) -> None:
    found = sheet_of(Amount(value, "USD"))
    assert Decimal(found.raw["A2"]) == value
    assert found.quoted == set()


@pytest.mark.django_db
@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("format_", list(Format))
def test_names_labels_notes_and_questions_pass_through_the_guard(attack: str, format_: Format) -> None:
    gap = cell(None, 2023)
    assert gap.gap is not None
    one = cell(company=attack, label=attack, notes=(attack,))
    assert one.fact is not None
    cells = (
        one.model_copy(update={"fact": one.fact.model_copy(update={"label": attack, "tag": attack, "url": attack})}),
        gap.model_copy(update={"company": attack, "gap": gap.gap.model_copy(update={"text": attack, "detail": ""})}),
        margin(company=attack, label=attack, reading=attack),
    )
    table = Table(
        cells=cells, results=(result("cagr", label=attack, formula=attack, notes=(attack,)),), notes=(attack,)
    )
    content = written(
        [TableCard(table)], format_, About(attack, attack, None, attack), lambda path: f"https://x{path}"
    )
    if format_ is Format.XLSX:
        for found in sheets.read(content).values():
            assert all(
                re.fullmatch(r"[A-Z]*[0-9.]*([-+*/^()]|[A-Z]+[0-9]+|[0-9.]+)*", one) for one in found.formulas.values()
            )
            assert all(
                link.startswith(("https://x/", "https://www.sec.gov/", "'Formulas'!")) for link in found.links.values()
            )
            dangerous = {
                place for place, text in found.cells.items() if isinstance(text, str) and reads_as_formula(text)
            }
            assert dangerous <= found.quoted
    elif format_ is Format.CSV:
        rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
        assert [text for row in rows for text in row if reads_as_formula(text)] == []
    else:
        assert content.decode()
