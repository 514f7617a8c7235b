"""Chunks: every character in one, none over a border, tables whole by rows and readable alone."""

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from filings.models import Company, Filing
from filings.models.section import chunk_text
from filings.text.chunking import PARENT, REST, WINDOW, ParsedChunk, chunk
from filings.text.chunking.contextual import contextual_prefix, prefix, spoken, window_texts
from filings.text.chunking.word_pieces import AT_ONCE, LONGEST, batches, measure
from filings.text.embeddings import count_pieces
from tests.support.texts import Text

SENTENCE = "We buy the springs of our widgets from one supplier in Lindau and hold no contract with it."
LONG = "The springs and the gears and the wheels " * 80


@dataclass
class Part(Text):
    """A section to be chunked."""

    item: str = "7"


def texts(section: Part, chunks: list[ParsedChunk]) -> list[str]:
    return [chunk_text(section.text, [list(pair) for pair in one.ranges]) for one in chunks]


def check(section: Part) -> list[ParsedChunk]:
    """The chunks of a section, after all that must be true of any has been looked at."""
    chunks = chunk(section)
    assert chunk(section) == chunks
    held, embedded = set(), set()
    for one in chunks:
        assert one.item == section.item
        assert one.ranges
        assert one.windows
        for start, end in one.ranges:
            assert 0 <= start < end <= len(section.text)
            held.update(range(start, end))
        assert all(first[1] <= second[0] for first, second in pairwise(one.ranges))
        for window in one.windows:
            pieces = sum(count_pieces(section.text[start:end]) for start, end in window)
            assert 0 < pieces <= WINDOW + 2, (pieces, section.text[window[-1][0] : window[-1][1]])
            for start, end in window:
                assert any(first <= start < end <= last for first, last in one.ranges)
                embedded.update(range(start, end))
    ink = {at for at, letter in enumerate(section.text) if not letter.isspace()}
    assert ink <= held
    assert ink <= embedded
    return chunks


def prose(*paragraphs: str) -> Part:
    section = Part().page(1)
    for paragraph in paragraphs:
        section.paragraph(paragraph)
    return section


def test_short_prose_is_one_chunk_with_one_window() -> None:
    section = prose("None.")
    (one,) = check(section)
    assert (one.kind, one.ranges, one.windows, one.pieces) == ("prose", ((0, 5),), (((0, 5),),), 2)
    assert (one.page_first, one.page_last) == (1, 1)


def test_long_prose_is_split_between_paragraphs_into_parents_of_about_430_pieces() -> None:
    section = prose(*[f"{SENTENCE} {SENTENCE} {SENTENCE}"] * 30)
    chunks = check(section)
    assert all(200 <= one.pieces <= PARENT + REST for one in chunks[:-1])
    assert all(text.startswith("We buy") and text.endswith("it.") for text in texts(section, chunks))
    for one, text in zip(chunks, texts(section, chunks), strict=True):
        assert one.pieces == count_pieces(text)


def test_a_long_paragraph_is_split_between_sentences() -> None:
    section = prose(" ".join([SENTENCE] * 80))
    assert all(set(text.split(SENTENCE)) <= {"", " "} for text in texts(section, check(section)))


def test_windows_overlap_by_about_a_fifth_at_sentences() -> None:
    section = prose(" ".join([SENTENCE] * 20))
    windows = [window for one in check(section) for window in one.windows]
    assert len(windows) >= 2
    for one in check(section):
        for before, after in pairwise(one.windows):
            shared = count_pieces(section.text[after[0][0] : before[-1][1]])
            assert 0 < shared <= 2 * WINDOW // 5
        for window in one.windows:
            assert set(section.text[window[0][0] : window[0][1]].split(SENTENCE)) <= {"", " "}


@pytest.mark.parametrize("giant", [LONG * 3, "x" * 5000, "0.1.2." * 900, "springs," * 900])
def test_one_giant_sentence_still_works(giant: str) -> None:
    section = prose("Before.", giant.strip(), "After.")
    assert max(one.pieces for one in check(section)) <= PARENT + REST


def test_what_has_no_full_stop_is_measured_in_parts_between_words() -> None:
    section = prose((LONG * 20).strip(), "x" * (LONGEST + 5))
    words, letters = (block.units for block in measure(section.text, section.blocks, lambda: None))
    assert [unit.end - unit.start for unit in letters] == [LONGEST, 5]
    assert len(words) > 3
    for unit in words:
        assert LONGEST // 2 < unit.end - unit.start <= LONGEST or unit is words[-1]
        assert section.text[unit.end].isspace()
    check(section)


