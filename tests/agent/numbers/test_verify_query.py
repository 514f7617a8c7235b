"""A query is what the words say that it was read from."""

from collections.abc import Callable
from decimal import Decimal

import pytest

from agent.numbers import registry
from agent.numbers.verify_query import problems
from agent.query.lexicon import Called
from agent.query.question import read
from agent.state import CompanyRef, Period, PeriodForm
from agent.state.query import Concept, Over, OverYears, Query, Rank, Threshold, Years
from tests.agent.query.held import REGISTRY, TODAY, WIDER


def query(question: str) -> Query:
    (found,) = read(question, WIDER, REGISTRY, TODAY, lambda ciks: Called())
    assert isinstance(found, Query)
    return found


def swapped(found: Query) -> Query:
    return found.model_copy(update={"rows": tuple(row.of(Concept(key="total_assets")) for row in found.rows)})


def of_microsoft(found: Query) -> Query:
    return found.model_copy(update={"companies": (CompanyRef(cik=789019, name="MICROSOFT CORP", covered=True),)})


def a_year_before(found: Query) -> Query:
    assert isinstance(found.periods, Years)
    earlier = tuple(one.model_copy(update={"year": (one.year or 0) - 1}) for one in found.periods.periods)
    return found.model_copy(update={"periods": Years(periods=earlier)})


def with_operations(*operations: OverYears | Rank | Threshold) -> Callable[[Query], Query]:
    return lambda found: found.model_copy(update={"operations": operations})


@pytest.mark.parametrize(
    ("question", "change", "said"),
    [
        ("Apple revenue 2023", swapped, "“revenue” is not the measure asked for."),
        ("Apple revenue 2023", of_microsoft, "“Apple” is none of the companies asked about."),
        ("Apple revenue 2023", a_year_before, "2022 is not the period asked for."),
        ("Apple average revenue 2021-2023", with_operations(), "The average is asked for."),
        ("Apple average revenue 2021-2023", with_operations(OverYears(over=Over.SUM)), "The average is asked for."),
        ("Highest net income in 2023: Apple or Microsoft?", with_operations(Rank(highest=False)), "The highest is asked for."),
        ("Was Apple's gross margin above 45% in 2023", with_operations(), "> is the comparison asked for."),
        (
            "Was Apple's gross margin above 45% in 2023",
            with_operations(Threshold(comparison=">", bound=Decimal(40))),
            "40 is not the bound asked for.",
        ),
        (
            "Was Apple's free cash flow positive in 2023",
            with_operations(Threshold(comparison="<", bound=Decimal(0))),
            "The comparison asked for is another.",
        ),
    ],
)  # fmt: skip
def test_a_query_that_asks_for_something_else_is_found(
    question: str, change: Callable[[Query], Query], said: str
) -> None:
    found = query(question)
    assert list(problems(found, registry.load())) == []
    assert list(problems(change(found), registry.load())) == [said]


def test_a_query_without_words_is_not_compared() -> None:
    asked = Query(periods=Years(periods=(Period(form=PeriodForm.FISCAL, year=2023),)))
    assert list(problems(asked, registry.load())) == []
