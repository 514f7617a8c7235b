"""Finds in the text of filings the tables that divide a figure by parts, where XBRL does not; they are quoted only."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from agent.numbers.registry import PeriodType, Registry
from agent.numbers.registry_schema import normalise
from agent.numbers.table import tabulate
from agent.numbers.table_text import places_said
from agent.prose.claims import claim
from agent.prose.divided_tables import Division, dividing_tables
from agent.prose.units import texts
from agent.query.word_classes import kinds_of_parts
from agent.refusals.codes import Code
from agent.refusals.grammar import listed, lower_first
from agent.state import Claim, FilingRef, Remark, RemarkCode, Target
from agent.state.query import Breakdown, Concept, Query, Row
from agent.state.tables import Cell, Table
from agent.steps.deps import Deps
from agent.steps.fetch import reference
from agent.words.stems import root, roots
from filings.models import Filing, Section
from filings.xbrl.periods import FiscalPeriod, Place

# Tables are looked for only for this many cells without a value.
MOST = 5
# Share of a measure's name that must appear above the table.
MOST_WORDS = 6
# A word for a kind of parts may begin another: geography, "Geographic Data".
LONG = 6


@dataclass(frozen=True, slots=True)
class Printed:
    """Tables found for a breakdown: the filings, the rows as claims, and a note for the reader."""

    filings: tuple[FilingRef, ...]
    claims: tuple[Claim, ...]
    remarks: tuple[Remark, ...]


def printed(target: Target, query: Query, table: Table, deps: Deps) -> Printed | None:
    """Finds printed tables for the years of one company that have no part of a breakdown in XBRL.

    None where no table certainly divides the figure of the year; or where the table's figures cannot be combined.
    """
    given = {(one.row, one.place) for one in table.asserted}
    divided = {number for number, row in enumerate(query.rows) if isinstance(row.measure, Breakdown)}
    cells = [one for one in table.cells if one.asked and not one.alternative and one.value is None]
    lacking = {(one.row, one.place): one for one in cells if one.row in divided and (one.row, one.place) not in given}
    if not lacking or len(query.companies) > 1 or len(lacking) > MOST or (table.asserted and not table.answered):
        return None
    wholes = _wholes(query, divided, deps)
    filings: dict[str, FilingRef] = {}
    claims: list[Claim] = []
    for cell in lacking.values():
        if found := _claim(target, query, cell, wholes, deps.registry, len(claims)):
            filings[found[0].accession] = found[0]
            claims.append(found[1])
    if not claims:
        return None
    told = [one for one in lacking.values() if one.accession in filings]
    what = listed(list(dict.fromkeys(_called(one, query) for one in told)))
    prints = "Its 10-K prints this table." if len(claims) == 1 else "Its 10-Ks print these tables."
    said = f"{target.company.called} reports no tagged {what} for {places_said(one.place for one in told)}. {prints}"
    remark = Remark(target=target.id, code=RemarkCode.PRINTED, text=said)
    return Printed(tuple(filings.values()), tuple(claims), (remark,))


def _called(cell: Cell, query: Query) -> str:
    """The measure of a cell in words: cost of revenue by segment."""
    measure = query.rows[cell.row].measure
    label = cell.label.removesuffix(f" of {cell.part}") if cell.part else cell.label
    by = f" by {measure.axis}" if isinstance(measure, Breakdown) else ""
    return lower_first(label.removesuffix(by)) + by


def _wholes(query: Query, divided: Iterable[int], deps: Deps) -> dict[tuple[int, Place], Decimal]:
    """The figures of the whole company that the rows of these numbers divide, by row and year."""
    numbers = sorted(divided)
    rows = tuple(Row(measure=one.of) for number in numbers if isinstance(one := query.rows[number].measure, Breakdown))
    made = tabulate(query.model_copy(update={"rows": rows, "operations": ()}), deps)
    return {(numbers[one.row], one.place): one.value for one in made.asserted if one.value is not None}


def division_of(whole: Decimal, measure: Breakdown, key: str, registry: Registry) -> Division:
    """How the tables that divide a figure are told from others. key: of its concept."""

    def kinds(said: str) -> frozenset[str]:
        words = roots(said)

        def names(word: str) -> bool:
            return root(word) in words or (len(word) >= LONG and any(one.startswith(root(word)) for one in words))

        return frozenset(kind for phrase, kind in kinds_of_parts().items() if all(map(names, phrase)))

    def is_measure(label: str) -> bool:
        named = {one for span in _spans(label) for one in registry.aliases.get(span, ())}
        return bool(named - {key}) or (bool(named) and measure.axis in kinds(label))

    return Division(whole, measure.axis, kinds, is_measure)


def _spans(said: str) -> Iterator[str]:
    """The phrases of two words or more in a text, as the registry writes names."""
    words = normalise(said).split()
    return (" ".join(words[at : at + size]) for size in range(2, MOST_WORDS + 1) for at in range(len(words)))


def _claim(
    target: Target,
    query: Query,
    cell: Cell,
    wholes: Mapping[tuple[int, Place], Decimal],
    registry: Registry,
    place: int,
) -> tuple[FilingRef, Claim] | None:
    """The table that a cell's 10-K prints, with the filing; None where it prints none."""
    measure, whole = query.rows[cell.row].measure, wholes.get((cell.row, cell.place))
    if whole is None or not isinstance(measure, Breakdown) or not isinstance(measure.of, Concept):
        return None
    absent = cell.gap is not None and cell.gap.code is Code.DIMENSIONAL_ONLY
    flow = registry.concepts[measure.of.key].period is PeriodType.DURATION
    if not absent or not flow or cell.fiscal_period is not FiscalPeriod.YEAR:
        return None
    filing = Filing.objects.filter(accession=cell.accession, chunks_stored__gt=0).first()
    held = reference(target, filing) if filing else None
    if held is None:
        return None
    read = texts(Section.objects.filter(filing=held.filing).values_list("pk", flat=True)).values()
    for rows in dividing_tables(read, division_of(whole, measure, measure.of.key, registry), held):
        if found := rows.picked(target, held, place):
            return held, claim(target, found, rows.text.section)
    return None
