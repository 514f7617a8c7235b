"""Figures that no known measure is, as the documents asked print them: a table, where each is certainly what is asked for."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from agent.numbers.cells.row_expressions import AS_COMPANIES_PRINT
from agent.numbers.facts.cited_facts import reference
from agent.numbers.facts.render import shown
from agent.numbers.printed.printed_figures import PrintedFigure, Wanted, printed_figures
from agent.numbers.printed.printed_finder import days_of, key_of
from agent.numbers.printed.printed_rows import folded
from agent.numbers.registry.registry import load
from agent.numbers.tables.table import tabulate
from agent.query.words.lexicon import lexicon_of
from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.refusals.grammar import capitalized
from agent.state import Period, PeriodForm, Query, Refusal, Target
from agent.state.measure_operands import leaves
from agent.state.query import Concept, Metric, Printed, Row, Years
from agent.state.question_words import Role
from agent.state.references import RelativePeriod
from agent.state.tables import Cell, Table
from agent.steps.deps import Deps
from agent.steps.fetch import closed, held, resolve
from agent.steps.following_documents import followers
from agent.steps.targets import targets_of
from agent.words.printed_words import said
from agent.words.stems import STOP, roots
from agent.words.tokens import Token, tokenise
from filings.models import Filing
from filings.models.source_kinds import ANNUAL
from filings.tables.column_periods import years_later
from filings.xbrl.periods import A_YEAR, FiscalPeriod

# What is refused as a figure of no known measure.
_UNKNOWN = frozenset(
    {Code.CONCEPT_UNKNOWN, Code.NON_GAAP, Code.NOT_UNDERSTOOD, Code.INTERIM_PERIOD, Code.DIMENSIONAL_ONLY}
)
_LAST_QUARTER = 4
# Parts of a year by the periods that end where a document does.
_RELATIVE: dict[object, FiscalPeriod] = {
    RelativePeriod.HALF: FiscalPeriod.H1,
    RelativePeriod.NINE_MONTHS: FiscalPeriod.NINE_MONTHS,
}
_QUARTERLY = frozenset({RelativePeriod.QUARTER, RelativePeriod.TEN_Q, RelativePeriod.DAY})
_NUMBER = re.compile(r"[\d%/*+]")
_COUNTED = roots("many number")


def is_unknown(half: Query | Misread) -> bool:
    """Whether a half asks for a figure of no known measure."""
    return any(_told(half))


def is_given(half: Query | Misread, deps: Deps) -> bool:
    """Whether a half asks for figures that documents print, and these are given."""
    if not isinstance(half, Query) or half.is_nearest:
        return False
    printed = any(isinstance(one, Printed) for row in half.rows for one in leaves(row.measure))
    return printed and tabulate(half, deps).answered


def as_printed(half: Query | Misread, deps: Deps) -> Query | Misread:
    """A half that asks for a figure of no known measure as a query for what documents print; as it is where none does."""
    for query in _told(half):
        asked = printed_asked(query)
        if asked is not None and printed_table(asked, deps) is not None:
            return asked
    return half


def _told(half: Query | Misread) -> Iterator[Query]:
    """What the text is asked in place of a figure."""
    if isinstance(half, Query):
        if half.unheld and not half.rows:
            yield half
    elif half.code in _UNKNOWN and not (half.text or half.rows):
        yield from filter(None, (half.sourced, half.told))


def printed_asked(query: Query) -> Query | None:
    """A question for text as one for the figure that its words name; None where they name several, or nothing."""
    topic = query.topics[0] if len(query.topics) == 1 and not query.particulars else None
    if topic is None or topic.whole or topic.newest or len(topic.queries) != 1 or _is_computed(topic.text):
        return None
    if not _is_of_one_period(query):
        return None
    around = frozenset(said("asking").split())
    tokens = [one for one in tokenise(topic.text) if one.base not in around or (one.upper and len(one.text) > 1)]
    tokens = _without_repeats(tokens)
    if any(one.base in STOP for one in tokens):
        return None  # "not", "other", "own", "US": a name of a figure never drops these
    told = [topic.text[one.start : one.end] for one in tokens]
    unit = "count" if topic.amount == "count" or _COUNTED & roots(topic.text) else ""
    row = Row(measure=Printed(words=" ".join(told), unit=unit), text=" ".join(told))
    return query.model_copy(update={"rows": (row,), "unheld": ()}) if told else None


def _without_repeats(tokens: Sequence[Token]) -> list[Token]:
    """The words of a name without those that say "adjusted" again beside it: "adjusted non-GAAP EBITDA"."""
    adjusting = [one for one in tokens if any(match.has("non_gaap") for match in lexicon_of(load()).matches([one]))]
    again = [one for one in adjusting if one.base in said("again").split()]
    return [one for one in tokens if one not in again or len(again) == len(adjusting)]


def _is_of_one_period(query: Query) -> bool:
    """Whether every period that is named is one of those asked: "in July, and at the end of the year before" is of two."""
    if not isinstance(query.periods, Years):
        return False
    asked = folded(" ".join(one.text for one in query.periods.periods))
    named = folded(" ".join(word.text for word in query.words if word.role is Role.PERIOD))
    return named - {"fiscal", "year", "quarter"} <= asked


def _is_computed(asked: str) -> bool:
    """Whether a figure is asked that is made of others: a share, a growth, a formula."""
    tokens = tokenise(asked)
    return any(one.has("operation") for one in lexicon_of(load()).matches(tokens)) or bool(_NUMBER.search(asked))


def printed_table(query: Query, deps: Deps) -> Table | None:
    """The figure in the document of each company and period asked; None where any is not printed, or not certainly."""
    printed = query.rows[0].measure
    if not isinstance(printed, Printed):
        raise TypeError(f"{printed} is no printed figure.")
    cells: list[Cell] = []
    for target in targets_of(query.model_copy(update={"rows": ()}), deps):
        found = _cells(printed, target, query, deps)
        if not found:
            return None
        cells += found
    return Table(cells=tuple(sorted(cells, key=lambda one: (one.cik, one.place)))) if cells else None


def as_documents_print(query: Query, deps: Deps) -> Table | None:
    """The one measure that a question asks, as the documents of its periods print it: of a document that it names or is
    limited to, or a ratio that filers report themselves and no facts give; None where no such is asked, or printed.
    """
    row, measure = query.rows[0], query.rows[0].measure
    if len(query.rows) > 1 or query.operations or not isinstance(measure, Concept | Metric):
        return None
    named = bool(set(query.sources) - {ANNUAL.key}) or query.document is not None
    if not named and (isinstance(measure, Concept) or not deps.registry.is_tagged(measure.key)):
        return None
    entry = (deps.registry.concepts | deps.registry.metrics)[measure.key]
    for name in dict.fromkeys((row.text, entry.label, *entry.aliases)):
        printed = row.of(Printed(words=name)) if name else None
        table = tabulate(query.model_copy(update={"rows": (printed,)}), deps) if printed else None
        if table and table.answered:
            return table
    return None


def printed_first(query: Query, table: Table) -> Table:
    """A table in which what a chosen document prints of a measure that companies define themselves answers, and what we
    compute stands beside it; as it is without such a figure in each column.
    """
    document = Filing.objects.filter(pk=query.document).first() if query.document else None
    if document is None or table.results or table.moved:
        return table
    rows: dict[tuple[int, int], list[Cell]] = {}
    for one in table.cells:
        rows.setdefault((one.row, one.cik), []).append(one)
    cells = tuple(cell for row in rows.values() for cell in _printed_first(row, document))
    return table.model_copy(update={"cells": cells})


def _printed_first(row: Sequence[Cell], document: Filing) -> Sequence[Cell]:
    own = {one.column: one for one in row if one.asked and not one.alternative}
    told = {
        one.column: one for one in row if one.asked and one.reading == AS_COMPANIES_PRINT and one.value is not None
    }
    accessions = {one.fact.accession if one.fact else "" for one in told.values()}
    if not own or own.keys() != told.keys() or accessions != {document.accession}:
        return row
    ours = {(one.measure, one.reading) for one in own.values()}
    found = []
    for one in row:
        if (one.measure, one.reading) in ours:
            one = one.model_copy(update={"alternative": True, "reading": f"computed: {one.reading or one.formula}"})
        elif one.reading == AS_COMPANIES_PRINT:
            note = difference(one, own[one.column]) if one.column in own else ""
            one = one.model_copy(update={"alternative": False, "notes": (*one.notes, *filter(None, [note]))})
        found.append(one)
    columns = list(dict.fromkeys(one.column for one in row))
    return sorted(found, key=lambda one: (columns.index(one.column), one.alternative))


def difference(printed: Cell, computed: Cell) -> str:
    """What a company's own figure differs by from the one that is computed; empty where none is."""
    if printed.value is None or computed.value is None:
        return ""
    by = computed.value - printed.value
    figure = shown(computed.value, computed.unit, reported=False)
    apart = shown(abs(by), "points" if computed.unit == "percent" else computed.unit, reported=False)
    return f"The company defines it itself; computed from the statements it is {figure}, {apart} {'more' if by > 0 else 'less'}."


