"""The analyst's questions: the bank is whole, and what counts as right."""

from collections import Counter
from decimal import Decimal

import pytest

from evals.analyst_questions import BANKS, read, values_of, verdict


@pytest.mark.parametrize(("bank", "kinds", "questions"), [("analyst", 4, 120), ("natural", 8, 200)])
def test_a_bank_has_as_many_questions_of_each_kind_in_each_half(bank: str, kinds: int, questions: int) -> None:
    rows = read(bank)
    counts = Counter((one["kind"], one["half"]) for one in rows)
    assert len(counts) == 2 * kinds
    assert max(counts.values()) - min(counts.values()) <= 1
    assert len({one["id"] for one in rows}) == questions
    assert all(Decimal(figure["value"]).is_finite() for one in rows for figure in one["figures"])


def test_every_bank_is_one_that_can_be_asked() -> None:
    assert all(read(bank, "unseen") for bank in BANKS)


@pytest.mark.parametrize(
    ("outcome", "values", "figures", "found"),
    [
        ("answered", ["209586000000", "0.5036"], ["209586000000", "50.36"], "right"),
        ("answered", ["209586000000"], ["209586000000", "50.36"], "to read"),
        ("answered", ["209586000000"], ["209686000000000"], "to read"),
        ("answered", ["12.34"], ["12.3"], "right"),
        ("answered", ["12.41"], ["12.3"], "to read"),
        ("nearest", ["12.34"], ["12.3"], "nearest"),
        ("nearest", ["12.41"], ["12.3"], "to read"),
        ("nearest", ["1"], [], "to read"),
        ("refused", [], ["1"], "refused"),
        ("refused", [], [], "right"),
        ("answered", ["1"], [], "to read"),
    ],
)
def test_an_answer_is_right_if_it_shows_every_figure_and_where_there_is_none_if_it_is_refused(
    outcome: str, values: list[str], figures: list[str], found: str
) -> None:
    assert verdict(outcome, list(map(Decimal, values)), [{"value": one} for one in figures]) == found


def test_values_are_found_wherever_an_answer_has_them() -> None:
    answer = {
        "blocks": [{"table": {"cells": [{"value": "1.5"}, {"value": None}], "results": [{"value": "2"}]}}],
        "value": "x",
    }
    assert sorted(values_of(answer)) == [Decimal("1.5"), Decimal(2)]
