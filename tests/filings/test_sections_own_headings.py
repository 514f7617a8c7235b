"""Documents without a form are divided at their own headings, into a sane number of sections that leave nothing out."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from filings.document.layout import read_layout
from filings.sections import ParsedSection, SourceDocument, read_sections
from filings.sections.own_headings import MOST_SECTIONS, ranges_of
from filings.text.chunking import chunk
from tests.support.lantern import document, p, prose, table


def styled(text: str, points: int) -> str:
    return f'<p><span style="font-weight:700;font-size:{points}pt">{text}</span></p>'


def read(content: bytes) -> tuple[ParsedSection, ...]:
    return read_sections([SourceDocument("lantern-proxy.htm", "DEF 14A", content)], "headings")


def proxy() -> bytes:
    """A proxy statement: great titles, smaller ones below, and one part too long to stay whole."""
    parts = [p("LANTERN WORKS LIMITED"), p("Notice of the meeting of shareholders in Lowfield.")]
    for title in ("Election of Directors", "Executive Compensation", "Security Ownership", "Other Matters"):
        parts.append(styled(title, 20))
        long = title == "Executive Compensation"
        for below in ("Overview", "Particulars", "Tables"):
            parts += [styled(f"{title}: {below}", 14), prose(f"{title} {below}".lower(), 15_000 if long else 1_700)]
    return document(*parts)


def test_sections_begin_at_the_highest_headings_and_long_ones_are_cut_at_those_below() -> None:
    found = read(proxy())
    assert [section.heading for section in found] == [
        "LANTERN WORKS LIMITED",
        "Election of Directors",
        "Executive Compensation",
        "Executive Compensation: Particulars",
        "Executive Compensation: Tables",
        "Security Ownership",
        "Other Matters",
    ]
    assert {(section.item, section.status) for section in found} == {("", "unverified")}


def test_the_headings_of_a_section_are_headings_of_its_chunks() -> None:
    section = next(section for section in read(proxy()) if section.heading == "Security Ownership")
    headings = {made.headings for made in chunk(section)}
    assert ("Security Ownership", "Security Ownership: Particulars") in headings


def test_a_short_part_stays_with_what_precedes_it() -> None:
    content = document(
        styled("Pay", 20) + prose("pay", 5_000),
        styled("Note", 20) + p("A short note."),
        styled("Votes", 20) + prose("votes", 5_000),
    )
    assert [section.heading for section in read(content)] == ["Pay", "Votes"]


def test_a_title_alone_stands_above_what_follows() -> None:
    content = document(styled("Proposals", 20), styled("First proposal", 20) + prose("the first", 5_000))
    (section,) = read(content)
    assert section.heading == "Proposals"
    assert "First proposal" in section.text


def test_a_document_without_headings_is_one_section() -> None:
    (section,) = read(document(prose("the harbour", 60_000)))
    assert (section.heading, section.item) == ("", "")


def test_each_document_of_several_is_divided() -> None:
    documents = [
        SourceDocument(
            f"{n}.htm", "40-F" if n == 1 else "EX-99.1", document(styled(f"Part {n}", 20) + prose("it", 3_000))
        )
        for n in (1, 2)
    ]
    assert [section.filename for section in read_sections(documents, "foreign")] == ["1.htm", "2.htm"]


PART = st.one_of(
    st.builds(styled, st.sampled_from(["Pay", "Votes", "The Board of Directors"]), st.sampled_from([10, 14, 20])),
    st.builds(prose, st.just("lanterns"), st.integers(10, 9_000)),
    st.just(table(("Name", "Pay"), ("Ada", "12"), ("Bo", "11"))),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PART, min_size=1, max_size=120))
def test_nothing_is_left_out_or_twice_and_sections_are_few(parts: list[str]) -> None:
    layout = read_layout(document("".join(parts)))
    ranges = ranges_of(layout)
    assert len(ranges) <= 2 * MOST_SECTIONS
    assert all(one[1] <= other[0] for one, other in pairwise(ranges))
    kept = "".join(layout.text[start:end] for start, end in ranges)
    assert "".join(kept.split()) == "".join(layout.text.split())
