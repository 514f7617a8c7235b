"""Words of texts and queries, and the part of a passage that shows why it was found."""

import pytest

from filings.search.browsing import LENGTH, snippet
from filings.search.words import MOST_WORDS, content_words, query_words, stem, words


def test_it_leaves_out_what_an_english_index_leaves_out() -> None:
    assert words("The supplier's parts, and those of the U.S. plant") == ["supplier", "parts", "those", "u.s", "plant"]


def test_a_query_has_each_word_once_and_an_end() -> None:
    assert query_words("risk Risk RISK factors") == ["risk", "factors"]
    assert len(query_words(" ".join(f"w{number}" for number in range(500)))) == MOST_WORDS


def test_words_of_asking_are_left_out_unless_nothing_else_is_left() -> None:
    assert content_words("What does the company say about its suppliers?") == ["company", "suppliers"]
    assert content_words("How many?") == ["how", "many"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("supplier", "suppliers"),
        ("policy", "policies"),
        ("stopped", "stop"),
        ("hacking", "hacked"),
        ("delays", "delayed"),
    ],
)
def test_words_of_one_stem_are_the_same(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("loss", "lost"), ("notes", "nothing"), ("plan", "plant")])
def test_other_words_are_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


TEXT = (
    "Item 1A. Risk Factors\n\n"
    + "We sell instruments in many countries. " * 20
    + "A single supplier makes the stage. "
    "If the supplier\u2019s deliveries stopped, we could not ship. " + "Weather matters little to us. " * 20
)


def test_a_snippet_shows_the_place_with_the_words_and_marks_them() -> None:
    start, shown, marks = snippet(TEXT, [(0, len(TEXT))], ["suppliers", "stop deliveries"])
    assert TEXT[start : start + len(shown)] == shown
    assert len(shown) <= LENGTH
    assert [shown[a:b] for a, b in marks] == ["supplier", "supplier\u2019s", "deliveries", "stopped"]


def test_a_snippet_is_cut_at_words() -> None:
    start, shown, _ = snippet(TEXT, [(0, len(TEXT))], ["stage"])
    assert TEXT[start - 1].isspace()
    assert TEXT[start + len(shown)].isspace()
    assert shown == shown.strip()


def test_a_snippet_without_a_hit_shows_the_beginning() -> None:
    start, shown, marks = snippet(TEXT, [(23, 400)], ["zeppelin"])
    assert start == 23
    assert shown.startswith("We sell")
    assert marks == []


def test_a_snippet_stays_within_one_range() -> None:
    begin = TEXT.index("A single")
    start, shown, marks = snippet(TEXT, [(0, 21), (begin, begin + 34)], ["supplier"])
    assert (start, shown) == (begin, "A single supplier makes the stage.")
    assert marks == [[9, 17]]


def test_one_long_word_is_cut_in_the_midst() -> None:
    text = "x" * 2000
    assert snippet(text, [(0, 2000)], ["y"]) == (0, "x" * LENGTH, [])
