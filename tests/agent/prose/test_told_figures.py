"""What a release says of a measure in its own words: its row and its sentence, and only where they give another figure."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from agent.prose.told_figures import prints, told_figures
from agent.prose.units import texts
from tests.support.quotable import company, quotable

pytestmark = pytest.mark.django_db

LINES = [
    "# Highlights",
    "We returned $9.7 billion to shareholders in the quarter.",
    "Free cash flow was $10.3 billion, and adjusted net income was $4.0 billion.",
    "We expect free cash flow of $12 billion.",
    "Free cash flow for the trailing twelve months was $47.7 billion.",
    "# Statement",
    "| (in millions) | 2025 | 2024",
    "| Free cash flow (2) | $ 10,334 | $ 12,531",
    "| Other income | $ 31 | $ 30",
    "| Net income (loss) | $ 2,243 | $ 2,100",
    "| Net income attributable to parent | $ 2,259 | $ 2,116",
]  # fmt: skip


Told = Callable[..., list[str]]


@pytest.fixture
def told(db: None) -> Told:
    filing = quotable(company(), 2025, LINES)

    def of(name: str, value: str | None = None, *, trailing: bool = False) -> list[str]:
        known = None if value is None else Decimal(value)
        rows = told_figures([name], texts([filing.section.pk]).values(), known, trailing=trailing)
        return [row.text.text[row.start : row.end] for row in rows]

    return of


def test_the_row_that_is_called_so_and_the_sentence_that_gives_the_amount_are_told(told: Told) -> None:
    row, sentence = told("free cash flow", "11085000000")
    assert row.startswith("Free cash flow (2)")
    assert sentence.startswith("Free cash flow was $10.3 billion")
    assert told("return to shareholders", "11156000000") == [
        "We returned $9.7 billion to shareholders in the quarter."
    ]


def test_nothing_is_told_where_the_document_prints_the_figure_under_a_longer_name_too(told: Told) -> None:
    assert told("free cash flow", "10334000000") == []
    assert told("net income", "2259000000") == []


def test_what_is_of_another_name_or_expected_or_of_other_months_is_not_told(told: Told) -> None:
    assert [one.split("\t")[0] for one in told("net income")] == ["Net income (loss)"]
    assert told("free cash flow", trailing=True) == [
        "Free cash flow for the trailing twelve months was $47.7 billion."
    ]


def test_a_figure_is_found_as_it_is_rounded() -> None:
    filing = quotable(company(), 2025, LINES)
    (row, *_) = told_figures(["return to shareholders"], texts([filing.section.pk]).values(), None, trailing=False)
    assert prints(row, Decimal("9680000000"))
    assert not prints(row, Decimal("9780000000"))
