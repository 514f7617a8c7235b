"""What is cut at the edges of pages, and what only looks like it: ends of letters, numbered headings, footnotes."""

import pytest

from filings.document.layout import Layout, UnreadableText, read_layout
from tests.support.lantern import LONG, bold, document, p, table

WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def pages(*ends: str, count: int = 12) -> list[str]:
    """Pages of one paragraph each, the first of them with an end of its own, and a footer on all."""
    texts = []
    for number, word in enumerate(WORDS[:count], 1):
        end = ends[number - 1] if number <= len(ends) else ""
        texts.append(p(f"Page {word}: {LONG}") + end + p(f"Lantern Works | {number}"))
    return texts


def texts(layout: Layout) -> list[str]:
    return [layout.of(block) for block in layout.blocks]


def test_it_keeps_the_ends_of_letters_on_pages_that_follow_one_another():
    signed = "".join(p(line) for line in ("/s/ Brass &amp; Wick LLP", "Port Amber, Ostland", "February 7, 2025"))
    layout = read_layout(document(*pages(signed, signed, signed)))
    for line in ("/s/ Brass & Wick LLP", "Port Amber, Ostland", "February 7, 2025"):
        assert texts(layout).count(line) == 3
    assert "Lantern Works |" not in layout.text


def test_it_keeps_a_date_at_the_end_of_three_pages_far_apart():
    date = p("February 7, 2025")
    layout = read_layout(document(*pages(date, "", "", "", "", date, "", "", date)))
    assert texts(layout).count("February 7, 2025") == 3


def test_it_cuts_the_line_under_statements_on_pages_that_follow_one_another():
    line = p("See accompanying notes.")
    assert "accompanying" not in read_layout(document(*pages("", line, line, line))).text


def test_it_keeps_a_line_that_stands_inside_pages_too():
    office = p("Chosen officer since 2015.")
    body = p("Mara Wick leads the works.") + office
    layout = read_layout(document(*pages(body * 3, body * 3, body * 3)))
    assert layout.text.count("Chosen officer") == 9


def test_it_keeps_headings_that_differ_in_their_number_alone():
    notes = [bold(f"NOTE {2 * number}") + p(f"Page {word}: {LONG}") for number, word in enumerate(WORDS, 3)]
    layout = read_layout(document(*notes))
    assert [text for text in texts(layout) if text.startswith("NOTE")] == [f"NOTE {2 * n}" for n in range(3, 15)]


def test_it_keeps_a_row_of_column_names_at_the_top_of_three_pages():
    names = table(("Lamp", "Step", "Day"), ("Beacon", "Tried", "1 May"))
    layout = read_layout(document(*(names + text for text in pages(count=3)), *pages()[3:]))
    assert layout.text.count("Lamp\tStep\tDay") == 3


@pytest.mark.parametrize("said", ["(Continued)", "—(continued)", "(cont\u2019d)"])
def test_it_cuts_headings_that_are_said_again_at_the_top_of_a_page(said):
    first = "The works owe nothing on the lamps that they have bought from the yard by the"
    tops = [bold("Notes") + bold("Note 4 — Lamps") + p(first)]
    again = "".join(bold(f"{title} {said}") for title in ("Notes", "Note 4 — Lamps", "Leases", "Yards", "Terms"))
    listed = table(("(1)", f"Ways of counting the lamps that are lit {said}"))
    tops.append(again + listed + p("harbour, as said above."))
    layout = read_layout(document(*tops, *pages()))
    assert layout.text.startswith(f"Notes\n\nNote 4 — Lamps\n\n{first} harbour, as said above.")
    assert said not in layout.text


def test_it_cuts_a_heading_said_again_under_the_first_of_a_running_head():
    head = bold("LANTERN REPORT")
    first = "The works owe nothing on the lamps that they have bought from the yard by the"
    tops = [
        p(first),
        head + bold("Costs (continued)") + p("harbour, as said above."),
        *(head + one for one in pages()),
    ]
    layout = read_layout(document(*tops))
    assert "Costs" not in layout.text
    assert texts(layout).count("LANTERN REPORT") == 1


def test_it_keeps_a_sentence_that_ends_with_the_word_continued():
    layout = read_layout(document(p("Trade was good."), p("Demand for lamps continued.") + p("It grew."), *pages()))
    assert "Demand for lamps continued." in layout.text


def test_it_reads_the_number_of_a_page_between_hyphens():
    layout = read_layout(document(*(p(f"Page {word}.") + p(f"-{n}-") for n, word in enumerate(WORDS, 38))))
    assert [page.printed for page in layout.pages] == [str(number) for number in range(38, 50)]


@pytest.mark.parametrize("ornament", ["__________", "* * *", "—————", "."])
def test_it_leaves_out_rules_and_puts_a_lone_bullet_before_its_text(ornament):
    layout = read_layout(document(p("Before it.") + p(ornament) + p("•") + p("Brass lamps") + p("•") + p("Oil lamps")))
    assert texts(layout) == ["Before it.", "• Brass lamps", "• Oil lamps"]
    assert [block.kind for block in layout.blocks] == ["paragraph", "bullet", "bullet"]


@pytest.mark.parametrize(
    ("last", "first", "joined"),
    [
        ("• Sales of lamps rose in the year, less the effect of the small yards; developed", "regions fell.", True),
        (
            "• We sold the smallest of our yards on July 1, 2023. In October 2023, the Harbour Council",
            "Board asked us for it.",
            True,
        ),
        ("• A payment of nine coins for every share in the works was made in January 2024", "During 2022:", False),
        ("• Sales of lamps rose in the year, less the effect of the small yards.", "The yards fell.", False),
    ],
)
def test_an_entry_of_a_list_goes_on_over_the_page(last, first, joined):
    layout = read_layout(document(p(last) + p("4"), p(first) + p("5"), p("End.") + p("6")))
    assert (f"{last} {first}" in texts(layout)) is joined


@pytest.mark.parametrize(
    ("first", "joined"),
    [("categories. They are lamps.", True), ("respectively.", True), ("a. Lamps.", False), ("or", False)],
)
def test_a_sentence_broken_at_the_foot_of_a_column_is_whole(first, joined):
    last = "The lamps of the works that we sold in the year of this report were of ten product"
    assert (len(read_layout(document(p(last) + p(first))).blocks) == 1) is joined


def test_a_document_of_rules_alone_has_no_text():
    with pytest.raises(UnreadableText):
        read_layout(document(p("_____") + p("* * *")))
