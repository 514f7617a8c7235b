"""A refusal offers only what answers, and shows no source."""

import re

import pytest
from django.test import Client

from accounts.models import User
from agent.refusals.alternatives import nearest_parts_of_years
from agent.refusals.codes import Code
from agent.refusals.query_text import when
from agent.state import AgentState, Alternative, Block, Period, PeriodForm, Query, QuestionType, Refusal
from agent.state.query import Years
from agent.steps import pipeline, related_passages
from agent.steps.deps import Deps
from evals import golden
from evals.golden import Golden
from filings.models import Filing, Section
from filings.xbrl.periods import FiscalPeriod
from tests.support import answers, prose_answers
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

REFUSED = [row for row in golden.read() if row.outcome == "refused"]
# The first of each code, and of the others every sixth; all in soak.
FIRST = {row.code: row.id for row in reversed(REFUSED)}
# Refusals of a question that names a covered company, a measure or a year can nearly always offer something.
OFFERING = {"year_not_ingested", "year_before_2015", "ambiguous_concept", "cross_company"}


@pytest.fixture(scope="module")
def offered() -> dict[str, str]:
    """Alternatives met so far, so that each is asked once."""
    return {}


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row.id, marks=[pytest.mark.soak] if place % 6 and FIRST[row.code] != row.id else [])
        for place, row in enumerate(REFUSED)
    ],
)
def test_every_alternative_of_every_refusal_answers(sample: Sample, row: Golden, offered: dict[str, str]) -> None:
    deps = Deps.current(golden.TODAY)
    answer = pipeline.answer(row.question, deps)
    blocks = [block for block in answer.blocks if block.refusal]
    for alternative in (one for block in blocks for one in block.alternatives):
        if alternative.question not in offered:
            offered[alternative.question] = pipeline.answer(alternative.question, deps).outcome
        assert offered[alternative.question] == "answered", alternative.question
    assert all(len(block.alternatives) <= 3 for block in blocks)
    assert all(block.table is None for block in blocks)
    if answer.refusal_code in OFFERING:
        assert any(block.alternatives for block in blocks)


# --- near the question ---


@pytest.mark.parametrize(
    ("question", "company", "first"),
    [
        ("Apple gross revenue FY2024", "Apple", "Apple total revenue in fiscal 2024"),
        ("What was Apple's net income in FY1999?", "Apple", "Apple net income in fiscal 2015"),
        ("Apple and Microsoft combined revenue FY2023", "Apple and Microsoft", "Apple and Microsoft total revenue in fiscal 2023"),
        ("Apple adjusted operating income 2023", "Apple", "Apple operating income (loss) in 2023"),
    ],
)  # fmt: skip
def test_the_company_the_years_and_the_measure_stay(sample: Sample, question: str, company: str, first: str) -> None:
    offered = [one.question for one in refused(question).alternatives]
    assert offered[0] == first
    assert all(one.startswith(company) for one in offered)


def test_without_a_company_the_same_is_asked_of_those_that_are_covered(sample: Sample) -> None:
    offered = refused("What was net income in FY2024?").alternatives
    assert len({one.question.partition(" ")[0] for one in offered}) == len(offered) > 1
    assert all("net income" in one.question and one.question.endswith("in fiscal 2024") for one in offered)


# --- refusals of text ---


def refused(question: str) -> Block:
    block = pipeline.answer(question, Deps.current(golden.TODAY)).blocks[-1]
    assert block.refusal, question
    assert not block.claims
    return block


def answered(alternative: Alternative) -> Block:
    (block,) = pipeline.answer(alternative.question, Deps.current(golden.TODAY)).blocks
    return block


@pytest.mark.parametrize(
    ("question", "code", "year"),
    [
        ("What does Northwind say about Mars colonies?", Code.NOT_FOUND_IN_FILING, 2025),
        ("What was Northwind's revenue and what are its dog policies?", Code.NOT_FOUND_IN_FILING, 2025),
        ("What does Northwind's 2025 10-K say under Item 6?", Code.SECTION_NOT_AVAILABLE, 2025),
        ("What supply risks did Northwind disclose in fiscal 2021?", Code.YEAR_NOT_INGESTED, 2024),
    ],
)
def test_a_refusal_of_text_offers_items_whose_text_is_then_quoted(
    sample: Sample, question: str, code: Code, year: int
) -> None:
    block = refused(question)
    assert block.refusal is not None
    assert block.refusal.code is code
    assert 2 <= len(block.alternatives) <= 3
    for alternative in block.alternatives:
        claims = answered(alternative).claims
        assert claims, alternative
        assert {f"Item {claim.item}?" in alternative.question for claim in claims} == {True}
    assert f"fiscal {year} 10-K" in block.alternatives[0].question


