"""What became of risks: each is its caption with the text below it, wherever that stands in the other text."""

import pytest

from filings.redline.alignment import Kind
from filings.redline.captions import captions_of
from filings.redline.comparison import Comparison
from filings.redline.summary import captions_said
from tests.filings.redline.parts import compared, section

SUPPLY = "# We depend on one supplier for our ceramic stages."
LINDAU = "A supplier in Lindau makes them to our drawings. We hold parts for nine weeks. We know of no other maker."
STRIKE = "# Strikes could stop our plants for a long time."
UNION = "The agreement with our union ends in 2025. Its members may strike, as they did in Barrie."
FRAUD = "# Fraud at our installers could harm our name and our profit."
INSTALLERS = "Our installers work in homes of customers. Whoever steals there harms our name, and we answer for it."


def risks(found: Comparison) -> list[tuple[Kind, bool]]:
    return [(one.kind, one.left) for one in found.captions]


def test_a_risk_that_is_a_paragraph_of_another_one_is_neither_removed_nor_added() -> None:
    apart, together = [SUPPLY, LINDAU, FRAUD, INSTALLERS], [SUPPLY, LINDAU, INSTALLERS]
    gone, come = compared(apart, together), compared(together, apart)
    assert risks(gone) == [(Kind.SAME, False), (Kind.MOVED, True)]
    assert risks(come) == [(Kind.SAME, False), (Kind.MOVED, False)]
    rest = "No risk was added, removed or reworded; 1 kept its heading and 1"
    assert captions_said(gone) == f"{rest} is now under another heading."
    assert captions_said(come) == f"{rest} was under another heading before."


def test_a_risk_in_other_words_is_reworded_and_one_like_it_of_another_rival_is_new() -> None:
    pay = (
        "# We have suspended our dividend, and we do not know when it returns.",
        "The board suspended the dividend in March.",
    )
    none = "# We pay no dividend.", "Since the board suspended it, no dividend is due."
    assert risks(compared([SUPPLY, LINDAU, *pay], [SUPPLY, LINDAU, *none]))[1:] == [(Kind.CHANGED, False)]
    rival = "# {} rules its market and may keep us from competing on a level field."
    one = rival.format("Acme"), "Acme sells processors at a loss and pays dealers who sell nothing else."
    other = rival.format("Borealis"), "Borealis binds buyers of graphics boards to its own programs and tools."
    assert risks(compared([*one], [*one, *other])) == [(Kind.SAME, False), (Kind.ADDED, False)]


def test_a_risk_that_took_the_place_of_another_is_no_rewording_of_it() -> None:
    found = compared([SUPPLY, LINDAU, STRIKE, UNION], [SUPPLY, LINDAU, FRAUD, INSTALLERS])
    assert risks(found)[1:] == [(Kind.DROPPED, False), (Kind.ADDED, False)]


def test_punctuation_and_white_space_alone_reword_nothing() -> None:
    found = compared(
        ["# We may be unable to grow, or fail, we may lose omni-channel customers.", LINDAU],
        ["# We may be unable to grow or fail,we may lose omnichannel customers.", LINDAU],
    )
    assert risks(found) == [(Kind.SAME, False)]
    assert [
        pair.kind for pair in compared(["We paid 1.5 million."], ["We paid 15 million."]).parts[0].paragraphs[0].pairs
    ] == ["changed"]


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        ((SUPPLY, LINDAU, "# We pay no dividend.", UNION), 2),  # A short caption on the level of a sentence.
        (("# Workshop, Harbor, Water and Weather Risks", SUPPLY, LINDAU), 1),
        (("# Summary of Risks Associated with Our Workshops", UNION, SUPPLY, LINDAU), 1),
        (("# Furnace, Crane and Pattern Shop Risks", UNION, "# Financial Risks", LINDAU), 0),
        (("# We Live with Many Weather-Related Risks", UNION), 1),
    ],
)
def test_captions_have_text_of_their_own_and_name_no_group(lines: tuple[str, ...], count: int) -> None:
    found = section(*lines)
    assert len(list(captions_of(found.text, found.blocks))) == count
