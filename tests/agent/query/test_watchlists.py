"""Lists of companies that whoever asks keeps are read as if their companies were listed."""

import pytest

from agent.query.companies.named_watchlists import Watched
from agent.query.explain import line
from agent.query.question import read
from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.refusals.misread_questions import sentences
from agent.registrants.registrant_index import Companies, Registrant
from agent.state.query import MOST_COMPANIES, Query
from agent.state.question_words import Role
from tests.agent.query.conftest import query_of
from tests.agent.query.held import REGISTRY, TODAY, WIDER

APPLE, MICROSOFT, NVIDIA, AMD = 320193, 789019, 1045810, 2488
CHIPS = Watched("Semiconductors", (NVIDIA, AMD))
BIG = Watched("Big tech", (APPLE, MICROSOFT, NVIDIA))
LISTS = (CHIPS, BIG)
ALL = "NVDA, AMD, AAPL, MSFT"


def halves(question: str, lists: tuple[Watched, ...] = LISTS, previous: Query | None = None) -> str:
    return " // ".join(line(one) for one in read(question, WIDER, REGISTRY, TODAY, previous=previous, lists=lists))


def refused(question: str, lists: tuple[Watched, ...], companies: Companies = WIDER) -> tuple[Misread, str]:
    (found,) = read(question, companies, REGISTRY, TODAY, lists=lists)
    assert isinstance(found, Misread)
    return found, " ".join(sentences(found, REGISTRY))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("rank my companies by operating margin in 2024", f"{ALL} | 2024 | operating_margin > highest first"),
        ("my companies' revenue, 2022 to 2024", f"{ALL} | 2022..2024 | revenue"),
        ("which of my companies had the highest ROE?", f"{ALL} | latest | roe > highest 1"),
        ("which companies on my watchlist had the highest revenue in 2024", f"{ALL} | 2024 | revenue > highest 1"),
        ("revenue of each of my companies in 2023", f"{ALL} | 2023 | revenue"),
        ("my companies 2022 and 2024 revenue", f"{ALL} | 2022, 2024 | revenue"),
        ("MY WATCH LIST REVENUE 2024", f"{ALL} | 2024 | revenue"),
    ],
)
def test_my_companies_are_those_of_all_lists_each_once(question: str, expected: str) -> None:
    assert halves(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("rank my semiconductors by R&D", "NVDA, AMD | latest | rnd > highest first"),
        ("rank my semiconductor companies by R&D in 2023", "NVDA, AMD | 2023 | rnd > highest first"),
        ("My Big Tech watchlist: revenue 2023", "AAPL, MSFT, NVDA | 2023 | revenue"),
        (
            "compare the gross margin of Apple and my semiconductors in 2024",
            "AAPL, NVDA, AMD | 2024 | gross_margin > highest first",
        ),
    ],
)
def test_a_list_is_named_by_its_name(question: str, expected: str) -> None:
    assert halves(question) == expected


@pytest.mark.parametrize("name", ["My semiconductors", "SEMICONDUCTOR", " semiconductors "])
def test_a_name_is_known_in_whatever_way_it_is_written(name: str) -> None:
    lists = (Watched(name, (AMD,)), BIG)
    assert halves("my semiconductors revenue 2024", lists).startswith("AMD | 2024 | revenue")


def test_the_longest_name_is_meant() -> None:
    lists = (Watched("Big", (AMD,)), BIG)
    assert halves("revenue of my big tech in 2024", lists).startswith("AAPL, MSFT, NVDA | 2024")


def test_a_list_called_after_a_company_is_the_list() -> None:
    assert halves("my Apple suppliers' revenue 2024", (Watched("Apple suppliers", (NVIDIA,)),)).startswith("NVDA |")


def test_years_beside_a_list_are_those_of_all_its_companies() -> None:
    assert halves("my semiconductors FY2024 revenue vs Tesla FY2025") == (
        "NVDA, AMD, TSLA | FY2024 (1045810: FY2024) (2488: FY2024) (1318605: FY2025) | revenue > highest first"
    )


def test_the_words_say_which_companies_they_are() -> None:
    (found,) = read("rank my semiconductors by R&D", WIDER, REGISTRY, TODAY, lists=LISTS)
    assert isinstance(found, Query)
    told = [(word.text, word.meaning) for word in found.words if word.role is Role.COMPANY]
    assert told == [("my semiconductors", "NVIDIA, AMD")]


def test_a_question_that_goes_on_keeps_the_companies() -> None:
    (before,) = read("rank my semiconductors by R&D in 2023", WIDER, REGISTRY, TODAY, lists=LISTS)
    assert isinstance(before, Query)
    # Whatever the lists have become meanwhile.
    assert halves("and their net margin?", (), before).startswith("NVDA, AMD | 2023 | net_margin")


@pytest.mark.parametrize("lists", [(), (Watched("Empty", ()),), (Watched("Gone", (1,)),)])
@pytest.mark.parametrize(
    "question",
    [
        "rank my companies by revenue in 2024",
        "revenue of my watchlist",
        "compare the revenue of Apple and my companies",
        "what risks do my companies disclose?",
    ],
)
def test_without_a_company_on_a_list_it_says_so(question: str, lists: tuple[Watched, ...]) -> None:
    found, said = refused(question, lists)
    assert (found.code, found.companies) == (Code.NO_COMPANY, ())
    assert "no companies on a watchlist yet" in said
    assert "on the Watchlists page" in said


def test_behind_another_question_too() -> None:
    assert halves("and my companies?", (), query_of("Apple revenue 2024")) == "no_company [my companies]"  # type: ignore[arg-type]


def test_where_a_company_is_named_words_about_ones_own_say_nothing() -> None:
    question = "One of my companies is Apple: what was its revenue in 2024?"
    assert halves(question, ()) == "AAPL | 2024 | revenue"


def test_other_refusals_of_no_company_and_length_stay_as_they_were() -> None:
    assert refused("revenue in 2024", ())[1] == "The question names no company. Add a company's name or ticker."
    assert refused("words " * 500, ())[1] == "The question is too long. Ask one thing about one company."


@pytest.mark.parametrize("count", [MOST_COMPANIES, MOST_COMPANIES + 1])
def test_more_companies_than_a_question_takes_are_refused_in_words(count: int) -> None:
    registrants = [Registrant(cik, f"Alder{cik} Works Inc", (), covered=True) for cik in range(1, count + 1)]
    many, lists = Companies.of(registrants), (Watched("Many", tuple(range(1, count + 1))),)
    if count == MOST_COMPANIES:
        (found,) = read("rank my companies by revenue in 2024", many, REGISTRY, TODAY, lists=lists)
        assert isinstance(found, Query)
        assert len(found.companies) == count
        return
    found, said = refused("rank my companies by revenue in 2024", lists, many)
    assert found.code is Code.TOO_LONG
    assert said == (
        "With “my companies” the question covers more than 20 companies. Ask about up to 20, or use a shorter watchlist."
    )
