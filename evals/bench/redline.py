"""Seconds of one core to compare 80 pages with 80 pages and to render the page: two years of one company, and of two companies.

The filings are those of the mirror beside the project, or, where there is none, those of the bundled sample. Nothing is
stored.
"""

import time
from collections.abc import Iterator

from evals import mirror

PAGES, CHARACTERS_A_PAGE = 80, 3_000
GOAL = 2.0
# (ticker, fiscal year) of the older and of the newer text.
COMPARED = (
    (("META", "2024"), ("META", "2025")),
    (("AMD", "2024"), ("AMD", "2025")),
    (("KO", "2023"), ("KO", "2024")),
    (("NVDA", "2024"), ("NVDA", "2025")),
    (("META", "2025"), ("AMD", "2025")),
)
# The sample calls its filings by the ends of their accessions and the years in which they were filed.
OF_SAMPLE = ((("000009", "2025"), ("000012", "2026")), (("000012", "2026"), ("000008", "2026")))


def measure() -> str:
    """The table of a run, as text."""
    return "\n".join(rows())


def rows() -> Iterator[str]:
    """A line for each pair, and the slowest of all."""
    yield f"{'':<24}{'pages':>12}{'changes':>9}{'comparing':>11}{'page':>7}   seconds of one core"
    slowest, pairs = 0.0, COMPARED if mirror.is_there() else OF_SAMPLE
    timed(*pairs[0])  # what is loaded once
    for older, newer in pairs:
        pages, changes, comparing, page = timed(older, newer)
        slowest = max(slowest, comparing + page)
        yield f"{' '.join(older)} {' '.join(newer):<12}{pages:>12}{changes:>9,}{comparing:>11.2f}{page:>7.2f}"
    yield f"redline: {PAGES} pages against {PAGES}, slowest {slowest:.2f} s (goal {GOAL:g})"


def timed(older: tuple[str, str], newer: tuple[str, str]) -> tuple[str, int, float, float]:
    """Pages of both texts, changes, and the seconds of the comparison and of its page."""
    from django.template.loader import render_to_string

    from agent.web.redline.comparison_view import shown
    from filings.models import Company, Filing, Section
    from filings.redline.comparison import compare

    sections = []
    for ticker, year in (older, newer):
        text, blocks = pages_of(ticker, year)
        filing = Filing(accession="0000000000-00-000000", fiscal_year=int(year), company=Company(cik=1))
        sections.append(Section(filing=filing, item="1A", text=text, blocks=blocks))
    started = time.process_time()
    comparison = compare(*sections)
    compared = time.process_time()
    told = shown(comparison)
    changes = [one.stretch.anchor for one in told if one.stretch.is_change]
    for one in told:
        render_to_string(
            "agent/_redline_stretch.html", {"shown": one, "changes": changes, "view": "side", "years": (1, 2)}
        )
    ended = time.process_time()
    pages = " / ".join(f"{len(one.text) / CHARACTERS_A_PAGE:.0f}" for one in sections)
    return pages, len(changes), compared - started, ended - compared


def pages_of(ticker: str, year: str) -> tuple[str, list[list[object]]]:
    """The text of a filing's sections in order, cut to the pages that are measured, with its stored blocks."""
    from filings.document.blocks import BLOCK_GAP, Block, stored_blocks
    from filings.sections import SourceDocument, read_sections

    text, blocks = "", list[Block]()
    for section in read_sections([SourceDocument(*one) for one in documents(ticker, year)]):
        text += BLOCK_GAP if text else ""
        blocks += (block.moved(len(text)) for block in section.blocks)
        text += section.text
    most = PAGES * CHARACTERS_A_PAGE
    kept = [block for block in blocks if block.end <= most]
    return text[: kept[-1].end], stored_blocks(kept)


def documents(ticker: str, year: str) -> list[tuple[str, str, bytes]]:
    """(filename, type, content) of the documents of a filing."""
    from evals.bench.text import of_sample

    if not mirror.is_there():
        return next(found for symbol, of, found in of_sample() if (symbol, str(of)) == (ticker, year))
    of = (ticker, year, "10-K")
    rows = (row for row in mirror.listed() if (row["ticker"], row["fiscal_year"], row["form"]) == of)
    return [mirror.document(next(rows))]
