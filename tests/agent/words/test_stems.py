"""Words of one meaning have one root, and words of different meanings two."""

import pytest

from agent.words.stems import root


@pytest.mark.parametrize(
    ("one", "other"), [("fact", "factor"), ("factor", "factories"), ("officer", "offices"), ("direct", "directors")]
)
def test_words_of_different_meaning_have_different_roots(one: str, other: str):
    assert root(one) != root(other)


@pytest.mark.parametrize(("one", "other"), [("factories", "factory"), ("officers", "officer"), ("risks", "risk")])
def test_forms_of_a_word_have_one_root(one: str, other: str):
    assert root(one) == root(other)