def test_an_item_that_another_year_has_as_text_is_offered_from_there(sample: Sample) -> None:
    held = Filing.objects.get(company=sample["NWND"], fiscal_year=2025, is_primary=True)
    Section.objects.filter(filing=held, item="7A").update(status="omitted")
    first = refused("What does Northwind's fiscal 2025 10-K say under Item 7A?").alternatives[0]
    assert "fiscal 2024 10-K say under Item 7A?" in first.question
    assert "in a year that has it" in first.why


def test_without_a_company_those_with_text_are_offered(sample: Sample) -> None:
    block = refused("What supply risks were disclosed in fiscal 2025?")
    assert block.refusal is not None
    assert block.refusal.code is Code.NO_COMPANY
    assert block.alternatives
    assert all(answered(one).claims for one in block.alternatives)


def test_no_figure_is_offered_for_text_that_a_company_lacks(sample: Sample) -> None:
    assert refused("What supply risks does Apple disclose in fiscal 2024?").alternatives == ()


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        # The line beside it on the statement, and never a measure for its own sake.
        ("Apple goodwill FY2024", "Apple right-of-use assets in fiscal 2024"),
        # The same question of a company that is known.
        ("Zorblax net income 2023", "Apple net income 2023"),
    ],
)
def test_what_is_offered_is_near_to_what_was_asked(sample: Sample, question: str, offered: str) -> None:
    assert offered in [one.question for one in refused(question).alternatives]


def test_for_a_quarter_that_is_not_held_the_same_of_other_years_and_the_newest_are_tried() -> None:
    third = Period(form=PeriodForm.FISCAL, year=2031, part=FiscalPeriod.Q3)
    years = [Years(periods=(Period(form=PeriodForm.FISCAL, year=year),)) for year in (2025, 2024)]
    tried = [when(one) for one in nearest_parts_of_years(Query(periods=Years(periods=(third,))), years)]
    assert tried == ["in Q3 fiscal 2025", "in the latest quarter", "in Q3 fiscal 2024"]
    assert list(nearest_parts_of_years(Query(periods=years[0]), years)) == []


@pytest.mark.parametrize("question", ["Should I buy Apple?", "Write a poem about Apple", "Apple zorblaxes 2023"])
def test_nothing_is_offered_where_nothing_is_near(sample: Sample, question: str) -> None:
    assert refused(question).alternatives == ()


def test_a_refused_question_is_not_offered_again(sample: Sample) -> None:
    question = "What does Northwind's fiscal 2025 10-K say under Item 1A?"
    Section.objects.filter(filing__company=sample["NWND"], item="1A").update(status="unverified")
    block = refused(question)
    assert block.alternatives
    assert question not in [one.question for one in block.alternatives]


def searched(question: str) -> AgentState:
    return pipeline.run(question, Deps.current(golden.TODAY))


def touching() -> Block:
    """A part that a model's draft says nothing of, whose search came near."""
    state = searched("What does Northwind say about its suppliers of magnets?")
    assert state.plan is not None
    found = Refusal(target=state.plan.targets[0].id, code=Code.NOT_FOUND_IN_FILING, stage="validate", text="No.")
    passages = related_passages.searched(found, state)
    assert passages
    return Block(target=found.target, type=QuestionType.PROSE, outcome="refused", refusal=found, passages=passages)


def test_the_page_of_a_refusal_shows_the_passages_and_opens_them(
    sample: Sample, as_alice: Client, alice: User
) -> None:
    block = touching()
    run = answers.run_with(prose_answers.answer(block, targets=(prose_answers.target(block.target),)), alice)
    html = as_alice.get(run.get_absolute_url()).content.decode()
    assert "Related passages" in html
    for address in re.findall(r'<a href="(/filings/[^"]*at=[^"]*)#at"', html):
        page = as_alice.get(address.replace("&amp;", "&"))
        assert page.status_code == 200, address
        assert "<mark" in page.content.decode(), address


def test_only_a_refusal_after_a_search_has_passages(sample: Sample) -> None:
    state = searched("What does Northwind say about its suppliers of magnets?")
    assert state.plan is not None
    found = Refusal(target=state.plan.targets[0].id, code=Code.UNVERIFIED, stage="cite_check", text="No.")
    assert related_passages.searched(found, state) == ()
    elsewhere = found.model_copy(update={"code": Code.NOT_FOUND_IN_FILING, "target": 9})
    assert related_passages.searched(elsewhere, state) == ()


def test_what_is_far_from_the_question_is_not_linked(sample: Sample) -> None:
    assert refused("What does Northwind say about Mars colonies?").passages == ()


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        # A part whose name has the word.
        ("Calder repair services revenue 2025", "Calder total revenue of Services in 2025"),
        ("Calder rocket revenue 2025", "Calder total revenue by segment in 2025"),
        ("Calder revenue by product 2025", "Calder total revenue by segment in 2025"),
    ],
)
def test_parts_of_the_company_are_offered(sample: Sample, question: str, offered: str) -> None:
    assert offered in [one.question for one in refused(question).alternatives]
