"""What is said of a question that makes no query, and of Diligence itself."""

import re

import pytest

from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code, rows
from agent.refusals.grammar import possessive
from agent.refusals.misread_questions import concierge, refusal, sentences
from tests.agent.query.conftest import query_of
from tests.agent.query.held import COMPANIES, REGISTRY

APPLE, VISA = COMPANIES.get(320193), COMPANIES.get(1403161)
assert APPLE is not None
assert VISA is not None


def test_every_code_has_a_row() -> None:
    assert set(rows()) == set(Code)


@pytest.mark.parametrize("code", [code for code in Code if code.row.asked])
@pytest.mark.parametrize("full", [True, False])
def test_every_code_has_two_plain_sentences(code: Code, full: bool):
    misread = Misread(code=code)
    if full:
        misread = Misread(code=code, words=("iPhone",), companies=(APPLE, VISA), measures=("revenue",))
    for sentence in sentences(misread, REGISTRY):
        assert re.fullmatch(r"[A-Z\u201c].*[.:]", sentence)
        assert not re.search(r"[{}!]|sorry|unfortunately|please|  |we think", sentence, re.IGNORECASE)


def test_it_names_the_words_as_typed():
    found = sentences(Misread(code=Code.NOT_UNDERSTOOD, words=("gross", "before returns")), REGISTRY)
    assert found == (
        "We could not interpret \u201cgross\u201d and \u201cbefore returns\u201d.",
        "Use other words, or leave this out.",
    )


def test_it_names_the_companies_that_fit():
    text, _ = sentences(Misread(code=Code.AMBIGUOUS_COMPANY, words=("Graham",), companies=(APPLE, VISA)), REGISTRY)
    assert text == "\u201cGraham\u201d fits several companies: Apple and Visa."


def test_a_refusal_keeps_what_was_understood():
    found = query_of("Apple average revenue fiscal 2023")
    assert isinstance(found, Misread)
    assert [one.symbol for one in found.query.companies] == ["AAPL"]
    assert [one.year for one in found.periods] == [2023]
    assert found.measures == ("revenue",)
    assert dict(refusal(found, REGISTRY).looked_for) == {
        "Company": "Apple",
        "Measure": "Total revenue",
        "Period": "fiscal 2023",
        "Words": "average",
    }


def test_companies_that_are_only_near_a_name_are_not_what_is_asked():
    found = query_of("Independent Bank revenue 2023")
    assert isinstance(found, Misread)
    assert len(found.companies) == 2
    assert found.query.companies == ()


def test_an_ambiguous_word_names_the_measures_it_fits():
    found = query_of("Apple profit and margin 2023")
    assert isinstance(found, Misread)
    assert found.measures == ("gross_margin", "operating_margin", "net_margin")


@pytest.mark.parametrize("name", ["Lowe's", "Lowe\u2019s", "LOWE'S"])
def test_a_name_that_is_a_possessive_takes_no_second_one(name: str):
    assert (possessive(name), possessive("Apple")) == (name, "Apple's")


@pytest.mark.parametrize("kind", ["greeting", "thanks", "coverage"])
def test_the_concierge_speaks_of_coverage_only(kind: str):
    assert "2 companies are covered, including Apple and Visa." in concierge(kind, 2, (APPLE, VISA))
    assert "No company can be asked about yet." in concierge(kind, 0, ())
    assert "1 company is covered." in concierge(kind, 1, (APPLE,))
