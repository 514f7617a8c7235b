"""Clauses that tell why a question is asked are left out of it, and what is said of a measure twice is read once."""

import pytest

from agent.query.companies.owners import Owned, Owners
from agent.query.explain import line
from agent.query.question import read
from agent.state.query import Query
from tests.agent.query.held import REGISTRY, TODAY, WIDER

# Parts are called so, and these words stand in the companies' texts.
PARTS = {("footwear",): Owned(frozenset({1}), coined=False), ("iphone",): Owned(frozenset({320193}), coined=True)}
TOLD = frozenset({"grow", "growing", "season", "learn", "learning", "iphones", "talking", "some", "piece"})
OWNERS = Owners(PARTS, lambda phrase, as_written: {320193: 1, 21344: 1} if phrase in TOLD else {})


def asked(question: str) -> str:
    """The reading in one line."""
    return "; ".join(line(half) for half in read(question, WIDER, REGISTRY, TODAY, owners=lambda: OWNERS))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # of whoever asks; what has the name of a measure, or stands in the text, is only left out
        (
            "Working on a piece about buybacks - what was Apple's revenue in 2023?",
            "'Working on a piece about buybacks'",
        ),
        ("I own some Coke shares. What was Coca-Cola's revenue in 2023?", "'I own some Coke shares'"),
        ("I am learning about taxes: what was Apple's revenue in 2023?", "'I am learning about taxes'"),
        ("For an article on data silos I need Apple's revenue in 2023.", ""),
        # of the company
        ("Apple seems to be growing quickly, what was its revenue in 2023?", "'seems to be growing quickly'"),
        # another question
        ("When did Apple turn profitable? What was its revenue in 2023?", "'When did Apple turn profitable'"),
    ],
)
def test_a_clause_of_context_is_left_out(question: str, told: str) -> None:
    company = "KO" if "Coke" in question else "AAPL"
    without = f" without {told}" if told else ""
    assert asked(question) == f"{company} | 2023 | revenue{without}"


@pytest.mark.parametrize(
    "question",
    [
        "I am looking at footwear, what was Apple's revenue in 2023?",
        "I am talking about iPhones. What was Apple's revenue in 2023?",
        "I strip out stock compensation. What was Apple's net income in 2023?",
        "I mean the gadgets. What was Apple's revenue in 2023?",
        "Working on Zorblat - what was Apple's revenue in 2023?",
        "While adjusted for currency, what was Apple's revenue in 2023?",
    ],
)
def test_a_clause_that_may_make_another_figure_is_not(question: str) -> None:
    (found,) = read(question, WIDER, REGISTRY, TODAY, owners=lambda: OWNERS)
    assert not (isinstance(found, Query) and found.rows)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which proportion of Apple's assets was financed by liabilities in 2023 (total liabilities / total assets)?", "AAPL | 2023 | debt_to_assets:liabilities"),
        ("R&D intensity at Apple, i.e. research and development as a percent of revenue, for fiscal 2023?", "AAPL | FY2023 | rnd_to_revenue"),
        ("Apple's effective tax rate in 2023, taking tax expense over income before taxes?", "AAPL | 2023 | effective_tax_rate"),
    ],
)  # fmt: skip
def test_a_formula_that_is_the_measure_says_it_again(question: str, expected: str) -> None:
    assert asked(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Apple's effective tax rate in 2023, taking taxes paid over income before taxes?",
        "Apple revenue 2023 (less gadgets)",
    ],
)
def test_a_formula_that_is_another_measure_does_not(question: str) -> None:
    (found,) = read(question, WIDER, REGISTRY, TODAY, owners=lambda: OWNERS)
    assert not (isinstance(found, Query) and found.rows)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What part of Apple's total assets consisted of goodwill in 2023?", "AAPL | 2023 | goodwill_to_assets"),
        ("Apple 2023 - what portion of operating cash flow was used up by capital expenditures?", "AAPL | 2023 | capex_to_cfo"),
        ("How did Apple's cash and cash equivalents stand against its current liabilities in 2023, as a ratio?", "AAPL | 2023 | cash_ratio:cash_only"),
        ("Apple revenue year after year, fiscal 2020 until 2023", "AAPL | FY2020..FY2023 | revenue"),
        ("Apple net income excl. noncontrolling interests 2023", "AAPL | 2023 | net_income"),
        ("Which of Apple and Meta sits on more cash in 2023?", "AAPL, META | 2023 | cash > highest 1"),
        ("Can it afford its dividend? Apple dividends as % of free cash flow 2023", "AAPL | 2023 |  text: 'Can it afford its dividend?'; AAPL | 2023 | dividends_paid % of fcf"),
        ("Could you set out the goodwill of Apple in 2023?", "AAPL | 2023 | goodwill"),
        ("the 2023 purchases of property and equipment by Apple and by Microsoft", "AAPL, MSFT | 2023 | capex"),
    ],
)  # fmt: skip
def test_other_words_for_the_same(question: str, expected: str) -> None:
    assert asked(question) == expected