def _cells(printed: Printed, target: Target, query: Query, deps: Deps) -> list[Cell]:
    """The figure of a target; of two that fit both, each with what it stands under; none where that tells them not apart."""
    if closed(target, deps):
        return []
    for filing in _documents(target, query, deps):
        period, end = _period(filing, target.period), target.period.end or _end(filing, target.period)
        if period is None or end is None or (query.days is not None and query.days != query.periods):
            continue
        if found := printed_figures([filing], [printed], Wanted(end, days_of(period))):
            apart = len({one.within for one in found}) == len(found)
            apart = apart and all(one.within and not one.by_label for one in found)
            if len(found) == 1:
                return [_of(found[0], period, target, printed)]
            return (
                [_of(one, period, target, printed, one.within) for one in found] if apart and len(found) == 2 else []
            )
    return []


def _documents(target: Target, query: Query, deps: Deps) -> Iterator[Filing]:
    """The documents in which a target is looked for, the likeliest first."""
    if target.document is not None:
        yield Filing.objects.select_related("company").get(pk=target.document)
        return
    # The report whose text is read, and the one that gives the figures of the year.
    for filings in (held(target, deps), list(Filing.objects.askable(target.company.cik))):
        found = resolve(target, filings, deps.today)
        if not isinstance(found, Refusal):
            yield Filing.objects.select_related("company").get(pk=found.filing)
    yield from followers(target, ())


