"""What stands before and above a sentence's figures: the lead of a bullet or a paragraph, and headings."""

from datetime import date
from decimal import Decimal

import pytest

from filings.tables.column_periods import Period
from tests.filings.tables.test_sentence_figures import THIRD, read


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("U.S. \u2013 revenue grew 4% in 2024.", [("revenue growth", "U.S.")]),
        ("\u2022 Retail stores: revenue grew 4% in 2024.", [("revenue growth", "Retail stores")]),
        ("Americas. Net sales increased 4% in 2024.", [("Net sales growth", "Americas")]),
        ("Fiscal 2023 \u2013 revenue grew 4%.", []),
        ("Fiscal 2023. Revenue grew 4%.", []),
        ("Demand was strong: revenue grew 4% in 2024.", [("revenue growth", "")]),
        ("We did well. Revenue grew 4% in 2024.", [("Revenue growth", "")]),
    ],
)
def test_what_leads_a_sentence_belongs_to_its_figures(said: str, found: list[tuple[str, str]]) -> None:
    assert [(row.label, row.heading) for row in read(said)] == found


def test_no_heading_reaches_over_another_of_its_level() -> None:
    said = "Revenue was $4 million."
    own, none = "# Third quarter of 2024", "# Segments"
    (quarter,) = read(f"{own}\n\n{said}", THIRD)
    assert quarter.cells[0].period == Period(date(2024, 7, 1), date(2024, 9, 30))
    assert read(f"{own}\n\n{none}\n\n{said}", THIRD) == []


def test_rmb_is_the_renminbi() -> None:
    (row,) = read("Revenue was RMB 4 million in 2024.")
    assert (row.cells[0].unit, row.cells[0].value) == ("CNY", Decimal(4_000_000))


def test_a_unit_that_stands_apart_from_its_figure_names_no_other() -> None:
    assert [row.label for row in read("billion and share repurchases were $1.0 billion in 2024.")] == []
    assert [row.label for row in read("Share repurchases were $1.0 billion in 2024.")] == ["Share repurchases"]
