"""Rows of tables that print a figure of a part of a company which no fact holds: quoted as printed, never computed with."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agent.numbers.registry import Concept, PeriodType, Registry
from agent.prose.about import about, printed_row
from agent.prose.claims import claim
from agent.prose.rows import NOTE, PLAIN, Row, named_rows, picked
from agent.prose.section_text import SectionText
from agent.prose.units import texts
from agent.prose.weights import asked
from agent.refusals.codes import Code
from agent.state import Claim, FilingRef, Remark, RemarkCode, Target
from agent.state.planned import SubQuery
from agent.state.query import Concept as OfConcept
from agent.state.query import Member, Query
from agent.state.tables import Cell, Table
from agent.words.roots import roots
from filings.models import Filing, Section
from filings.xbrl.periods import FiscalPeriod

# Of so many cells rows are looked for.
MOST = 5
# The unit of a table, and years.
_ASIDE = re.compile(r"\([^()]*\)|\d+")
# What companies divide their figures by, and what says above a table that it does.
_DIVIDED = roots(
    "by segment product category region geography geographic area line reportable operating business division of "
    "from and the in company information data following table presents shows sets forth summarizes summary compares "
    "details below our for with dollars millions thousands"
)


@dataclass(frozen=True, slots=True)
class Printed:
    """What the filings of a target print of a part: the filings, the rows as claims, and what is to be said of them."""

    filings: tuple[FilingRef, ...]
    claims: tuple[Claim, ...]
    remarks: tuple[Remark, ...]


def printed(target: Target, query: Query, table: Table, registry: Registry) -> Printed | None:
    """The rows in which 10-Ks print what no fact holds: of a table of one company without a value.

    None where no row is surely that of the part, of the measure and of the year.
    """
    cells = [one for one in table.cells if one.asked and not one.alternative]
    if len(query.companies) > 1 or len(cells) > MOST:
        return None
    filings: dict[str, FilingRef] = {}
    claims: list[Claim] = []
    said: list[str] = []
    for cell in cells:
        filing = reference(target, cell) if _is_of_part(cell, query, registry) else None
        if filing is None or (found := _claim(target, query, cell, filing, registry, len(claims))) is None:
            said += [cell.gap.text] if cell.gap else []
            continue
        filings[filing.accession] = filing
        claims.append(found)
        said += [f"{cell.gap.text} Its 10-K prints this row."] if cell.gap else []
    remarks = tuple(Remark(target=target.id, code=RemarkCode.PRINTED, text=one) for one in dict.fromkeys(said))
    return Printed(tuple(filings.values()), tuple(claims), remarks) if claims else None


def _is_of_part(cell: Cell, query: Query, registry: Registry) -> bool:
    measure = query.rows[cell.row].measure
    return (
        cell.gap is not None
        and cell.gap.code is Code.DIMENSIONAL_ONLY
        and cell.fiscal_period is FiscalPeriod.YEAR
        and isinstance(measure, Member)
        and isinstance(measure.of, OfConcept)
        and registry.concepts[measure.of.key].period is PeriodType.DURATION
    )


def reference(target: Target, cell: Cell) -> FilingRef | None:
    """The 10-K of a cell; None where its text is not held."""
    filing = Filing.objects.filter(accession=cell.accession).first()
    if filing is None or not filing.chunks_stored or cell.fiscal_year is None or filing.period_end is None:
        return None
    return FilingRef(
        target=target.id,
        filing=filing.pk,
        accession=filing.accession,
        form=filing.form,
        filed=filing.filed,
        fiscal_year=cell.fiscal_year,
        period_end=filing.period_end,
        url=filing.url,
    )


def _claim(
    target: Target, query: Query, cell: Cell, filing: FilingRef, registry: Registry, place: int
) -> Claim | None:
    measure = query.rows[cell.row].measure
    if not isinstance(measure, Member) or not isinstance(measure.of, OfConcept):
        return None
    read = texts(Section.objects.filter(filing=filing.filing).values_list("pk", flat=True))
    for row in rows_of_part(measure.label, registry.concepts[measure.of.key], filing, read.values()):
        if found := picked(row, target, filing, place):
            return claim(target, found, row.text.section)
    return None


def rows_of_part(part: str, measure: Concept, filing: FilingRef, read: Iterable[SectionText]) -> list[Row]:
    """The rows in which the tables of a filing print a measure of a part for its own year; none where two differ.

    part: as the company calls it. read: all sections of the filing.
    """
    found = [row for text in read for row in _rows(part, measure, filing, text)]
    figures = {_digits(told.figure) for row in found if (told := printed_row(row.text, row.start, row.end, filing))}
    return sorted(found, key=lambda row: -row.worth) if len(figures) == 1 else []


def _rows(part: str, measure: Concept, filing: FilingRef, text: SectionText) -> Iterator[Row]:
    seen: set[tuple[int, int]] = set()
    stands = text.text.lower()
    for name in names_of(measure):
        words = f"{part} {name}".split()
        if not all(word.lower()[:4] in stands for word in words):
            continue
        own = roots(" ".join(words))
        query = SubQuery(label=" ".join(words), words=tuple(words))
        for row in named_rows(text, asked(query, filing.filing).terms, own, "money", filing):
            if row.certain and (row.start, row.end) not in seen and _is_all(row, own):
                seen.add((row.start, row.end))
                yield row


def names_of(measure: Concept) -> list[str]:
    """What a measure is called, each time by other words: revenue, sales; not those that hold all words of another."""
    found: dict[frozenset[str], str] = {}
    for name in (measure.label, *measure.aliases):
        found.setdefault(roots(name) - PLAIN, name)
    return [name for words, name in found.items() if words and not any(other < words for other in found if other)]


def _is_all(row: Row, own: frozenset[str]) -> bool:
    """Whether nothing in the name of the row makes it another figure: "Unit sales by product".

    Nor in what stands above the table, where the part or the measure stands there alone: it may name several.
    """
    told = about(row.text, row.start, row.end)
    beside = [NOTE.sub("", row.label), *(one.text for one in told if one.kind == "group")]
    heads = [one.text for one in told if one.kind == "header"]
    above = [_ASIDE.sub(" ", one.text) for one in told if one.kind == "caption"]
    named = roots(" ".join((*beside, *heads)))
    more = beside if own - PLAIN <= named else [*beside, *above]
    return not roots(" ".join(more)) - PLAIN - own - _DIVIDED


def _digits(figure: str) -> str:
    return "".join(letter for letter in figure if letter.isdigit() or letter in "(-.")
