"""A question of two halves is read as two: a figure and text, or two things of the text; each half answers or refuses."""

from types import SimpleNamespace

import pytest

from agent.query.explain import line
from agent.query.words.refused_question import Misread
from agent.refusals.misread_questions import refusal
from agent.state import QuestionType
from agent.state.query import Query
from agent.steps.targets import merged, planned_of
from tests.agent.query.conftest import asks_figures, halves_of
from tests.agent.query.held import REGISTRY


def kinds(question: str) -> list[str]:
    """What each half is: figures, text, data of the filing, or the code of its refusal."""
    return [kind(half) for half in halves_of(question)]


def kind(half: Query | Misread) -> str:
    if isinstance(half, Misread):
        return half.code.value
    return "figures" if half.rows else "text" if half.topics else ", ".join(half.particulars)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("What was Apple's R&D in FY2024 and what drove it?", ["figures", "text"]),
        ("Apple revenue 2024, and why did it fall?", ["figures", "text"]),
        ("Can Apple afford its dividend? Dividends as a % of free cash flow 2024", ["text", "figures"]),
        ("Apple net income 2024 and main risks", ["figures", "text"]),
        ("Apple revenue 2024 plus legal proceedings", ["figures", "text"]),
        ("Apple 2024 inventory, why so high", ["figures", "text"]),
        ("Describe Apple's competition in FY2024. What was its revenue?", ["text", "figures"]),
        ("What was Apple's revenue growth in FY2024, and what explains it?", ["figures", "text"]),
        ("What was Apple's revenue and net income in 2023 and what drove them?", ["figures", "text"]),
        ("What does Apple say about tariffs and how does it recognize revenue?", ["text", "text"]),
        ("In FY23, what shields AMD's ideas, and could its chips be hacked?", ["text", "text"]),
        ("How is Apple taxed, and would floods close its plants?", ["text", "text"]),
        ("Describe Apple's patents, and what are its tariff risks?", ["text", "text"]),
        # a half that is refused does not stop the other
        ("What was Apple's adjusted EPS in FY2024, and why did it change?", ["non_gaap", "text"]),
        ("Apple adjusted EPS 2024 and main risks", ["non_gaap", "text"]),
    ],
)
def test_two_halves_are_read_as_two(question: str, read: list[str]):
    assert kinds(question) == read


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Apple revenue and net income 2023", ["figures"]),
        ("Why did Apple's revenue and margins fall in 2023?", ["text"]),
        ("Why did Apple's revenue and net income fall in 2023?", ["text"]),
        ("What are Apple's cybersecurity and competition risks?", ["text"]),
        ("How does Apple describe research and development of chips?", ["text"]),
        ("How does Apple attract and retain people?", ["text"]),
        ("Who took over as Starbucks' boss, and when? fiscal 2024 10-K", ["text"]),
        ("Thanks! And what was Apple's revenue in 2023?", ["figures"]),
        ("Apple revenue 2023 and when was it filed?", ["figures"]),
    ],
)
def test_what_is_one_question_is_read_as_one(question: str, read: list[str]):
    assert kinds(question) == read


@pytest.mark.parametrize(
    "question",
    [
        "What was Apple's R&D in FY2024 and what drove it?",
        "Describe Apple's competition in FY2024. What was its revenue?",
        "What does Apple say about tariffs in its FY2024 10-K and how does it recognize revenue?",
    ],
)
def test_the_second_half_is_of_the_same_company_and_year(question: str):
    one, other = (half for half in halves_of(question) if isinstance(half, Query))
    assert one.companies == other.companies
    assert one.periods == other.periods


@pytest.mark.parametrize(
    "question", ["Apple risks and revenue 2023", "Describe Apple's competition and revenue in 2023"]
)
def test_a_year_at_the_end_is_that_of_both_halves(question: str):
    one, other = (half for half in halves_of(question) if isinstance(half, Query))
    assert one.periods == other.periods


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was Apple's R&D in FY2024 and what drove it?", "what drove research and development?"),
        ("Apple revenue and gross margin 2023 and why they fell", "why revenue and gross margin fell"),
        ("Apple revenue 2023, and why do they sell abroad?", "why do they sell abroad?"),
    ],
)
def test_it_and_they_stand_for_the_measures_of_the_first_half(question: str, text: str):
    _, reason = halves_of(question)
    assert isinstance(reason, Query)
    assert reason.topics[0].text == text


def test_a_second_subject_of_its_own_takes_no_measure():
    _, risks = halves_of("Apple net income 2024 and main risks")
    assert isinstance(risks, Query)
    assert (risks.topics[0].text, risks.topics[0].whole) == ("main risks", True)


def test_what_joins_the_halves_is_part_of_neither():
    texts = [half.topics[0].text for half in halves_of("In FY23, what shields AMD's ideas, and could its chips be hacked?")
             if isinstance(half, Query)]  # fmt: skip
    assert texts == ["what shields the company's ideas", "could its chips be hacked?"]


def test_the_words_of_both_halves_cover_the_question_once():
    question = "What was Apple's R&D in FY2024 and what drove it?"
    covered = [place for word in merged(halves_of(question)).words for place in range(word.start, word.end)]
    assert len(covered) == len(set(covered))
    assert not any(question[place].isalnum() for place in range(len(question)) if place not in covered)


@pytest.mark.django_db
def test_a_figure_and_a_reason_are_two_targets_of_one_plan():
    plan = planned_of(
        halves_of("What was Apple's R&D in FY2024 and what drove it?"), deps=SimpleNamespace(news_found={})
    )  # type: ignore[arg-type]
    assert plan.type is QuestionType.BOTH
    assert [(one.id, one.figures, one.topic is not None) for one in plan.targets] == [
        (0, True, False),
        (1, False, True),
    ]
    assert {(one.company.symbol, one.period.year) for one in plan.targets} == {("AAPL", 2024)}
    assert plan.query is not None
    assert plan.query.rows
    assert plan.query.topics


@pytest.mark.django_db
def test_a_refused_half_keeps_its_place():
    halves = halves_of("What was Apple's adjusted EPS in FY2024, and why did it change?")
    plan = planned_of(halves, deps=SimpleNamespace(news_found={}))  # type: ignore[arg-type]
    assert [one.id for one in plan.targets] == [1]
    assert isinstance(halves[0], Misread)
    assert refusal(halves[0], REGISTRY, 0).text == "Figures called \u201cadjusted\u201d are not in our data."


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("Apple revenue and why it grew in 2024", ("2024", "2024")),
        ("What was Apple's revenue, and why did it fall in 2023?", ("2023", "2023")),
        ("Apple revenue in 2022 and why it grew in 2024", ("2022", "2024")),
        ("Apple revenue and what lawsuit did it settle in 2023?", ("latest", "2023")),
    ],
)
def test_a_figure_is_of_the_year_whose_reason_is_asked(question: str, years: tuple[str, str]) -> None:
    assert tuple(line(half).split(" | ")[1].strip() for half in halves_of(question)) == years


@pytest.mark.parametrize(
    "question",
    [
        "How geared was Apple at the end of 2023? long-term debt (with the odd bit) over shareholders' equity",
        "Apple 2023: why is its segments' revenue not the total?",
    ],
)
def test_no_half_is_what_is_left_of_a_figure_or_a_name_alone(question: str):
    assert not asks_figures(question)
