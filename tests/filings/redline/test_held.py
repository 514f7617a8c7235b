"""Which two texts are compared, and why two cannot be."""

import pytest

from filings.models import Section, SectionStatus
from filings.redline.held import NotComparable, Years, query_of, texts, years_held
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


@pytest.fixture
def held(sample: Sample) -> Years:
    return years_held(sample["NWND"])


@pytest.mark.parametrize(("first", "last"), [(None, None), (2024, 2025), (2025, 2024), (2024, None), (None, 2025)])
def test_years_that_are_not_named_are_the_next_ones_held(held: Years, first: int | None, last: int | None) -> None:
    assert held.pair(first, last) == (2024, 2025)


@pytest.mark.parametrize(
    ("item", "first", "last", "said"),
    [
        ("1A", 2025, 2025, "Two different years are needed. Of Northwind (fictional) there is held: fiscal 2024 and 2025."),
        ("1A", None, 2024, "Two different years are needed. Of Northwind (fictional) there is held: fiscal 2024 and 2025."),
        ("1A", 2001, None, "No annual report of Northwind (fictional) for fiscal 2001 is held as text. Held: fiscal 2024 and 2025."),
        ("99Z", None, None, "Item 99Z is not held as text in the 10-K of Northwind (fictional) for fiscal 2024."),
        (
            "11",
            None,
            None,
            "Item 11, Executive Compensation is not held as text in the 10-K of Northwind (fictional) for fiscal 2024: by reference",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_compared_is_told_in_a_sentence(
    held: Years, item: str, first: int | None, last: int | None, said: str
) -> None:
    with pytest.raises(NotComparable) as problem:
        texts(held, item, first, last)
    assert str(problem.value).startswith(said)


def test_figures_alone_are_not_compared(sample: Sample) -> None:
    with pytest.raises(NotComparable, match="No annual report of Apple is held as text"):
        years_held(sample["AAPL"]).pair(None, None)


def test_a_text_that_is_not_the_stored_one_is_not_compared(held: Years) -> None:
    Section.objects.filter(filing=held.filings[2025], item="1A").update(text="We face no risk.")
    with pytest.raises(NotComparable, match="is damaged"):
        texts(held, "1A", None, None)


def test_items_whose_text_is_held_can_be_chosen(held: Years) -> None:
    keys = [one.key for one in held.items]
    assert {"1", "1A", "7", "8"} <= set(keys)
    assert "11" not in keys
    assert held.first_item == "1A"


def test_a_section_leads_to_its_comparison_with_the_year_before(held: Years) -> None:
    newer, older = (Section.objects.get(filing=held.filings[year], item="7") for year in (2025, 2024))
    assert query_of(newer) == "item=7&from=2024&to=2025"
    assert query_of(older) == ""
    newer.status = SectionStatus.BY_REFERENCE
    assert query_of(newer) == ""
