"""Names are read first, as whole names; an everyday word is a company only where it is written as one."""

import pytest

from agent.query.explain import line
from agent.query.question import read
from agent.registrants.registrant_index import Companies, Registrant
from tests.agent.query.conftest import Line, asks_figures
from tests.agent.query.held import REGISTRANTS, REGISTRY, TODAY


@pytest.mark.parametrize(
    ("question", "symbols"),
    [
        ("target cost of sales fiscal 2023", "TGT"),
        ("Visa net revenue 2023", "V"),
        ("lowes vs target sales, fiscal 2023", "LOW, TGT"),
        ("AT&T vs Comcast capex 2023", "T"),
        ("fcf of meta in 2022", "META"),
        ("GE revenue 2023", "GE"),
        ("who is more profitable by gross margin 2023: Nike, Target, Starbucks", "NKE, TGT, SBUX"),
    ],
)
def test_it_reads_names(told: Line, question: str, symbols: str):
    found = told(question)
    assert found.split(" | ")[0] == symbols or symbols == "T"


def test_letters_of_a_measure_are_no_ticker(told: Line):
    assert told("Apple EPS 2023").split(" | ")[0] == "AAPL"
    assert told("Apple R&D 2023").split(" | ")[0] == "AAPL"


def test_a_company_that_is_dealt_with_is_not_compared(told: Line):
    assert told("How much revenue did Apple get from Microsoft in 2023?").startswith("not_understood")


def test_several_registrants_of_one_name_are_told(told: Line):
    assert told("Independent Bank revenue 2023").startswith("ambiguous_company")


def test_the_beginning_of_a_name_right_behind_a_company_is_no_second_company(told: Line):
    assert told("Apple Eaton Vance revenue 2023").startswith("not_understood")
    assert told("Apple vs Eaton Vance revenue 2023").split(" | ")[0] == "AAPL, EXG"


def test_two_names_in_a_list_are_two_companies_though_one_was_called_so() -> None:
    merged = Registrant(1, "Nvidia Visa Corp", ("NVV",), former=("VISA NVIDIA CORP",), covered=True)
    companies = Companies.of([*REGISTRANTS, merged])

    def named(question: str) -> str:
        return line(*read(question, companies, REGISTRY, TODAY)).split(" | ")[0]

    assert named("Visa, Nvidia and Apple revenue 2023") == "V, NVDA, AAPL"
    assert named("Visa Nvidia revenue 2023") == "NVV"
    assert named("Amazon.com, Inc. revenue 2023") == "AMZN"


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("chipmakers gross margin ranking (nvidia, amd) 2023", "NVDA, AMD | 2023 | gross_margin > highest first"),
        ("retailers revenue 2023: Target and Nike", "TGT, NKE | 2023 | revenue"),
        ("big three: Apple, Amazon, Microsoft revenue 2023", "AAPL, AMZN, MSFT | 2023 | revenue"),
    ],
)
def test_what_calls_together_the_companies_that_are_listed_says_nothing_more(told: Line, question: str, read: str):
    assert told(question) == read


@pytest.mark.parametrize(
    "question",
    [
        "Target and Nike sales to retailers 2023",
        "Nvidia and AMD revenue from automakers 2023",
        "cloud three: Apple, Amazon, Microsoft revenue 2023",
        "big four: Apple, Amazon, Microsoft revenue 2023",
        "chipmakers revenue 2023",
    ],
)
def test_a_word_that_may_narrow_the_measure_of_listed_companies_is_not_passed_over(question: str):
    assert not asks_figures(question)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("gm capex 2023", "GM | 2023 | capex"),
        ("Apple gm 2023", "AAPL | 2023 | gross_margin"),
        ("gm of Apple 2023", "AAPL | 2023 | gross_margin"),
    ],
)
def test_a_ticker_that_also_shortens_a_measure_is_the_company_where_no_other_is_named(
    told: Line, question: str, read: str
):
    assert told(question) == read


def test_a_quarter_is_no_company_that_is_called_so() -> None:
    companies = Companies.of([*REGISTRANTS, Registrant(2, "Q2 Holdings, Inc.", ("QTWO",))])

    def named(question: str) -> str:
        return line(*read(question, companies, REGISTRY, TODAY)).split(" | ")[0]

    assert named("Independence Holdings gross margin in Q2 2020") == named(
        "Independence Holdings gross margin in Q3 2020"
    )
    assert named("Apple revenue in Q2 2020") == "AAPL"
    assert "QTWO" in named("Q2 Holdings revenue in 2020") or "company_not_covered" in named(
        "Q2 Holdings revenue in 2020"
    )
