"""Whole statements as amounts, in percent of their total, and as growth; what no statement has refuses."""

import pytest

from agent.refusals import query_text
from agent.state.query import Query, Row, Span, Statement
from tests.agent.query.conftest import Line, Read
from tests.agent.query.held import REGISTRY


def shown(read: Read, question: str) -> list[tuple[str, str]]:
    found = read(question)
    assert isinstance(found, Query), found
    return [(row.measure.statement, row.measure.form) for row in found.rows if isinstance(row.measure, Statement)]


@pytest.mark.parametrize(
    ("question", "kind", "form"),
    [
        ("Apple income statement for five years", "income", ""),
        ("Apple balance sheet 2021 to 2025", "balance", ""),
        ("Apple common-size income statement 2021 to 2025", "income", "common_size"),
        ("common size balance sheet of Apple for five years", "balance", "common_size"),
        ("vertical analysis of Apple's cash flow statement", "cashflow", "common_size"),
        ("Apple income statement as a percentage of revenue", "income", "common_size"),
        ("Apple balance sheet as % of total assets 2023", "balance", "common_size"),
        ("Apple income statement growth 2021 to 2025", "income", "growth"),
        ("Apple income statement yoy", "income", "growth"),
        ("year on year change of Apple's balance sheet 2024", "balance", "growth"),
        ("horizontal analysis of Apple's balance sheet 2022 to 2024", "balance", "growth"),
        ("Apple quarterly common-size income statement", "income", "common_size"),
        ("Apple consolidated income statement all together, please", "income", ""),
    ],
)
def test_a_statement_is_asked_for_in_one_of_three_forms(query: Read, question: str, kind: str, form: str) -> None:
    assert shown(query, question) == [(kind, form)]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Apple average income statement 2021 to 2025", "average"),
        ("Apple highest balance sheet", "highest"),
        ("Apple common size statement of equity", "common size"),
        ("Apple common size income statement growth", "common size"),
        ("Apple common size revenue 2023", "common size"),
        ("Apple income statement CAGR 2020 to 2025", "CAGR"),
    ],
)
def test_a_form_that_nothing_has_is_named(told: Line, question: str, words: str) -> None:
    assert told(question).startswith("not_understood")
    assert words in told(question)


def test_a_percentage_of_something_else_is_no_common_size(told: Line) -> None:
    assert "common_size" not in told("Apple income statement as % of total assets")


def test_growth_over_two_neighbouring_years_is_that_of_the_later(query: Read) -> None:
    found = query("Apple balance sheet change 2024 to 2025")
    assert isinstance(found, Query)
    assert [one.year for one in getattr(found.periods, "periods", ())] == [2025]
    found = query("Apple balance sheet 2024 to 2025")
    assert isinstance(found, Query)
    assert isinstance(found.periods, Span)


@pytest.mark.parametrize("form", ["", "common_size", "growth"])
@pytest.mark.parametrize("kind", ["income", "balance", "cashflow"])
def test_the_question_for_a_statement_is_read_as_it(query: Read, kind: str, form: str) -> None:
    found = query("Apple income statement for five years")
    assert isinstance(found, Query)
    measure = Statement.model_validate({"statement": kind, "form": form})
    asked = found.model_copy(update={"rows": (Row(measure=measure),)})
    assert shown(query, query_text.question(asked, REGISTRY)) == [(kind, form)]
