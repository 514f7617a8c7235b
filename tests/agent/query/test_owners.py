"""Names that are no company's, told by whose filings name them; each read against texts as short as the test."""

from collections.abc import Mapping

import pytest

from agent.query.companies.owners import Owners, owner_of, places_named, words_owned
from agent.query.explain import line
from agent.query.question import read
from agent.query.words.lexicon import Called
from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.state.query import Query
from tests.agent.query.held import REGISTRY, TODAY, WIDER

APPLE, AMD, TESLA, DELTA_APPAREL = 320193, 2488, 1318605, 1168455

# Passages of the report of each company that names something most.
TEXTS = {
    "Zorblat": {APPLE: 12},
    "Zorblat engine": {APPLE: 4},
    "Quuxine": {AMD: 6, TESLA: 5},
    "Vandrel": {AMD: 30, APPLE: 3, TESLA: 2},
    "Froopal": {AMD: 5, TESLA: 5, APPLE: 4},
    "Kindle": {AMD: 9},
    "Rivian Automotive": {AMD: 3},
    "Arteris": {AMD: 8},
    "Douglas": {AMD: 8},
    "Europa": {AMD: 8, APPLE: 8, TESLA: 8},
    "Teslo": {APPLE: 3},
}


def naming(phrase: str, as_written: bool) -> Mapping[int, int]:
    found = TEXTS if as_written else {name.lower(): counts for name, counts in TEXTS.items()}
    return found.get(phrase if as_written else phrase.lower(), {})


OWNERS = Owners({}, naming)


def half(question: str, owners: Owners = OWNERS) -> Query | Misread:
    return read(question, WIDER, REGISTRY, TODAY, lambda ciks: Called(), owners=lambda: owners)[0]


@pytest.mark.parametrize(
    ("question", "symbol", "name"),
    [
        ("What risks does Zorblat face?", "AAPL", "Zorblat"),
        ("What risks does the Zorblat engine have?", "AAPL", "Zorblat engine"),
        ("what does the filing say about zorblat?", "AAPL", "zorblat"),  # no word of English
        ("What are Zorblat's risks?", "AAPL", "Zorblat's"),
        ("What risks does Vandrel face?", "AMD", "Vandrel"),  # others only mention it
        ("What risks does Vandrel face in Europa?", "AMD", "Vandrel"),  # what all name decides nothing
        ("What risks does Kindle face?", "AMD", "Kindle"),  # an everyday word, written as in the filing
    ],
)
def test_a_text_is_asked_of_the_company_whose_filings_name_what_is_asked_of(
    question: str, symbol: str, name: str
) -> None:
    found = half(question)
    assert isinstance(found, Query)
    assert ([one.symbol for one in found.companies], found.owned) == ([symbol], name)


def test_the_answer_says_in_whose_filings_the_name_stands() -> None:
    found = half("What risks does Zorblat face?")
    assert isinstance(found, Query)
    assert found.whose == "\u201cZorblat\u201d is named in the filings of Apple."


def test_a_name_that_two_companies_share_is_asked_back_with_both() -> None:
    found = half("What risks does Quuxine face?")
    assert isinstance(found, Misread)
    assert (found.code, found.words, {one.symbol for one in found.companies}) == (
        Code.AMBIGUOUS_COMPANY,
        ("Quuxine",),
        {"AMD", "TSLA"},
    )


@pytest.mark.parametrize(
    "question",
    [
        "What risks does Froopal face?",  # in the filings of three
        "What risks does Humdinger face?",  # in nobody's
        "What does Humdinger say about Zorblat?",  # a name that stands nowhere may be a company's
        "What risks does kindle face?",  # an everyday word
    ],
)
def test_a_name_of_many_or_of_none_tells_no_company(question: str) -> None:
    found = half(question)
    assert isinstance(found, Misread)
    assert found.code in {Code.UNKNOWN_COMPANY, Code.NO_COMPANY, Code.OFF_TOPIC}


@pytest.mark.parametrize(
    "question", ["Zorblat revenue 2024", "revenue of Zorblat", "How much did Zorblat earn in 2024?"]
)
def test_a_figure_of_the_whole_company_is_never_given_for_what_it_owns(question: str) -> None:
    found = half(question)
    assert isinstance(found, Misread) or not found.rows
    assert [one.symbol for one in found.companies] == ["AAPL"]


def test_passages_beside_the_refusal_of_a_figure_say_whose_they_are() -> None:
    found = half("Zorblat revenue 2024")
    assert isinstance(found, Misread)
    assert (found.code, found.words) == (Code.DIMENSIONAL_ONLY, ("Zorblat",))
    assert found.told is not None
    assert found.told.whose == "\u201cZorblat\u201d is named in the filings of Apple."


@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        ("What risks does Rivian Automotive face?", "RIVN"),
        ("What risks does Arteris face?", "AIP"),
    ],
)
def test_a_company_that_is_not_held_is_meant_by_its_own_name_whoever_names_it(question: str, read_as: str) -> None:
    assert line(half(question)).startswith(read_as)


def test_what_only_begins_a_name_that_is_not_held_is_asked_back_with_its_owner() -> None:
    found = half("What risks does Douglas face?")
    assert isinstance(found, Misread)
    assert (found.code, {one.symbol for one in found.companies}) == (Code.AMBIGUOUS_COMPANY, {"AMD", "DEI"})


def test_a_company_that_is_named_is_asked_whatever_else_is_named() -> None:
    found = half("What does Microsoft say about Zorblat?")
    assert isinstance(found, Query)
    assert ([one.symbol for one in found.companies], found.owned) == (["MSFT"], "")


def test_a_word_that_filings_name_is_no_slip() -> None:
    assert line(half("What risks does Teslo face?")).startswith("AAPL")
    assert line(half("What risks does Starbuks face?")).startswith("SBUX")


def test_one_word_of_a_part_tells_whose_it_is_and_is_not_the_part() -> None:
    called = {AMD: Called(parts=(("ZapTube ads", ("ProductOrServiceAxis=ZapTubeMember",)),))}
    owners = Owners({}, words=words_owned(called))
    assert owners.words == {"zaptube": frozenset({AMD})}
    found = half("ZapTube revenue 2024", owners)
    assert isinstance(found, Misread)
    assert [one.symbol for one in found.companies] == ["AMD"]


def test_a_word_of_a_part_that_others_name_as_often_tells_no_company() -> None:
    found = half("What risks does Froopal face?", Owners({}, naming, {"froopal": frozenset({DELTA_APPAREL, AMD})}))
    assert isinstance(found, Misread)
    assert found.code is Code.UNKNOWN_COMPANY


def test_a_region_is_nobodys_though_one_company_names_it_most() -> None:
    called = {AMD: Called(parts=(("Kindle", ("StatementGeographicalAxis=KindleMember",)),))}
    owners = Owners({}, naming, places=places_named(called))
    found = half("What risks does Kindle face?", owners)
    assert isinstance(found, Misread)
    assert found.code is Code.UNKNOWN_COMPANY


def test_what_no_report_tells_is_refused_without_a_company() -> None:
    found = half("What is the weather in Zorblat?")
    assert isinstance(found, Misread)
    assert (found.code, found.companies) == (Code.OFF_TOPIC, ())


def test_a_name_alone_is_looked_up_as_in_a_question() -> None:
    found = owner_of(OWNERS, "Zorblat engine", WIDER.held)
    assert found is not None
    assert found.ciks == (APPLE,)
    assert owner_of(OWNERS, "Humdinger", WIDER.held) is None
