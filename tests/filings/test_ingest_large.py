"""An annual report of forty megabytes through the whole ingestion: nothing lost, nothing doubled, nothing executed."""

import re
from collections.abc import Iterator
from itertools import count

import pytest
from django.test import Client

from filings.models import Chunk, Company, Section
from filings.search import active_indexes
from filings.search.index import Query
from filings.search.indexed_chunks import chunks_of
from tests.support.annual_report import BREAK, heading, prose
from tests.support.corpus import chunks as found
from tests.support.corpus import one
from tests.support.edgar import LocalEdgar, filer
from tests.support.ingestion import run
from tests.support.searchable import made_up

pytestmark = pytest.mark.soak

SIZE = 40_000_000
INTRODUCTION = "Each of these risks could harm our business.</p>"
SENTENCE = "Case {} of our ledger is that a widget came back, and we cannot say what it will cost us."
CASE = re.compile(SENTENCE.format(r"(\d+)").replace(".", r"\."))
LOT = re.compile(r"Lot (\d+)\t\$ (\d+)$", re.MULTILINE)
STYLE = "margin-top:6pt;text-indent:18pt;font-family:'Times New Roman',sans-serif;font-size:10pt;line-height:120%"
ACTIVE = (
    '<script>fetch("/evil?" + document.cookie)</script><span onclick="evil(1)" style="display:none">evil</span>'
    '<iframe src="https://evil.example/"></iframe><img src="x" onerror="evil(2)"/><svg onload="evil(3)"></svg>'
)


def pages(cases: Iterator[int], lots: Iterator[int]) -> Iterator[str]:
    """Pages without end: a heading, paragraphs of numbered cases and what a browser runs, a table of numbered lots."""
    for page in count(10):
        yield heading(f"Risk {page}: something else may fail us.")
        for _ in range(6):
            said = [SENTENCE.format(next(cases)) for _ in range(6)]
            yield f'<p style="{STYLE}">{said[0]} {ACTIVE} {" ".join(said[1:])}</p>'
        rows = [next(lots) for _ in range(12)]
        yield "<table>" + "".join(
            f'<tr style="background-color:#cceeff"><td style="{STYLE}">Lot {lot}</td>'
            f'<td style="{STYLE};text-align:right">$ {7 * lot}</td></tr>'
            for lot in rows
        )
        yield f"</table><p>{page}</p>{BREAK}"


def large() -> tuple[str, int, int]:
    """Items of an ordinary report with pages of forty megabytes among its risks, and how many cases and lots."""
    cases, lots = count(), count()
    made: list[str] = []
    size = 0
    for part in pages(cases, lots):
        made.append(part)
        size += len(part)
        if size > SIZE and part.endswith(BREAK):
            break
    return prose().replace(INTRODUCTION, INTRODUCTION + "".join(made)), next(cases), next(lots)


def told(texts: list[str]) -> tuple[list[int], list[tuple[int, int]]]:
    """The cases and the lots in texts, in order."""
    cases = [int(number) for text in texts for number in CASE.findall(text)]
    return cases, [(int(lot), int(amount)) for text in texts for lot, amount in LOT.findall(text)]


def uncovered(section: Section, chunks: list[Chunk]) -> str:
    """What of a section's text stands in no chunk."""
    gaps, at = [], 0
    for start, end in sorted(
        tuple(pair) for chunk in chunks if chunk.section_id == section.pk for pair in chunk.ranges
    ):
        gaps.append(section.text[at:start])
        at = max(at, end)
    return "".join([*gaps, section.text[at:]]).strip()


def test_of_forty_megabytes_nothing_is_lost_doubled_or_executed(
    edgar: LocalEdgar, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = filer(2024)
    made.reports[0].prose, cases, lots = large()
    made.publish(edgar)
    due = list(range(cases)), [(lot, 7 * lot) for lot in range(lots)]
    with made_up(monkeypatch):
        company, outcome = run(made)
        assert outcome.status == Company.Status.DONE, outcome.message
        filing = company.filings.get()
        assert (filing.document_status, filing.problem) == ("held", "")
        sections = list(filing.sections.exclude(text=""))
        assert told([section.text for section in sections]) == due
        chunks = chunks_of(filing)
        assert len(chunks) == filing.chunks_stored > 10_000
        assert told([chunk.text for chunk in chunks]) == due
        assert [uncovered(section, chunks) for section in sections] == [""] * len(sections)
        assert len({(chunk.section_id, str(chunk.ranges)) for chunk in chunks}) == len(chunks)
        assert not [section.label for section in sections if "evil" in section.text]
        # All of them are found, and a second ingestion adds none.
        (index,) = active_indexes.indexes()
        assert index.held()[filing.pk].partition(":")[0] == str(len(chunks))
        (last,) = [chunk.pk for chunk in chunks if SENTENCE.format(cases - 1) in chunk.text]
        assert last in found(one(index, Query(f"case {cases - 1}", filings=(filing.pk,))))
        run(made)
        assert filing.chunks.count() == len(chunks)
        largest = max(sections, key=lambda section: len(section.text))
        page = client.get(largest.get_absolute_url()).content.decode()
    assert SENTENCE.format(cases - 1) in page
    assert "evil" not in page
