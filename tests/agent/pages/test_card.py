"""What the card shows beside a draft: formulas in words, later filings, the line to copy."""

from decimal import Decimal
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.utils.html import strip_tags

from agent.state import Check, LaterValue, Operand, Span
from agent.templatetags.figures import rounded
from agent.web.pages import card
from tests.support import answers


def operand(concept: str, label: str, value: str) -> Operand:
    return Operand(concept=concept, label=label, fact=answers.fact_ref(value=value))


@pytest.mark.parametrize(
    ("formula", "words", "figures"),
    [
        ("revenue - cost", "revenue \u2212 cost of sales", "500 \u2212 200"),
        ("revenue - opt(cost)", "revenue \u2212 cost of sales", "500 \u2212 200"),
        ("(revenue + cost) * cost / revenue", "(revenue + cost of sales) \u00d7 cost of sales \u00f7 revenue", None),
        ("revenue - opt(other_cost)", "revenue \u2212 other cost", "500 \u2212 0"),
    ],
)
def test_a_formula_is_read_in_words_and_in_figures(formula: str, words: str, figures: str | None) -> None:
    operands = (operand("revenue", "Revenue", "500000000"), operand("cost", "Cost of sales", "200000000"))
    shown = card.formulas(answers.found(fact=None, formula=formula, operands=operands))
    assert shown[0] == words
    if figures:
        assert shown[1] == figures


def test_a_fact_has_no_formula() -> None:
    assert card.formulas(answers.found()) == ("", "")


def test_a_label_keeps_the_capitals_of_an_abbreviation() -> None:
    operands = (operand("eps", "EPS, diluted", "6"),)
    assert card.formulas(answers.found(fact=None, formula="eps", operands=operands))[0] == "EPS, diluted"


def later(value: str, change: str, year: int) -> LaterValue:
    return LaterValue(fact=answers.fact_ref(value=value), fiscal_year=year, change=Decimal(change))


def shown(found) -> card.Shown:
    return card.Shown(answers.draft(found), answers.plan().targets[0], None, "", "")


def test_the_filing_used_comes_first_and_a_later_one_that_differs_is_named() -> None:
    found = answers.found(later=(later("9412000", "0", 2025), later("9380000", "-32000", 2026)))
    assert shown(found).restated == found.later[1]
    page = render_to_string("agent/_later_values.html", {"item": shown(found), "found": found, "id": 1})
    rows = [row.split("</tr>")[0] for row in page.split("<tbody>")[1].split("<tr>")[1:]]
    assert [" ".join(strip_tags(row).split()) for row in rows] == [
        "10-K fiscal 2024, used 20 Feb 2025 9.412 first",
        "10-K fiscal 2025 20 Feb 2025 9.412 none",
        "10-K fiscal 2026 20 Feb 2025 9.38 \u22120.032",
    ]
    assert rounded(found.later[1].fact) == "$9.38 million"


def test_equal_later_values_are_no_restatement() -> None:
    assert shown(answers.found(later=(later("9412000", "0", 2025),))).restated is None


def test_the_figure_in_full_is_said_once() -> None:
    shares = answers.fact_ref("CommonStockSharesOutstanding", "15116786000", unit="shares")
    assert not shown(answers.found(shares)).says_exact
    assert shown(answers.found()).says_exact


def test_a_balance_is_copied_with_its_day() -> None:
    cash = answers.fact_ref("Cash", "5000000", start=answers.YEAR[1])
    assert "(as of 31 Dec 2024): $5 million (5,000,000 US dollars)" in shown(answers.found(cash)).plain


def test_a_derived_number_is_copied_with_every_fact() -> None:
    number = answers.derived_answer().blocks[0].drafts[0]
    line = card.Shown(number, answers.plan().targets[0], None, "", "").plain
    assert "us-gaap:Revenues, 10-K 9999988801-25-000010" in line
    assert "us-gaap:CostOfRevenue, 10-K 9999988801-25-000010" in line


def test_words_are_shown_with_the_label_of_what_they_were_read_as() -> None:
    spans = (
        Span(start=0, end=8, text="R&D spend", role="concept", meaning="rnd"),
        Span(start=10, end=20, text="per widget", role="unused"),
        Span(start=21, end=23, text="in", role="phrase"),
    )
    answer = answers.number_answer()
    assert card.words(answer.model_copy(update={"plan": answer.plan.model_copy(update={"spans": spans})})) == [
        ("R&D spend", "measure", "Research and development expense"),
        ("per widget", "not understood", ""),
        ("in", "wording", ""),
    ]


def test_a_refusal_without_a_plan_shows_what_was_understood() -> None:
    about = answers.plan().targets[0]
    answer = answers.refusal_answer(about=about)
    unplanned = answer.model_copy(update={"plan": answer.plan.model_copy(update={"targets": ()})})
    assert card.understood(unplanned) == (about,)


def test_checks_of_the_statement_are_listed_once_and_those_that_fail_first(db: None) -> None:
    holds = Check(target=1, name="IS1", ok=True)
    fails = Check(target=1, name="IS3", ok=False, hard=False)
    cited = Check(target=1, name="cite_check", ok=True)
    part = card.parts(answers.number_answer(checks=(holds, holds, fails, cited)), uuid4())[0]
    assert part.sums == (fails, holds)
    assert part.broken_sums == 1
    assert part.verified


def test_one_figure_that_differs_is_enough_not_to_be_verified(db: None) -> None:
    cited = tuple(Check(target=1, name="cite_check", ok=ok) for ok in (True, False))
    assert not card.parts(answers.number_answer(checks=cited), uuid4())[0].verified
