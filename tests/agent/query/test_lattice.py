"""The best cover: longest names first, marks between words, names that share their last words, ties."""

import pytest

from agent.query.reading.lattice import covers, score
from agent.query.words.lexicon import lexicon_of
from agent.query.words.sentence import breaks
from agent.words.tokens import tokenise
from tests.agent.query.conftest import Line
from tests.agent.query.held import REGISTRY


def names(question: str) -> list[tuple[str, ...]]:
    """The registry keys of the names in the best cover."""
    tokens = tokenise(question)
    cover, *_ = covers(lexicon_of(REGISTRY).matches(tokens), len(tokens), breaks(question, tokens))
    return list(cover.measures)


def test_it_takes_the_longest_name():
    assert names("current portion of long-term debt") == [("ltd_current",)]
    assert names("cost of revenue") == [("cost_of_revenue",)]


def test_it_takes_a_name_over_a_closed_phrase_of_the_same_length():
    assert names("book value per share") == [("book_value_per_share",)]


def test_it_takes_no_name_across_a_comma_where_two_stand_apart():
    assert names("revenue, net income") == [("revenue",), ("net_income",)]


def test_it_takes_a_name_that_is_written_with_commas():
    assert names("property, plant and equipment") == [("ppe_net",)]


def test_names_that_share_their_last_words_are_two():
    assert names("gross and operating margin") == [("gross_margin", "operating_margin")]
    assert names("top and bottom line") == [("revenue", "net_income")]


def test_a_longer_match_scores_more_than_its_parts():
    matches = {
        len(match): match for match in lexicon_of(REGISTRY).matches(tokenise("free cash flow")) if match.first == 0
    }
    assert score(matches[3]) > sum(score(match) for length, match in matches.items() if length < 3)


def test_every_alias_of_the_registry_is_found_whole():
    lexicon = lexicon_of(REGISTRY)
    for key, entry in {**REGISTRY.concepts, **REGISTRY.metrics}.items():
        for alias in entry.aliases:
            named = lexicon.named(tuple(token.stem for token in tokenise(alias)))
            assert named, alias
            assert key in {one.partition(":")[0] for one in named.keys}, alias


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("Apple total assets, total liabilities and equity 2023", {"total_assets", "total_liabilities", "equity"}),
        ("Apple dividends and buybacks 2023", {"dividends_paid", "share_repurchases"}),
    ],
)
def test_two_names_joined_by_and_are_both_shown_where_a_list_ends(told: Line, question: str, keys: set[str]):
    assert keys <= set(told(question).split(" | ")[2].split(" + "))
