"""What a quotation is about: the filing's own words above it that are shown with it."""

from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest

from agent.prose.text.quotation_context import about, is_label, printed_row
from agent.prose.text.section_text import SectionText
from agent.state import FilingRef
from filings.document.blocks import BLOCK_GAP, Block, Cell, stored_blocks

FILING = FilingRef(
    target=0, filing=1, accession="a", form="10-K", filed=date(2025, 2, 20), fiscal_year=2024,
    period_end=date(2024, 12, 31), url="",
)  # fmt: skip
LOCKERS = (
    ["(in thousands)", "2024", "2023"],
    ["International:"],
    ["Japan", "310", "280"],
    ["Total lockers", "410", "385"],
)


@dataclass
class Frozen:
    """A section's frozen text with its blocks."""

    text: str
    blocks: list[Any] = field(default_factory=list)


def section(*parts: tuple[str, Any]) -> SectionText:
    """A section of ("##", heading of this level), ("p", paragraph), ("-", bullet) and ("|", rows with one header)."""
    text, blocks = "", []
    for kind, said in parts:
        text += BLOCK_GAP if text else ""
        start = len(text)
        if kind == "|":
            rows = []
            for number, cells in enumerate(said):
                text += "\n" if number else ""
                laid = []
                for place in range(max(map(len, said))):
                    text += "\t" if place else ""
                    cell = cells[place] if place < len(cells) else ""
                    laid.append(Cell(len(text), len(text) + len(cell)))
                    text += cell
                rows.append(tuple(laid))
            blocks.append(Block("table", start, len(text), header=1, rows=tuple(rows)))
            continue
        text += said
        name = {"p": "paragraph", "-": "bullet"}.get(kind, "heading")
        blocks.append(Block(name, start, len(text), len(kind) if name == "heading" else 0))  # type: ignore[arg-type]
    return SectionText(Frozen(text, stored_blocks(blocks)))  # type: ignore[arg-type]


def told(text: SectionText, quote: str) -> list[tuple[str, str]]:
    start = text.text.index(quote)
    found = about(text, start, start + len(quote))
    assert all(text.text[one.start : one.end] == one.text for one in found)
    return [(one.kind, one.text) for one in found]


def test_a_sentence_of_a_segment_has_the_headings_that_name_it():
    text = section(
        ("#", "Item 7. Discussion"), ("##", "Results"), ("###", "Lockers"), ("p", "Sales rose."),
        ("###", "Grid"), ("####", "Costs"), ("p", "Costs fell by a tenth."),
    )  # fmt: skip
    assert told(text, "Costs fell by a tenth.") == [("heading", "Results"), ("heading", "Grid"), ("heading", "Costs")]
    assert told(text, "Sales rose.") == [("heading", "Results"), ("heading", "Lockers")]


def test_a_sentence_has_the_label_its_paragraph_runs_in_with():
    text = section(("p", "Exchange rates. We earn in euro. A weak euro lowers sales."))
    assert told(text, "A weak euro lowers sales.") == [("label", "Exchange rates.")]
    assert told(text, "Exchange rates. We earn in euro.") == []


@pytest.mark.parametrize("said", ["Services.", "Foreign Exchange.", "Grid:", "Lockers and kiosks \u2013"])
def test_labels_name(said):
    assert is_label(said)


@pytest.mark.parametrize(
    "said", ["We rent lockers.", "Prices rose.", "no label.", "Costs", "This has happened before."]
)
def test_sentences_are_no_labels(said):
    assert not is_label(said)


def test_a_sentence_that_refers_back_has_what_it_refers_to():
    text = section(("p", "Orders fell by a third. It was a mild winter."), ("p", "This decrease was felt in Duluth."))
    assert told(text, "This decrease was felt in Duluth.") == [
        ("before", "Orders fell by a third. It was a mild winter.")
    ]
    # Quoted together, nothing is missing.
    assert told(text, "Orders fell by a third. It was a mild winter.") == []


def test_what_a_heading_parts_is_not_referred_to():
    text = section(("p", "Orders fell."), ("##", "Costs"), ("p", "This decrease was felt in Duluth."))
    assert told(text, "This decrease was felt in Duluth.") == [("heading", "Costs")]


def test_a_point_of_a_list_has_the_words_that_open_it():
    text = section(("p", "We lost orders to:"), ("-", "\u2022 larger rivals; and"), ("-", "\u2022 kiosks."))
    assert told(text, "\u2022 kiosks.") == [("lead", "We lost orders to:")]


def test_a_row_has_its_caption_headings_and_group():
    text = section(("##", "Lockers"), ("p", "We count them. Lockers by country were:"), ("|", LOCKERS))
    assert told(text, "Japan\t310\t280") == [
        ("heading", "Lockers"),
        ("caption", "Lockers by country were:"),
        ("header", "(in thousands)\t2024\t2023"),
        ("group", "International:"),
    ]
    assert ("group", "International:") in told(text, "Total lockers\t410\t385")


def test_a_unit_above_a_table_stands_with_its_title():
    text = section(("p", "We sell in two ways."), ("p", "Lockers by country"), ("p", "(in thousands)"), ("|", LOCKERS))
    assert [one for one in told(text, "Japan\t310\t280") if one[0] == "caption"] == [
        ("caption", "Lockers by country"), ("caption", "(in thousands)"),
    ]  # fmt: skip


def row_of(text: SectionText, quote: str, filing: FilingRef | None = FILING) -> Any:
    start = text.text.index(quote)
    return printed_row(text, start, start + len(quote), filing)


def test_a_row_stands_below_its_headings_with_the_figure_of_the_year():
    row = row_of(section(("|", LOCKERS)), "Japan\t310\t280")
    assert (row.figure, row.column, row.place, row.header) == ("310", "2024", 1, 1)
    assert [cell for cell, _ in row.rows[-1]] == ["Japan", "310", "280"]


def test_of_several_rows_or_another_year_no_figure_is_chosen():
    text = section(("|", LOCKERS))
    assert row_of(text, "Japan\t310\t280\nTotal lockers\t410\t385").figure == ""
    later = FILING.model_copy(update={"fiscal_year": 2025, "period_end": date(2025, 12, 31)})
    assert row_of(text, "Japan\t310\t280", later).figure == ""
    assert row_of(text, "Japan\t310\t280", None).figure == ""


def test_a_row_whose_figures_have_no_headings_is_not_set_below_any():
    short = section(("|", (["", "2024"], ["Japan", "310", "280"])))
    assert row_of(short, "Japan\t310\t280") is None
    assert row_of(section(("p", "Japan has 310.")), "Japan has 310.") is None