def test_texts_are_counted_some_at_a_time() -> None:
    lengths = [AT_ONCE // 2, AT_ONCE // 2, 1, 2 * AT_ONCE, 3]
    counted = [[len(text) for text in some] for some in batches(["x" * length for length in lengths])]
    assert counted == [lengths[:2], lengths[2:3], lengths[3:4], lengths[4:]]
    assert list(batches([])) == []


def test_a_sub_heading_begins_a_chunk_and_is_told() -> None:
    section = prose(" ".join([SENTENCE] * 12))
    section.heading("Springs", 2).paragraph(" ".join([SENTENCE] * 3)).heading("Steel", 3).paragraph(
        " ".join([SENTENCE] * 12)
    )
    section.heading("Gears", 2).paragraph(SENTENCE)
    chunks = check(section)
    told = {text.split("\n")[0]: one.headings for one, text in zip(chunks, texts(section, chunks), strict=True)}
    # Most of it stands under the inner heading.
    assert told["Springs"] == ("Springs", "Steel")
    assert told["Gears"] == ("Gears",)
    assert not any(text.endswith(("Springs", "Steel", "Gears")) for text in texts(section, chunks))


def test_the_items_own_heading_is_not_a_sub_heading() -> None:
    section = Part(item="1A").heading("Item 1A. Risk Factors", 1).heading("Supply", 2).paragraph(SENTENCE)
    (one,) = check(section)
    assert one.headings == ("Supply",)


def test_a_chunk_knows_its_pages() -> None:
    section = (
        Part().page(30).paragraph(" ".join([SENTENCE] * 15)).page(31).paragraph(" ".join([SENTENCE] * 40)).page(32)
    )
    chunks = check(section.paragraph(SENTENCE))
    assert [one.page_first for one in chunks] == sorted(one.page_first or 0 for one in chunks)
    assert chunks[0].page_first == 30
    assert chunks[-1].page_last == 32


def table(rows: int, caption: str = "The following table shows our sales (in millions):") -> Part:
    section = Part(item="8").page(50).paragraph(SENTENCE).heading("Note 5 - Sales by Region", 2)
    section.paragraph(caption)
    body = [(f"Region {place}", f"$ {place},204", f"({place}8)", "12 %", "—") for place in range(rows)]
    return section.table(("", "2024", "2023", "Change", "Note"), *body)


def test_a_small_table_is_one_chunk_with_caption_header_and_rows() -> None:
    section = table(4)
    chunks = check(section)
    assert [one.kind for one in chunks] == ["prose", "table"]
    lines = texts(section, chunks)[1].split("\n")
    assert lines[0] == "Note 5 - Sales by Region"
    assert "\t2024\t2023\tChange\tNote" in lines
    assert lines[-1] == "Region 3\t$ 3,204\t(38)\t12 %\t—"
    assert chunks[1].headings == ("Note 5 - Sales by Region",)
    assert len(chunks[1].ranges) == 3


def test_a_long_table_is_split_between_rows_with_the_header_in_each_part() -> None:
    section = table(120)
    parts = [one for one in check(section) if one.kind == "table"]
    assert len(parts) >= 4
    rows = []
    for one, text in zip(parts, texts(section, parts), strict=True):
        assert one.pieces <= PARENT
        assert "The following table shows our sales" in text
        assert "\t2024\t2023\tChange\tNote\n" in text
        start, end = one.ranges[-1]
        rows += section.text[start:end].split("\n")
        for window in one.windows:
            assert section.text[window[-1][0] : window[-1][1]].startswith("Region")
            assert section.text[window[0][0] : window[1][1]].endswith("Note")
    assert rows == [f"Region {place}\t$ {place},204\t({place}8)\t12 %\t—" for place in range(120)]


def test_one_giant_row_is_not_split_and_its_windows_are() -> None:
    section = Part().table(("Term", "Meaning"), ("short", "one"), ("long", LONG.strip()), ("last", "two"))
    chunks = check(section)
    holding = [text for text in texts(section, chunks) if LONG.strip() in text]
    assert len(holding) == 1
    assert len(next(one for one in chunks if one.pieces > PARENT).windows) > 1


def test_a_header_that_is_longer_than_the_rows_is_not_repeated() -> None:
    words = tuple("springs and gears and wheels " * 9 for _ in range(5))
    section = Part().table(words, *[("one", "two", "three", "four", "five")] * 150)
    chunks = check(section)
    assert sum("springs and gears" in text for text in texts(section, chunks)) == 1


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Consolidated Balance Sheets", "balance"),
        ("CONSOLIDATED STATEMENTS OF OPERATIONS", "income"),
        ("Consolidated Statements of Operations and Comprehensive Loss", "income"),
        ("Consolidated Statement of Comprehensive Income", "comprehensive"),
        ("Statements of Cash Flows", "cashflow"),
        ("Consolidated Statements of Changes in Shareholders\u2019 Equity", "equity"),
        ("Consolidated Statement of Redeemable Interests and Equity", "equity"),
        ("Statement of Financial Position", "balance"),
        ("Note 10 - Balance Sheet Components", ""),
        ("Notes to Consolidated Financial Statements", ""),
        ("See accompanying notes to the consolidated statements of income", ""),
        ("Consolidated Balance Sheets (Parenthetical)", ""),
    ],
)
def test_a_table_under_a_statements_title_is_that_statement(title: str, kind: str) -> None:
    section = Part(item="8").paragraph("WIDGETS INC.").heading(title, 2).paragraph("(in millions)")
    section.table(("", "2024"), ("One line", "5"), ("Another line", "6"))
    assert check(section)[-1].statement == kind


