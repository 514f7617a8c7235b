"""Two texts are the same words whatever sets them, and never when a number or a word differs."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.prose.text.folding import bare, fold, places, same, same_item

ODD = " \t\n-\u2014\u00ad\u200b\ufb01\u00a8\u0301a1\u00b2\u00bd\u2026\ufe0f\u3000\u2019\u201c"
TEXTS = st.text(st.one_of(st.characters(), st.sampled_from(ODD)), max_size=60)


@given(TEXTS)
@example("a \u2014 \u00adb")
@example("\u00a8x")
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text).text).text == fold(text).text


@given(TEXTS)
def test_every_folded_character_says_where_it_stood(text: str) -> None:
    folded = fold(text)
    assert len(folded.starts) == len(folded.ends) == len(folded.text)
    assert all(0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True))
    assert list(folded.starts) == sorted(folded.starts)


@given(st.lists(st.text("abcXYZ019.,$%", min_size=1, max_size=8), min_size=1, max_size=8), st.data())
def test_words_are_found_again_at_their_place(words: list[str], data: st.DataObject) -> None:
    spaces = [data.draw(st.sampled_from([" ", "  ", "\n", "\u00a0", "\t \n"])) for _ in words]
    text = "".join(word + space for word, space in zip(words, spaces, strict=True))
    folded = fold(text)
    assert folded.text == " ".join(words)
    start, end = folded.range(0, len(folded.text))
    assert text[start:end] == text.strip()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The \u201cA7\u201d chip", 'the "A7" chip'),
        ("Brackwater\u2019s plant", "Brackwater's plant"),
        ("from 2 \u2013 4 weeks", "from 2 - 4 weeks"),
        ("a loss \u2014 the first \u2014 of", "a loss\u2014the first\u2014of"),
        ("long\u2011term", "long-term"),
        ("long--term", "long\u2014term"),
        ("manu\u00adfacture", "manufacture"),
        ("\ufb01nance the \ufb02eet", "finance the fleet"),
        ("12\u00a0%\nof  sales ", "12 % of sales"),
        ("Cafe\u0301", "Caf\u00e9"),
        ("\uff11\uff12", "12"),
        ("and so on\u2026", "and so on..."),
    ],
)
def test_what_typesetting_changes_is_the_same(one: str, other: str) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("10\u00b2 wafers", "102 wafers"),
        ("5\u00bd years", "51/2 years"),
        ("We ship", "we Ship"),
        ("in May", "in may"),
        ("no where", "nowhere"),
        ("12 345", "12345"),
        ("\u221212", "12"),
        ("10 - 4", "104"),
        ("1.5", "15"),
        ("we expect", "we except"),
    ],
)
def test_what_changes_the_words_is_not(one: str, other: str) -> None:
    assert not same(one, other)


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("12%", "112% and 12%", ["12%"]),
        ("200", "1,200 and 200.5 and 200.", ["200"]),
        ("able to ship", "unable to ship", []),
        ("We ship", "Today we  ship. We ship.", ["we  ship", "We ship"]),
        ("", "anything", []),
    ],
)
def test_it_finds_whole_words_and_numbers_only(quote: str, text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in places(quote, text)] == found


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ("\u2022 changes in the law;", "changes in the law"),
        ("- delays; and", "delays"),
        ("o strikes or", "strikes"),
        ("-5 % of sales.", "-5 % of sales"),
        ("on time", "on time"),
    ],
)
def test_a_bullet_and_a_separator_are_no_words(item: str, words: str) -> None:
    assert bare(item) == words
    assert same_item(item, words)
