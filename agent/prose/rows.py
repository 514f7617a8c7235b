"""Rows of tables that print a figure which is asked for: found by what they are called, and quoted, never computed with."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.prose.about import about, printed_row
from agent.prose.claims import Picked
from agent.prose.passages import passage
from agent.prose.section_text import SectionText
from agent.prose.units import texts
from agent.prose.weights import Asked, Term, asked
from agent.state import About, FilingRef, Target, Topic
from agent.words.stems import roots
from filings.models import Chunk, Section
from filings.tables.table import PrintedTable
from filings.tables.units import SCALE

# So many rows are quoted of one question.
MOST = 2
# Worth of a word of the question by where it stands: in the row's own label, in that of its group, above the table.
LABEL, GROUP, ABOVE = 1.0, 0.85, 0.7
# The least share of a label that the question must name: "Deferred membership fees, noncurrent" is another figure. Of a
# total less: the restaurants of a company are its "Total systemwide restaurants".
LEAST_NAMED, LEAST_NAMED_TOTAL = 0.6, 0.5
# A further row is nearly as good as the best.
NEARLY = 0.97

# Words that say how much is asked, and not of what.
COUNTING = roots("number count total amount figure size level many much quantity")
_COUNTED = roots("number count many")
_TOTAL = roots("total totals overall consolidated company worldwide")
# Words of a label that leave open what it is a label of.
PLAIN = _TOTAL | COUNTING | roots("ending end year period balance at of in the our net as fiscal december annual")

# The number of a footnote behind a label.
NOTE = re.compile(r"(?<=[a-z)])\s?\d{1,2}$|\(\w\)$")


@dataclass(frozen=True, slots=True)
class Row:
    """A row that may answer. worth: how well its name is the question's."""

    text: SectionText
    start: int
    end: int
    worth: float
    certain: bool  # whether the figure of the year asked is certain

    @property
    def label(self) -> str:
        """What it is called."""
        return self.text.text[self.start : self.end].split("\t")[0].lower()


def rows_of(target: Target, topic: Topic, filing: FilingRef) -> list[tuple[Picked, ...]]:
    """For each part of a question the rows of a filing's tables that are called as it asks, the best first."""
    read = texts(Section.objects.filter(filing=filing.filing).values_list("pk", flat=True))
    found = []
    for place, query in enumerate(topic.queries):
        best = best_rows(asked(query, filing.filing), roots(" ".join(query.words)), topic, filing, read.values())
        found.append(tuple(one for row in best if (one := picked(row, target, filing, place))))
    return found


def best_rows(
    told: Asked, words: frozenset[str], topic: Topic, filing: FilingRef, read: Iterable[SectionText]
) -> list[Row]:
    """The rows that one part of a question names, at most two. words: its own. read: all sections of the filing."""
    terms = [term for term in told.terms if term.root not in COUNTING]
    if not terms:
        return []
    kind = topic.amount or ("count" if _COUNTED & {term.root for term in told.terms} else "")
    found = sorted(
        (row for text in read for row in named_rows(text, terms, words, kind, filing)),
        key=lambda row: (-row.worth - 0.05 * row.certain, row.text.section.pk, row.start),
    )
    kept: list[Row] = []
    for row in found:
        if len(kept) == MOST or row.worth < NEARLY * found[0].worth:
            break
        # One label in several tables: the first, but a total is of what its table is of.
        if _is_total(roots(row.label)) or all(other.label != row.label for other in kept):
            kept.append(row)
    return kept


def named_rows(
    text: SectionText, terms: Sequence[Term], words: frozenset[str], kind: str, filing: FilingRef
) -> Iterator[Row]:
    """The rows of one section's tables in which every telling word of the question stands, or above them.

    words: of this part of the question, those too that weigh nothing. kind: of the number asked, as of agent.state.Topic. A table without headings may be of
    anything, as of pages.
    """
    wanted = {term.root for term in terms}
    for number, stored in enumerate(text.bounds.stored):
        if stored[0] != "table" or not wanted & roots(text.text[stored[1] : stored[2]]):
            continue
        table = PrintedTable(text.text, text.block(number))
        for place in range(table.header, len(table.rows)):
            figures = table.figures(place)
            if not any(letter.isdigit() for cell in figures for letter in cell.text) or not table.heads(place):
                continue
            label, (start, end) = NOTE.sub("", table.label(place)), table.range_of(place)
            own = roots(label)
            if not (wanted & own or _is_total(own)) or all("%" in cell.text for cell in figures):
                continue
            told = about(text, start, end)
            if not fits(kind, own, table.is_money(place), told):
                continue
            if (worth := named(own, told, terms, words)) is not None:
                row = printed_row(text, start, end, filing)
                yield Row(text, start, end, worth, bool(row and row.figure))


def _is_total(own: frozenset[str]) -> bool:
    return own <= PLAIN and bool(own & _TOTAL)


def named(own: frozenset[str], told: Sequence[About], terms: Sequence[Term], words: frozenset[str]) -> float | None:
    """How well a row is called as the question asks; None where it is called otherwise.

    own: words of its label. told: what it is about.
    """
    group = roots(" ".join(one.text for one in told if one.kind == "group"))
    above = roots(" ".join(one.text for one in told if one.kind in {"caption", "header"}))
    if not words - PLAIN <= own | group | above:
        return None
    worth = weight = 0.0
    for term in terms:
        best = max(LABEL * (term.root in own), GROUP * (term.root in group), ABOVE * (term.root in above))
        worth += term.weight * best
        weight += term.weight
    telling = own - PLAIN
    share = len(telling & words) / len(telling) if telling else 1.0
    if share < (LEAST_NAMED_TOTAL if own & _TOTAL else LEAST_NAMED):
        return None
    # A row of a group, or of a segment, is a part of the company's.
    part = 0.1 * bool(group and not own & _TOTAL) + 0.1 * any(
        "segment" in one.text.lower() for one in told if one.kind == "heading"
    )
    return worth / weight + 0.5 * share - part


def fits(kind: str, own: frozenset[str], money: bool, told: Sequence[About]) -> bool:
    """Whether the figures of a row are of the kind that is asked for."""
    if kind == "count":
        return not money or bool(own & _COUNTED)
    return kind != "money" or money or any(SCALE.search(one.text) for one in told if one.kind in {"caption", "header"})


def picked(row: Row, target: Target, filing: FilingRef, query: int) -> Picked | None:
    """A row as it is quoted, with the passage that holds it; None where none does."""
    section = row.text.section
    for chunk in Chunk.objects.filter(section=section.pk).order_by("pk"):
        if any(first <= row.start and row.end <= last for first, last in chunk.ranges):
            chunk.section = section
            headings = [one.text for one in about(row.text, row.start, row.end) if one.kind == "heading"]
            return Picked(
                passage(chunk, filing, target), row.start, row.end, query, row.worth,
                headings[-1][:500] if headings else "",
            )  # fmt: skip
    return None
