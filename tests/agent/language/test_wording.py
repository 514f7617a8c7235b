import re

import pytest
from agent.language.misread import Misread
from agent.language.wording import concierge, sentences

from agent.refusals.codes import Code
from agent.refusals.labels import possessive


@pytest.mark.parametrize("code", [code for code in Code if code.row.asked])
@pytest.mark.parametrize("full", [True, False])
def test_every_code_has_two_plain_sentences(code, full):
    misread = Misread(code=code)
    if full:
        misread = Misread(
            code=code, words=("iPhone",), names=("Apple Inc. (AAPL)", "Visa Inc. (V)"), labels=("Revenue",)
        )
    for sentence in sentences(misread):
        assert re.fullmatch(r"[A-Z\u201c].*[.:]", sentence)
        assert not re.search(r"[{}!]|sorry|unfortunately|please|  |we think", sentence, re.IGNORECASE)


def test_it_names_the_words_as_typed():
    text, second = sentences(Misread(code=Code.NOT_UNDERSTOOD, words=("gross", "before returns")))
    assert text == "I don't understand \u201cgross\u201d and \u201cbefore returns\u201d."
    assert second == "I can't drop \u201cgross\u201d and \u201cbefore returns\u201d: they could change the figure."


def test_it_names_the_companies_that_fit():
    text, _ = sentences(Misread(code=Code.AMBIGUOUS_COMPANY, words=("Graham",), names=("A (B)", "C (D)", "E")))
    assert text == "\u201cGraham\u201d fits several companies: A (B), C (D) and E."


@pytest.mark.parametrize("name", ["Lowe's", "Lowe\u2019s", "LOWE'S"])
def test_a_name_that_is_a_possessive_takes_no_second_one(name):
    assert (possessive(name), possessive("Apple")) == (name, "Apple's")


@pytest.mark.parametrize("kind", ["greeting", "thanks", "coverage"])
def test_the_concierge_speaks_of_coverage_only(kind):
    assert "2 companies are covered, including Apple and Visa." in concierge(kind, 2, ("Apple", "Visa"))
    assert "No company has been ingested yet." in concierge(kind, 0, ())
    assert "1 company is covered." in concierge(kind, 1, ("Apple",))
