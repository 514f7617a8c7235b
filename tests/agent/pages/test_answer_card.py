"""The card around the figures: what was asked, how each word was used, whether all was read again."""

from decimal import Decimal
from uuid import uuid4

import pytest

from agent.refusals.codes import Code
from agent.state import Answer, Check, CompanyRef, Query
from agent.state.query import (
    Change,
    Combined,
    Concept,
    Difference,
    Line,
    Measure,
    Metric,
    Operation,
    Over,
    OverYears,
    Rank,
    Row,
    Share,
    Statement,
    Threshold,
)
from agent.state.question_words import Role, Word
from agent.web.cards import answer_card
from tests.support import answers

# Of the numbers that the SEC has given to nobody.
FICTIONAL = 9_999_999_901

REVENUE, RND = Concept(key="revenue"), Concept(key="rnd")


def of_query(answer: Answer, query: Query) -> Answer:
    return answer.model_copy(update={"plan": answer.plan.model_copy(update={"query": query})})


def of_words(answer: Answer, *words: tuple[str, Role, str]) -> Answer:
    told = [Word(start=0, end=len(text), text=text, role=role, meaning=meaning) for text, role, meaning in words]
    return of_query(answer, answers.query(words=told))


@pytest.mark.parametrize(
    ("measure", "called"),
    [
        (RND, "Research and development expense"),
        (Metric(key="roe", variant="ending"), "Return on equity (year-end equity)"),
        (Metric(key="gross_margin"), "Gross margin"),
        (Line(label="merchandise costs"), "merchandise costs"),
        (Statement(statement="balance"), "Balance sheet"),
        (Statement(statement="cashflow"), "Cash flow statement"),
        (Change(of=REVENUE, percent=True), "Growth of total revenue"),
        (Change(of=REVENUE), "Change of total revenue"),
        (Share(part=RND, whole=REVENUE), "Research and development expense as % of total revenue"),
        (
            Combined(sign="-", parts=(REVENUE, RND)),
            "Total revenue less research and development expense",
        ),
        (Concept(key="of another release"), "of another release"),
    ],
)
def test_a_measure_is_called_by_its_label(measure: Measure, called: str) -> None:
    assert answer_card.called(measure) == called


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (OverYears(over=Over.CAGR), "Compound annual growth rate"),
        (Rank(), "Highest first"),
        (Rank(highest=False), "Lowest first"),
        (Rank(top=1), "Highest"),
        (Rank(top=3), "Highest first, 3 of them"),
        (Difference(percent=True), "Difference in percent"),
        (Threshold(comparison=">=", bound=Decimal(1000000)), "At least 1,000,000"),
    ],
)
def test_an_operation_is_told_in_words(operation: Operation, said: str) -> None:
    assert answer_card.operation(operation) == said


def test_what_was_asked_is_told_without_what_is_only_mentioned() -> None:
    rows = (Row(measure=RND), Row(measure=REVENUE, mention=True), Row(measure=RND))
    asked = answer_card.asked(of_query(answers.number_answer(), answers.query(rows=rows, operations=(Rank(),))))
    assert asked is not None
    assert (asked.measures, asked.operations) == (("Research and development expense",), ("Highest first",))


def test_of_a_question_of_which_nothing_was_understood_nothing_is_told() -> None:
    assert answer_card.asked(of_query(answers.number_answer(), answers.query(companies=(), rows=()))) is None
    assert answer_card.asked(answers.meta_answer()) is None


def test_a_refusal_tells_what_was_understood() -> None:
    answer = answers.refusal_answer(Code.NOT_UNDERSTOOD)
    answer = answer.model_copy(update={"plan": answer.plan.model_copy(update={"targets": ()})})
    asked = answer_card.asked(answer)
    assert asked is not None
    assert asked.query.companies == (answers.COMPANY,)


def test_a_statement_is_called_so_only_where_nothing_else_is_asked() -> None:
    whole = Row(measure=Statement(statement="balance"))
    assert answer_card.statement(answers.query(rows=(whole,))) == "balance sheet"
    assert answer_card.statement(answers.query(rows=(whole, Row(measure=Statement(statement="income"))))) == (
        "balance sheet and income statement"
    )
    assert answer_card.statement(answers.query(rows=(whole, Row(measure=RND)))) == ""
    assert answer_card.statement(None) == ""


def test_words_are_shown_with_what_they_were_read_as() -> None:
    words = [
        ("R&D spend", Role.MEASURE, "rnd"),
        ("dividends", Role.MEASURE, "dividends_paid, dividends_per_share"),
        ("balance sheet", Role.MEASURE, "balance"),
        ("CAGR", Role.OPERATION, "cagr"),
        ("Northwind", Role.COMPANY, ""),
        ("for my thesis", Role.UNUSED, ""),
        ("in", Role.FRAME, ""),
    ]
    assert answer_card.words(of_words(answers.number_answer(), *words)) == [
        ("R&D spend", "measure", "Research and development expense"),
        ("dividends", "measure", "Cash dividends paid, Dividends declared per share"),
        ("balance sheet", "measure", "Balance sheet"),
        ("CAGR", "operation", "Compound annual growth rate"),
        ("Northwind", "company", ""),
        ("for my thesis", "not used", ""),
        ("in", "wording", ""),
    ]


@pytest.mark.parametrize(("code", "said"), [(Code.NOT_UNDERSTOOD, "not understood"), (Code.NON_GAAP, "not used")])
def test_a_word_that_a_question_was_refused_for_is_not_called_unused(code: Code, said: str) -> None:
    answer = of_words(answers.refusal_answer(code), ("Tide", Role.UNUSED, ""))
    assert answer_card.words(answer) == [("Tide", said, "")]


def test_a_misspelt_word_tells_what_it_was_read_as() -> None:
    assert answer_card.meaning("revenue", typed=False) == "read as Total revenue"


def test_a_table_is_told_to_be_ambiguous_only_where_its_readings_are_of_one_thing() -> None:
    answer = answers.readings_answer()
    table = answer.blocks[0].table
    assert table is not None
    of_one_term = tuple(Row(measure=Concept(key=key), term="shares outstanding") for key in ("shares_out", "x"))
    of_two = tuple(Row(measure=Concept(key=key)) for key in ("revenue", "net_income"))
    for rows, ambiguous in ((of_one_term, True), (of_two, False)):
        plan = answer.plan.model_copy(update={"query": answers.query(rows=rows)})
        assert answer_card.table_card(table, plan).ambiguous is ambiguous


@pytest.mark.parametrize(("checks", "verified"), [((True,), True), ((True, False), False), ((), False)])
def test_one_figure_that_differs_is_enough_not_to_be_verified(
    db: None, checks: tuple[bool, ...], verified: bool
) -> None:
    cited = tuple(Check(target=1, name="cite_check", ok=ok) for ok in checks)
    assert answer_card.parts(answers.number_answer(checks=cited), uuid4())[0].verified is verified


def test_several_companies_are_told_in_one_line_and_a_fictional_one_is_marked(
    as_alice, alice
) -> None:  # fmt: skip
    other = CompanyRef(cik=789019, name="Microsoft", symbol="MSFT", covered=True)
    fictional = answers.COMPANY.model_copy(update={"cik": FICTIONAL})
    answer = of_query(answers.number_answer(), answers.query(companies=(fictional, other), operations=(Rank(),)))
    page = as_alice.get(answers.run_with(answer, alice).get_absolute_url()).content.decode()
    assert "<dt>Companies</dt><dd>Northwind (fictional) (NWI), Microsoft (MSFT)</dd>" in page
    assert "<dt>Operation</dt><dd>Highest first</dd>" in page
