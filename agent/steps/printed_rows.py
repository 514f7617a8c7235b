"""Finds table rows in the filing's text for a part of a company that XBRL does not report; they are quoted only."""

from dataclasses import dataclass

from agent.numbers.registry import PeriodType, Registry
from agent.numbers.registry_schema import normalise
from agent.numbers.row_labels import Fit
from agent.numbers.table_text import places_said
from agent.prose.claims import claim
from agent.prose.part_rows import PartRows
from agent.prose.rows import picked
from agent.prose.units import texts
from agent.refusals.codes import Code
from agent.refusals.grammar import listed, lower_first
from agent.state import Claim, FilingRef, Remark, RemarkCode, Target
from agent.state.query import Concept, Member, Query
from agent.state.tables import Cell, Table
from agent.steps.fetch import reference
from filings.models import Filing, Section
from filings.xbrl.periods import FiscalPeriod

# Rows are looked for only for this many cells without a value.
MOST = 5
# Share of a measure's name that must appear above the table.
MOST_WORDS = 6


@dataclass(frozen=True, slots=True)
class Printed:
    """Rows found for a part of a company: the filings, the rows as claims, and a note for the reader."""

    filings: tuple[FilingRef, ...]
    claims: tuple[Claim, ...]
    remarks: tuple[Remark, ...]


def printed(target: Target, query: Query, table: Table, registry: Registry) -> Printed | None:
    """Finds printed rows for the years of one company that have no value in XBRL.

    None where no row is certainly that of the part, measure and year; or where the table's figures cannot be combined.
    """
    cells = [one for one in table.cells if one.asked and not one.alternative and one.value is None]
    if len(query.companies) > 1 or len(cells) > MOST or (table.asserted and not table.answered):
        return None
    filings: dict[str, FilingRef] = {}
    claims: list[Claim] = []
    said: dict[str, None] = {}
    for cell in cells:
        found = _claim(target, query, cell, registry, len(claims))
        if found:
            held, row = found
            filings[held.accession] = held
            claims.append(row)
        why = [cell.gap.text] if cell.gap else []
        said[" ".join([*why, *(["Its 10-K prints this row."] if found else [])])] = None
    if table.answered:  # a gap in a table is explained below it
        told = [one for one in cells if one.accession in filings]
        what = listed(list(dict.fromkeys(lower_first(one.label) for one in told)))
        when = places_said(one.place for one in told)
        prints = "Its 10-K prints this row." if len(claims) == 1 else "Its 10-Ks print these rows."
        said = {f"{target.company.called} reports no tagged {what} for {when}. {prints}": None}
    remarks = tuple(Remark(target=target.id, code=RemarkCode.PRINTED, text=one) for one in said)
    return Printed(tuple(filings.values()), tuple(claims), remarks) if claims else None


def _claim(target: Target, query: Query, cell: Cell, registry: Registry, place: int) -> tuple[FilingRef, Claim] | None:
    """The row that a cell's 10-K prints, with the filing; None where it prints none."""
    measure = query.rows[cell.row].measure
    if not isinstance(measure, Member) or not isinstance(measure.of, Concept):
        return None
    absent = cell.gap is not None and cell.gap.code is Code.DIMENSIONAL_ONLY
    flow = registry.concepts[measure.of.key].period is PeriodType.DURATION
    if not absent or not flow or cell.fiscal_period is not FiscalPeriod.YEAR:
        return None
    filing = Filing.objects.filter(accession=cell.accession, chunks_stored__gt=0).first()
    held = reference(target, filing) if filing else None
    if held is None:
        return None
    read = texts(Section.objects.filter(filing=held.filing).values_list("pk", flat=True))
    for row in part_rows(measure.label, measure.of.key, held, registry).found(read.values()):
        if found := picked(row, target, held, place):
            return held, claim(target, found, row.text.section)
    return None


def part_rows(part: str, key: str, filing: FilingRef, registry: Registry) -> PartRows:
    """How to find the rows of a part's measure in a filing. key: of a concept."""
    concept = registry.concepts[key]

    def is_of_another(said: str) -> bool:
        words = normalise(said).split()
        spans = (" ".join(words[at : at + size]) for size in range(2, MOST_WORDS + 1) for at in range(len(words)))
        named = {one for span in spans for one in registry.aliases.get(span, ())}
        return bool(named) and key not in named

    return PartRows(
        part,
        (concept.label, *concept.aliases),
        filing,
        is_of_whole=lambda label: concept.fit(label) is Fit.ACCEPTED,
        is_of_another=is_of_another,
    )
