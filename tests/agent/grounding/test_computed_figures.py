"""Figures of a model's expressions as a query: the same checks of companies, periods and words as of any reading."""

from typing import Any

import pytest

from agent.grounding.candidates import Candidate
from agent.grounding.computed_figures import asked_figures, figures_of, judged_figures
from agent.grounding.named_slots import Known
from agent.grounding.two_readings import compared
from agent.programs.schemas import ComputeReply, UnderstandReply
from agent.programs.understand import checked
from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.state.query import Concept, Last, Query, Rank, Share, Years
from tests.agent.query.held import REGISTRY, TODAY, WIDER
from tests.support.computed_replies import figure, reply
from tests.support.model_replies import understood

APPLE = 320193
KEYS = ("revenue", "net_income", "total_assets", "ppe_net", "capex")
ROWS = tuple(
    Candidate(id=f"r{place}", label=REGISTRY.label(key), measure=Concept(key=key), names=(REGISTRY.label(key),))
    for place, key in enumerate(KEYS, 1)
)
KNOWN = Known(WIDER, REGISTRY, TODAY)


def asked(
    question: str, *figures: dict[str, Any], judgement: bool = False, years: int = 0, **said: Any
) -> Query | None:
    slots = understood(**{"type": "A+B" if judgement else "A", "companies": ["Apple"], "periods": ["2023"]} | said)
    understanding = checked(question, UnderstandReply.model_validate(slots), ())
    told = ComputeReply.model_validate(reply(*figures, judgement=judgement, years=years))
    found = figures_of(told, question, ROWS, REGISTRY)
    assert found.figures
    if judgement:
        return judged_figures(question, understanding, found, KNOWN, [APPLE], None, None, years)
    first = Misread(code=Code.NOT_UNDERSTOOD)
    return asked_figures(question, understanding, found, first, KNOWN, [APPLE], None, None)


SHEDS = "What share of its belongings has Apple put into sheds and machines in 2023?"
SPAN = "share of its belongings has Apple put into sheds and machines"


def test_words_that_no_name_holds_are_those_of_a_formula() -> None:
    query = asked(
        "Apple: shed heaviness in 2023?",
        figure("r4 / r3", "percent", "shed heaviness"),
    )
    assert query is not None
    assert [row.measure for row in query.rows] == [
        Share(part=Concept(key="ppe_net"), whole=Concept(key="total_assets"))
    ]
    assert isinstance(query.periods, Years)
    assert (query.left_out, bool(query.by_model)) == ((), True)


@pytest.mark.parametrize(
    "question",
    [
        "Apple: adjusted shed heaviness in 2023?",
        "Apple: shed heaviness excluding leases in 2023?",
        "Apple: shed heaviness of Zorblat in 2023?",
        "Apple: organic growth of shed heaviness in 2023?",
    ],
)
def test_words_that_make_another_figure_are_never_dropped(question: str) -> None:
    query = asked(question, figure("r4 / r3", "percent", "shed heaviness"))
    assert query is None or query.is_nearest


def test_figures_of_which_the_largest_is_asked_are_put_in_order() -> None:
    span = "largest of total assets and PP&E"
    told = (figure("r3", span=span), figure("r4", span=span))
    row = {"span": span, "form": "value", "ids": [], "part": "", "by": "", "first": "largest"}
    query = asked("Apple: largest of total assets and PP&E in 2023?", *told, rows=[row])
    assert query is not None
    assert (len(query.rows), query.operations) == (2, (Rank(highest=True),))


def test_what_a_model_read_before_is_no_other_reading() -> None:
    query = asked("What was Apple's revenue in 2023?", figure("r1", span="revenue"))
    assert query is not None
    net = asked("What was Apple's net income in 2023?", figure("r2", span="net income"))
    assert net is not None
    before = query.model_copy(update={"left_out": ("revenue",), "by_model": "Revenue of Apple", "rows": net.rows})
    assert compared(query, before) == query
    assert compared(query, before.model_copy(update={"by_model": ""})).left_out == ("revenue",)


@pytest.mark.parametrize("text", ["r1 - r5", "abs(r1)", "r1[FY-1]"])
def test_what_a_report_prints_by_a_name_is_not_computed_under_it(text: str) -> None:
    query = asked("What was Apple's advertising expense in 2023?", figure(text, span="advertising expense"))
    assert query is None or query.is_nearest


def test_a_ratio_with_a_name_may_be_computed_otherwise() -> None:
    query = asked("What was Apple's gross margin in 2023?", figure("(r1 - r5) / r1", "percent", "gross margin"))
    assert query is not None
    assert not query.is_nearest
    assert query.rows[0].measure.kind == "formula"


def test_another_company_or_year_than_was_offered_makes_nothing() -> None:
    told = figure("r4 / r3", "percent", "sheds")
    assert asked("Apple and Microsoft: sheds in 2023?", told) is None
    assert asked("Apple: sheds in 2023 and 2021?", told) is None


def test_a_judgement_needs_no_name_for_its_figures() -> None:
    query = asked("Is Apple a capital-intensive company in 2023?", figure("r5 / r1", "percent"), judgement=True)
    assert query is not None
    assert isinstance(query.periods, Years)
    assert [row.text for row in query.rows] == [""]


def test_a_judgement_of_a_course_has_its_years() -> None:
    query = asked("Are Apple's margins consistent?", figure("r2 / r1", "percent"), judgement=True, periods=[])
    assert query is not None
    assert query.periods == Last(count=3)
    to_year = asked("Has Apple an improving margin in 2023?", figure("r2 / r1", "percent"), judgement=True, years=2)
    assert to_year is not None
    assert isinstance(to_year.periods, Last)
    assert (to_year.periods.count, to_year.periods.until and to_year.periods.until.year) == (2, 2023)


@pytest.mark.parametrize(
    "question",
    [
        "Are Apple's adjusted margins healthy in 2023?",
        "Are the margins of Apple's Zorblat healthy in 2023?",
        "Are Apple's and Microsoft's margins healthy in 2023?",
    ],
)
def test_a_judgement_of_something_else_is_none_of_these_figures(question: str) -> None:
    assert asked(question, figure("r2 / r1", "percent"), judgement=True) is None


def test_a_span_that_does_not_stand_in_the_question_answers_nothing() -> None:
    told = ComputeReply.model_validate(reply(figure("r1", span="turnover"), judgement=False))
    found = figures_of(told, SHEDS, ROWS, REGISTRY)
    assert not found.figures
    assert "does not stand in the question" in found.faults[0]
