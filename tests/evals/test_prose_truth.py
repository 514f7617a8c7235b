"""Passages by the hash of their words."""

import pytest

from evals.truths.prose_truth import fingerprint, fold, locate, locate_all

TEXT = (
    "Item 1A. Risk Factors\n\nWe rely on a single foundry — for “all” of our wafers.\n\n"
    "Our kiln\u2019s lining cost\t$1,200\t(8)%\n\nWe rely on a single foundry for all of our wafers. None."
)


def passage(said: str) -> str:
    found = locate(TEXT, *fingerprint(said))
    assert found is not None
    return TEXT[found[0] : found[1]]


def test_it_keeps_only_letters_and_digits() -> None:
    assert fold("Kiln\u2019s “Nº 4” cost:\t$1,200 (8)%") == ["kiln", "s", "no", "4", "cost", "1", "200", "8"]


def test_it_drops_what_has_no_width() -> None:
    assert fold("fur\u00adnace\u200b lining") == ["furnace", "lining"]


def test_it_reads_an_accent_alike_in_one_character_and_in_two() -> None:
    assert fold("caf\u00e9s") == fold("cafe\u0301s")


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        (
            "we rely on a single foundry - for 'all' of our wafers",
            "We rely on a single foundry — for “all” of our wafers",
        ),
        ("Our kiln's lining cost $1,200 (8)%", "Our kiln\u2019s lining cost\t$1,200\t(8"),
        ("none", "None"),
    ],
)
def test_it_finds_a_passage_however_it_is_spaced_and_quoted(said: str, printed: str) -> None:
    assert passage(said) == printed


def test_it_finds_nothing_when_one_word_differs() -> None:
    assert locate(TEXT, *fingerprint("We rely on a double foundry for all of our wafers")) is None


def test_it_finds_nothing_in_a_shorter_text() -> None:
    assert locate("wafers", *fingerprint("all of our wafers")) is None


def test_it_finds_every_place_in_order() -> None:
    places = locate_all(TEXT, *fingerprint("We rely on a single foundry for all of our wafers"))
    assert [TEXT[start:end][-6:] for start, end in places] == ["wafers", "wafers"]
    assert places[0][0] < places[1][0]


def test_a_passage_without_words_is_nowhere() -> None:
    assert locate(TEXT, *fingerprint("—")) is None


def test_offsets_hold_where_folding_changes_the_length() -> None:
    text = "½ ﬁnal ™ mark"
    found = locate(text, *fingerprint("final"))
    assert found is not None
    assert text[slice(*found)] == "ﬁnal"
