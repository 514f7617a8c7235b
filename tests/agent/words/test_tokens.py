import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.words.tokens import plain, singular, stems, tokenise


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R&D", ("r", "and", "d")),
        ("r & d", ("r", "and", "d")),
        ("Apple's", ("apple",)),
        ("Apple\u2019s", ("apple",)),
        ("stockholders\u2019 equity", ("stockholder", "equity")),
        ("Inc.'s", ("inc",)),
        ("pre-tax income", ("pretax", "income")),
        ("non\u2013operating", ("nonoperating",)),
        ("buy-backs", ("buyback",)),
        ("cashflow", ("cash", "flow")),
        ("10-K", ("10", "k")),
        ("10K", ("10", "k")),
        ("U.S.", ("us",)),
        ("capitalisation", ("capitalization",)),
        ("Nestl\u00e9", ("nestle",)),
        ("\uff32\uff06\uff24", ("r", "and", "d")),
        ("1,234,567", ("1234567",)),
        ("12.5%", ("12.5", "%")),
        ("revenue \U0001f64f", ("revenue",)),
        ("?!", ()),
    ],
)
def test_it_folds_words_to_one_form(text, expected):
    assert stems(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("revenues", "revenue"),
        ("inventories", "inventory"),
        ("taxes", "tax"),
        ("losses", "loss"),
        ("business", "business"),
        ("sales", "sales"),
        ("ares", "ares"),
        ("this", "this"),
        ("its", "its"),
    ],
)
def test_it_makes_plurals_singular(word, expected):
    assert singular(word) == expected


@given(st.text(max_size=60))
def test_every_token_stands_where_it_says(question):
    last = 0
    for token in tokenise(question):
        assert 0 <= token.start < token.end <= len(question)
        assert token.start >= last
        last = token.end


@given(st.text(max_size=60))
def test_plain_text_keeps_a_place_for_every_character(question):
    folded = plain(question)
    assert len(folded.offsets) == len(folded.text) + 1
    assert list(folded.offsets) == sorted(folded.offsets)
    assert folded.offsets[-1] == len(question)


def test_it_marks_case_possessive_and_cashtag():
    apple, visa, amd = tokenise("Apple's $V AMD's")
    assert (apple.possessive, apple.capital, apple.upper) == (True, True, False)
    assert (visa.cashtag, visa.upper) == (True, True)
    assert (amd.possessive, amd.upper) == (True, True)
