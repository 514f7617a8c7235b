"""Misspelt words are read as the one they are near, and the query says so; names and English words are left alone."""

import pytest

from agent.query.words.refused_question import Misread
from agent.state.query import Query
from tests.agent.query.conftest import Line, Read, asks_figures


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("Visa operating income grwoth in fiscal 2022", "V | FY2022 | growth(operating_income)"),
        ("lowes inventroy fiscal 2022", "LOW | FY2022 | inventory"),
        ("what is the effectiv tax rate of Apple for 2023", "AAPL | 2023 | effective_tax_rate"),
        ("amd revenu 2022", "AMD | 2022 | revenue"),
        ("whats netincome for Apple 2023", "AAPL | 2023 | net_income"),
        ("starbuks revenue 2023", "SBUX | 2023 | revenue"),
        ("Apple total asests 2023", "AAPL | 2023 | total_assets"),
        ("Apple total liaiblities 2023", "AAPL | 2023 | total_liabilities"),
        ("Apple acounts payble 2023", "AAPL | 2023 | accounts_payable"),
        ("Waht was Apple's revenue fro teh yaer 2023?", "AAPL | 2023 | revenue"),
        ("Plaese shwo how mcuh revenue Apple reproted in fical 2023", "AAPL | FY2023 | revenue"),
        ("Betwen 2016 and 2020, in what year was Apple's revenue highest?", "AAPL | 2016..2020 | revenue > highest"),
        ("Wich had higher revenue in 2021, Apple or Microsoft?", "AAPL, MSFT | 2021 | revenue > highest 1"),
    ],
)
def test_it_reads_slips(told: Line, question: str, read: str):
    assert told(question).split(" + ~")[0] == read


def test_the_query_says_what_a_slip_was_read_as(query: Read):
    found = query("amd revenu 2022")
    assert isinstance(found, Query)
    assert [(word.text, word.meaning) for word in found.words if not word.typed] == [("revenu", "revenue")]


@pytest.mark.parametrize(
    "question",
    [
        "Apple revenge 2023",
        "Apple Revenua Labs revenue 2023",
        "Apple inventor revenue 2023",
        "Apple lender revenue 2023",
    ],
)
def test_english_words_and_names_are_not_mended(query: Read, question: str):
    found = query(question)
    assert isinstance(found, Misread) or found.topics


@pytest.mark.parametrize(
    "word", ["witout", "nto", "onyl", "excpet", "befor", "abov", "servce", "thn", "nte", "csot", "qaurterly"]
)
def test_words_that_change_what_is_asked_are_not_mended(word: str):
    assert not asks_figures(f"Apple revenue {word} products 2023")


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("Apple operating income (loss) by segment 2023", "AAPL | 2023 | operating_income by segment"),
        ("Apple net income (loss) / revenue 2023", "AAPL | 2023 | net_margin"),
    ],
)
def test_a_note_on_the_sign_parts_nothing(told: Line, question: str, line: str) -> None:
    assert told(question) == line
