"""The check of risk factors' headings reads bold and italics itself, within the place that a link gives Item 1A."""

from evals.risk_headings_check import printed_headings
from evals.sections_check import fold
from tests.support.lantern import bold, p, prose, report

CAPTION = "Brass may become dear, and dealers may turn to lamps of tin."
SLANTED = "<div><i>Harbours may close in a </i><span style='font-style:italic'>long and cold winter.</span></div>"


def test_headings_are_the_lines_set_apart_with_plain_text_below() -> None:
    risks = bold(CAPTION) + prose("the risks") + SLANTED + prose("the risks", 900) + bold("Lamps that nobody buys")
    followed, apart = printed_headings(report({"1A": risks}))
    assert followed >= {fold(CAPTION), fold("Harbours may close in a long and cold winter.")}
    assert fold("Lamps that nobody buys") in apart - followed


def test_a_line_with_plain_words_in_it_and_a_heading_of_another_item_are_none() -> None:
    risks = p(f"<b>{CAPTION}</b> They did so before.") + prose("the risks")
    followed, apart = printed_headings(
        report({"1A": risks, "3": bold("The suit of the dealers") + prose("law suits")})
    )
    assert not {text for text in apart if "brass" in text or "suitof" in text}
    assert followed == {"item1ariskfactors"} or not followed
