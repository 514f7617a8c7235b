"""Links beside a statement: each question is read as the same statement in another form or over other periods."""

import pytest

from agent.state.query import Concept, Last, Periods, Query, Row, Statement
from agent.web.tables.table_links import statement_links
from tests.agent.query.conftest import query_of
from tests.support.tables import span, years

ANNUAL, QUARTERLY = span(2021, 2025), Last(count=8, quarters=True)


def asked(kind: str, form: str, periods: Periods) -> Query:
    found = query_of("Apple income statement 2025")
    assert isinstance(found, Query)
    measure = Statement.model_validate({"statement": kind, "form": form})
    return found.model_copy(update={"rows": (Row(measure=measure),), "periods": periods})


@pytest.mark.parametrize(
    ("kind", "form", "periods", "labels"),
    [
        ("income", "", ANNUAL, ["Common size", "Growth", "Quarterly"]),
        ("balance", "common_size", ANNUAL, ["Amounts", "Growth", "Quarterly"]),
        ("cashflow", "growth", years(2025), ["Amounts", "Common size", "Five years", "Quarterly"]),
        ("income", "", QUARTERLY, ["Common size", "Growth", "Five years"]),
        ("equity", "", ANNUAL, ["Growth"]),
    ],
)
def test_every_link_asks_for_the_same_statement(kind: str, form: str, periods: Periods, labels: list[str]) -> None:
    links = statement_links(asked(kind, form, periods))
    assert [one.label for one in links] == labels
    for one in links:
        found = query_of(one.question)
        assert isinstance(found, Query), one.question
        (row,) = found.rows
        assert isinstance(row.measure, Statement)
        assert row.measure.statement == kind
        wanted = {"Amounts": "", "Common size": "common_size", "Growth": "growth"}.get(one.label, form)
        assert row.measure.form == wanted
        assert found.interim is (one.label == "Quarterly" or (one.label != "Five years" and periods == QUARTERLY))


def test_other_answers_have_no_such_links() -> None:
    assert statement_links(None) == ()
    of_one = asked("income", "", ANNUAL)
    assert statement_links(of_one.model_copy(update={"rows": (Row(measure=Concept(key="revenue")),)})) == ()
    assert statement_links(of_one.model_copy(update={"rows": of_one.rows * 2})) == ()
