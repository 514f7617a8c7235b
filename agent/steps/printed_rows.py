"""Finds table rows in the filing's text for parts of a company that XBRL does not report; they are quoted only."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from agent.numbers.registry import PeriodType, Registry
from agent.numbers.registry_schema import normalise
from agent.numbers.row_labels import Fit
from agent.numbers.table import tabulate
from agent.numbers.table_text import places_said
from agent.prose.claims import claim
from agent.prose.divided_tables import Division, dividing_tables
from agent.prose.part_rows import PartRows
from agent.prose.rows import Row as PrintedRows
from agent.prose.rows import picked
from agent.prose.units import texts
from agent.query.word_classes import kinds_of_parts
from agent.refusals.codes import Code
from agent.refusals.grammar import listed, lower_first
from agent.state import Claim, FilingRef, Remark, RemarkCode, Target
from agent.state.query import Breakdown, Concept, Member, Query, Row
from agent.state.tables import Cell, Table
from agent.steps.deps import Deps
from agent.steps.fetch import reference
from agent.words.stems import root, roots
from filings.models import Filing, Section
from filings.xbrl.periods import FiscalPeriod, Place

# Rows are looked for only for this many cells without a value.
MOST = 5
# Share of a measure's name that must appear above the table.
MOST_WORDS = 6
# A word for a kind of parts may begin another: geography, "Geographic Data".
LONG = 6


@dataclass(frozen=True, slots=True)
class Printed:
    """Rows found for a part of a company: the filings, the rows as claims, and a note for the reader."""

    filings: tuple[FilingRef, ...]
    claims: tuple[Claim, ...]
    remarks: tuple[Remark, ...]


def printed(target: Target, query: Query, table: Table, deps: Deps) -> Printed | None:
    """Finds printed rows for the years of one company that have no value in XBRL.

    None where no row is certainly that of the part, measure and year; or where the table's figures cannot be combined.
    """
    cells = [one for one in table.cells if one.asked and not one.alternative and one.value is None]
    # Of a breakdown, a table is looked for in years without any part.
    given = {(one.row, one.place) for one in table.asserted}
    divided = {number for number, row in enumerate(query.rows) if isinstance(row.measure, Breakdown)}
    lacking = {(one.row, one.place): one for one in cells if one.row in divided and (one.row, one.place) not in given}
    cells = [*(one for one in cells if one.row not in divided), *lacking.values()]
    if len(query.companies) > 1 or len(cells) > MOST or (table.asserted and not table.answered):
        return None
    wholes = _wholes(query, divided, deps) if lacking else {}
    filings: dict[str, FilingRef] = {}
    claims: list[Claim] = []
    said: dict[str, None] = {}
    for cell in cells:
        found = _claim(target, query, cell, wholes, deps.registry, len(claims))
        if found:
            held, row = found
            filings[held.accession] = held
            claims.append(row)
        why = [cell.gap.text] if cell.gap else []
        said[" ".join([*why, *(["Its 10-K prints this row."] if found else [])])] = None
    if table.answered or lacking:  # a gap in a table is explained below it
        told = [one for one in cells if one.accession in filings]
        what = listed(list(dict.fromkeys(_called(one, query) for one in told)))
        when = places_said(one.place for one in told)
        kind = "table" if lacking else "row"
        prints = f"Its 10-K prints this {kind}." if len(claims) == 1 else f"Its 10-Ks print these {kind}s."
        said = {f"{target.company.called} reports no tagged {what} for {when}. {prints}": None}
    remarks = tuple(Remark(target=target.id, code=RemarkCode.PRINTED, text=one) for one in said)
    return Printed(tuple(filings.values()), tuple(claims), remarks) if claims else None


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
    """The row or table that a cell's 10-K prints, with the filing; None where it prints none."""
    measure = query.rows[cell.row].measure
    if not isinstance(measure, Member | Breakdown) or not isinstance(measure.of, Concept):
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
    rows: list[PrintedRows]
    if isinstance(measure, Member):
        rows = part_rows(measure.label, measure.of.key, held, registry).found(read)
    else:
        whole = wholes.get((cell.row, cell.place))
        division = division_of(whole, measure, measure.of.key, registry) if whole else None
        rows = dividing_tables(read, division, held) if division else []
    for row in rows:
        if found := picked(row, target, held, place):
            return held, claim(target, found, row.text.section)
    return None


def part_rows(part: str, key: str, filing: FilingRef, registry: Registry) -> PartRows:
    """How to find the rows of a part's measure in a filing. key: of a concept."""
    concept = registry.concepts[key]

    def is_of_another(said: str) -> bool:
        named = {one for span in _spans(said) for one in registry.aliases.get(span, ())}
        return bool(named) and key not in named

    return PartRows(
        part,
        (concept.label, *concept.aliases),
        filing,
        is_of_whole=lambda label: concept.fit(label) is Fit.ACCEPTED,
        is_of_another=is_of_another,
    )