def _period(filing: Filing, asked: Period) -> FiscalPeriod | None:
    """The part of the fiscal year that is asked of a document; None where it is of another."""
    if filing.fiscal_year is None or filing.period_end is None:
        return None
    annual = filing.kind.span == "year" or filing.fiscal_quarter == _LAST_QUARTER
    ends = _LAST_QUARTER if annual else filing.fiscal_quarter
    part = _RELATIVE.get(asked.part, asked.part) if asked.part else None
    if isinstance(part, RelativePeriod):
        return FiscalPeriod(f"Q{ends}") if part in _QUARTERLY and ends else None
    if part is not None:
        return part if part.quarter == ends else None
    if filing.kind.span == "year" or (annual and asked.year):
        return FiscalPeriod.YEAR
    if asked.form in {PeriodForm.FISCAL, PeriodForm.BARE, PeriodForm.CALENDAR}:
        return None
    return FiscalPeriod(f"Q{filing.fiscal_quarter}") if filing.fiscal_quarter else None


def _end(filing: Filing, asked: Period) -> date | None:
    """The last day of the period that is asked of a document: of its own year, or the same one of another year."""
    if filing.period_end is None or filing.fiscal_year is None:
        return None
    return years_later(filing.period_end, asked.year - filing.fiscal_year) if asked.year else filing.period_end


def _year(filing: Filing, end: date) -> int | None:
    """The fiscal year that a period with this last day is of, counted from a document's own."""
    if filing.period_end is None or filing.fiscal_year is None:
        return filing.fiscal_year
    return filing.fiscal_year + round((end - filing.period_end).days / A_YEAR)


def _of(found: PrintedFigure, period: FiscalPeriod, target: Target, printed: Printed, reading: str = "") -> Cell:
    filing, held, fact = found.filing, found.held, found.held.fact
    return Cell(
        row=0,
        cik=target.company.cik,
        company=target.company.called,
        measure=key_of(printed),
        label=capitalized(found.called(printed.words)),
        reading=reading,
        fiscal_year=_year(filing, fact.end),
        fiscal_period=period,
        period_end=fact.end,
        accession=filing.accession,
        filed=filing.filed,
        url=filing.url,
        value=held.value,
        unit=fact.unit,
        fact=reference(fact, label=fact.label, negated=held.negated),
    )
