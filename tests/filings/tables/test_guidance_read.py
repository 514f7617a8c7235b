"""What was guided before stands beside what is guided now; a document's own quarter is not foretold in it."""

import pytest

from tests.filings.tables.test_sentence_figures import THIRD, read


@pytest.mark.parametrize(
    ("said", "label", "cells"),
    [
        (
            "For fiscal 2025, we expect to deliver 8 percent organic lens growth (previously 6 percent).",
            "organic lens growth",
            [("", "8"), ("previous", "6")],
        ),
        (
            "In 2025, we expect revenue of $42 million to $44 million, compared to prior guidance of $40 million to $41 million.",
            "revenue",
            [("low", "42000000"), ("high", "44000000"), ("previous low", "40000000"), ("previous high", "41000000")],
        ),
        (
            "We expect 2025 capital expenditures of $12 million, up from an initial $4 million in Duluth.",
            "capital expenditures",
            [("", "12000000")],
        ),
    ],
)
def test_what_was_expected_before_stands_beside_what_is_expected(
    said: str, label: str, cells: list[tuple[str, str]]
) -> None:
    (row,) = read(said)
    assert (row.label, row.guidance) == (label, True)
    assert [(cell.column, format(cell.value.normalize(), "f")) for cell in row.cells] == cells


def test_the_quarter_that_a_document_reports_is_not_foretold_in_it() -> None:
    text = "# Outlook\n\n\u2022 Equity loss of $3 million in Q3\n\n\u2022 Revenue of $4 million in Q4"
    assert [(row.label, row.guidance) for row in read(text, THIRD) if row.guidance] == [("Revenue", True)]