def test_a_statement_without_a_title_is_known_by_its_rows() -> None:
    lines = ["Cash", "Receivables", "Total current assets", "Plant", "Total assets", "Payables", "Debt",
             "Total liabilities", "Total shareholders' equity"]  # fmt: skip
    rows = [(line, "5", "6") for line in lines]
    assert [one.statement for one in check(Part(item="8").table(("", "2024", "2023"), *rows))] == ["balance"]
    assert [one.statement for one in check(Part(item="1").table(("", "2024", "2023"), *rows))] == [""]


def test_a_note_title_set_as_a_paragraph_is_a_heading() -> None:
    section = Part(item="8").paragraph("NOTE 5. INCOME TAXES").paragraph(SENTENCE)
    assert check(section)[-1].headings == ("NOTE 5. INCOME TAXES",)


BLOCKS = st.lists(
    st.tuples(st.sampled_from(["heading", "paragraph", "bullet"]), st.integers(1, 90), st.integers(1, 4))
    | st.tuples(st.just("table"), st.integers(1, 60), st.integers(0, 3)),
    min_size=1,
    max_size=14,
)


@given(BLOCKS, st.sampled_from(["1A", "7", "8", ""]), st.integers(1, 400))
@example([("heading", 22, 1), ("table", 16, 2)], "1A", 2)  # a caption and a header that take half of a window
@settings(max_examples=40, deadline=None)
def test_whatever_the_blocks_every_character_stands_in_a_chunk(
    blocks: list[tuple[str, int, int]], item: str, width: int
) -> None:
    section = Part(item=item).page(1)
    for kind, size, level in blocks:
        if kind == "table":
            rows = [(f"Row {row}", "$ 1,2", "word " * (width if row == 3 else 1)) for row in range(size)]
            section.table(*rows, header=min(level, size))
        else:
            words = " ".join(["Gears turn slowly."] * size) if level != 4 else "gear, " * size * 8
            section.add(kind, words.strip(), level if kind == "heading" else 0)
    check(section)


# --- the line of context ---


def test_the_line_of_context_tells_company_form_year_item_and_headings() -> None:
    line = prefix("MICROSOFT CORP", "MSFT", "10-K", 2024, "1A", ("Operations.", "Supply chain"))
    assert line == "Microsoft (MSFT) 10-K FY2024 — Item 1A Risk Factors: Operations: Supply chain: "
    assert prefix("Widgets", "", "10-K/A", None, "", ()) == "Widgets 10-K/A: "


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("NVIDIA CORP", "Nvidia"),
        ("Apple Inc.", "Apple"),
        ("Northwind Instruments, Inc. (fictional)", "Northwind Instruments"),
        ("JPMorgan Chase & Co", "JPMorgan Chase"),
        ("WELLS FARGO & COMPANY/MN", "Wells Fargo"),
        ("BMW", "BMW"),
        ("Company", "Company"),
    ],
)
def test_a_company_is_named_as_people_say_it(name: str, said: str) -> None:
    assert spoken(name) == said


def test_long_headings_are_cut_at_a_word() -> None:
    line = prefix("Widgets", "W", "10-K", 2024, "1A", (LONG,))
    assert len(line) < 250
    assert line.endswith("…: ")


def test_what_is_embedded_is_the_line_and_a_window_and_never_more_than_the_model_sees(db: None) -> None:
    section = table(60)
    company = Company.objects.create(cik=9_000_000_777, name="Tiny Widgets Inc.")
    company.tickers.create(symbol="TWTW")
    filing = Filing(company=company, form="10-K", fiscal_year=2024)
    for one in chunk(section):
        before = contextual_prefix(filing, one)
        found = window_texts(before, section.text, one.windows)
        assert len(found) == len(one.windows)
        for text in found:
            assert text.startswith("Tiny Widgets (TWTW) 10-K FY2024 — Item 8 Financial Statements: ")
            assert count_pieces(text) <= 256
