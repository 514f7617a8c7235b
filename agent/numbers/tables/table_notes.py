"""Notes that apply to a whole table: signs, share splits, newer filings, and what its columns are."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from agent.numbers.cells.cells import BuiltCell
from agent.numbers.cells.comparability import of_concept, quarters_added_up
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.evaluated import on_shares
from agent.numbers.facts.render import shown
from agent.numbers.periods import asked_years
from agent.numbers.periods.asked_years import Asked
from agent.numbers.periods.interim import InterimFilings
from agent.numbers.registry.expressions import Name
from agent.numbers.registry.registry import PeriodType, Unit
from agent.numbers.tables import alignment_notes
from agent.numbers.tables.alignment import Aligned
from agent.refusals.grammar import capitalized, few_years, listed, lower_first, possessive
from agent.state.query import Basis, Breakdown, Change, Query, Statement
from agent.state.tables import Cell, Result
from filings.xbrl.number_format import to_places
from filings.xbrl.periods import QUARTERS, FiscalPeriod, Place

AS_TAGGED = "Outflows may be shown as positive. Rows by class or segment are left out."

ON_BASIS = {
    Basis.FIRST: "As first reported: each period from its own report.",
    Basis.LAST: "As last reported: each period from the newest report that gives it.",
}

# What is said of a year's own report beside a figure from a later one.
FIRST, NOT_IN_OWN, NOT_LOADED = "first", "not in {} own", "{} own is not loaded"
NO_FIGURE = "no figure of {} own is loaded"

OVER_A_YEAR = "Growth and changes are year over year."


def rounded_as_asked(query: Query, cells: Iterable[Cell], results: Iterable[Result]) -> tuple[str, ...]:
    """The one figure that answers, rounded as the question wants it; nothing for several, or where it does not say."""
    held: list[Cell | Result] = [*results]
    held = held or [one for one in cells if one.asserted]
    values = [(one.value, one.unit) for one in held if one.value is not None and one.gap is None]
    if query.decimals is None or len(values) != 1:
        return ()
    value, unit = values[0]
    return (f"Rounded as asked: {to_places(value, unit, query.scale, query.decimals)}.",)


# A bound in brackets behind the words by which a figure is to be judged.
_BOUND = re.compile(r"\([^)]*?(?P<number>\d+(?:\.\d+)?)")


def notes_of(
    query: Query,
    by_company: dict[int, CompanyFilings],
    aligned: Aligned,
    cells: Sequence[BuiltCell],
    today: date,
) -> Iterator[str]:
    """The notes, in order. cells: all of the table's."""
    columns = aligned.columns
    if query.whose:
        yield query.whose
    if query.scope_note:
        yield query.scope_note
    if query.judged:
        yield within_bound(query, cells) or no_verdict(query)
    if query.by_model:
        yield f"Read by a language model as: {query.by_model}. Every figure is taken from the filings by code."
    yield from alignment_notes.about_columns(aligned)
    yield from _filed_by(aligned)
    if any(isinstance(row.measure, Statement) for row in query.rows):
        yield AS_TAGGED
    parts = any(
        isinstance(one, Asked) and one.period is not FiscalPeriod.YEAR for found in columns.values() for one in found
    )
    moved = [row.measure.of if isinstance(row.measure, Breakdown) else row.measure for row in query.rows]
    grown = any(
        (isinstance(one, Change) and not one.sequential) or (isinstance(one, Statement) and one.form == "growth")
        for one in moved
    )
    if parts and grown:
        yield OVER_A_YEAR
    if query.as_of:
        yield f"As of {query.as_of:%-d %b %Y}: only reports filed by then."
    if query.basis:
        yield ON_BASIS[query.basis]
    yield from _bases(cells, several=len(by_company) > 1)
    yield from _unlike_quarters(cells)
    for cik, found in columns.items():
        for one in found:
            if isinstance(one, Asked) and one.newer:
                name = by_company[cik].company.called
                yield f"{name} filed a newer 10-K on {one.newer:%-d %b %Y}. It is not loaded yet."
        if last := next((one for one in reversed(found) if isinstance(one, Asked) and one.named), None):
            year, end = asked_years.label(last.filing)
            when = Place(year, last.period).called
            yield f"{possessive(by_company[cik].company.called)} {when} ended on {end:%-d %b %Y}."
    yield from alignment_notes.about_ends(by_company, aligned)
    yield from alignment_notes.about_newest(query, by_company, columns, today)


def _filed_by(aligned: Aligned) -> Iterator[str]:
    """Notes on the years that a predecessor of the company filed."""
    years: dict[str, dict[int, None]] = {}
    for one in (one for found in aligned.columns.values() for one in found if isinstance(one, Asked)):
        if one.filing.filed_by and one.filing.fiscal_year is not None:
            years.setdefault(one.filing.filed_by, {})[one.filing.fiscal_year] = None
    for filer, filed in years.items():
        yield f"Fiscal {few_years(sorted(filed))} {'was' if len(filed) == 1 else 'were'} filed by {filer}."


class Restatement(NamedTuple):
    """Years of one row that are shown as another year's 10-K prints them."""

    whose: str
    report: str
    quarterly: bool
    lacking: str  # what is said of their own reports, where these give no figure
    split: bool

    def said(self, places: Collection[Place]) -> str:
        """The note on these years, or quarters."""
        their = "their" if len(places) > 1 else "its"
        years = f"fiscal {few_years(sorted(one.year for one in places))}"
        when = listed([one.short for one in sorted(places)]) if self.quarterly else years
        if self.lacking == FIRST:
            said = f"{when} first given in the {self.report}."
        elif self.lacking:
            said = f"{when} from the {self.report}; {self.lacking.format(their)}."
        else:
            split = " (share split)" if self.split else ""
            the = "" if self.quarterly else "the "
            said = f"{when} as restated in {the}{self.report}{split}."
        return f"{self.whose}: {said}" if self.whose else capitalized(said)


def _bases(cells: Sequence[BuiltCell], *, several: bool) -> Iterator[str]:
    """Notes on years that are shown as a later 10-K prints them, and on years that no 10-K puts on one basis.

    several: whether there are several companies. They are named then, as measures are where there are several.
    """
    shown = [one for one in cells if not one.cell.alternative]
    # The parts of a figure come from one report, so that one note is about all of them.
    divided = {one.cell.row for one in shown if one.cell.role}
    labels = {one.cell.label for one in shown if one.cell.asked and one.cell.row not in divided}
    restated: dict[Restatement, set[Place]] = {}
    breaks: dict[str, None] = {}
    for one in shown:
        cell, recast = one.cell, one.cell.recast
        # Of a statement, the marks in the cells show which rows these are.
        by_label = len(labels) > 1 and cell.row not in divided and not one.version.is_statement_row
        named = (cell.company if several else "", cell.label if by_label else "")
        whose = ", ".join(lower_first(word) if place and several else word for place, word in enumerate(named) if word)
        if recast and cell.value is not None and cell.fiscal_year is not None:
            shares = one.evaluated is not None and on_shares(one.evaluated)
            split = shares and bool(one.company_filings.splits(cell.fiscal_year, recast.fiscal_year))
            quarterly = cell.fiscal_period.of_quarter
            given = Place(recast.fiscal_year, cell.fiscal_period).report
            report = f"fiscal {recast.fiscal_year} reports" if quarterly else given
            lacking = _lacking(one) if recast.own_loaded else NOT_LOADED
            if recast.first is not None or (recast.own_loaded and (cell.role or one.version.is_statement_row)):
                lacking = ""  # its own gives it, or other rows
            note = Restatement(whose, report, quarterly, lacking, split)
            restated.setdefault(note, set()).add(cell.place)
        if cell.basis_break:
            breaks[f"{whose}: {lower_first(cell.basis_break)}" if whose else cell.basis_break] = None
    yield from (note.said(places) for note, places in restated.items())
    yield from breaks


def _lacking(one: BuiltCell) -> str:
    """What is said of a year's own report, which gives no figure: its row may stand there under an element without one."""
    if one.version.lines:
        return NOT_IN_OWN
    own = one.company_filings.selection(one.cell.fiscal_year or 0)
    if own is None or one.evaluated is None:
        return FIRST
    labels = {
        line.label
        for part in one.evaluated.parts.values()
        for face in part.selection.filing_figures.faces.values()
        for line in face.lines_of(part.held.name)
    }
    printed = {line.label for face in own.filing_figures.faces.values() for line in face.lines if line.label}
    return NO_FIGURE if labels & printed else FIRST


def _unlike_quarters(cells: Sequence[BuiltCell]) -> Iterator[str]:
    """A note where one quarter of a year was restated, so that the four do not add up to the year."""
    found: dict[tuple[int, int, str], dict[FiscalPeriod, BuiltCell]] = {}
    for one in cells:
        if one.cell.asserted and isinstance(one.company_filings, InterimFilings) and one.cell.fiscal_year is not None:
            row = (one.cell.cik, one.cell.fiscal_year, one.version.key)
            found.setdefault(row, {})[one.company_filings.period] = one
    for (_, year, key), quarters in found.items():
        told = [one.cell for one in quarters.values()]
        if not set(QUARTERS) <= set(quarters) or any(one.recast or one.basis_break for one in told):
            continue
        fourth = quarters[FiscalPeriod.Q4]
        concept = fourth.company_filings.registry.concepts.get(key) if isinstance(fourth.version.expr, Name) else None
        flow = concept is not None and concept.period is PeriodType.DURATION and concept.unit is Unit.USD
        nine_months = (
            fourth.company_filings.of(FiscalPeriod.NINE_MONTHS)
            if isinstance(fourth.company_filings, InterimFilings)
            else None
        )
        if flow and nine_months and quarters_added_up(nine_months, of_concept(key), year) is False:
            yield (
                f"{fourth.cell.company}: the quarters of fiscal {year} do not add up to the year; one was restated."
            )


def no_verdict(query: Query) -> str:
    """That a judgement is asked and none given, in a sentence."""
    return f"Whether that is \u201c{query.judged}\u201d is for you to say: figures are given, no verdict."


def within_bound(query: Query, cells: Sequence[BuiltCell]) -> str:
    """How far the one percentage asked moved at most from a year to the next, beside the bound in brackets: "(not fluctuating
    more than 2%)"; empty without a bound, and where a year between has no value or another basis.
    """
    named = _BOUND.search(query.judged)
    asked = [one.cell for one in cells if one.cell.asked and one.cell.value is not None]
    if named is None or {one.unit for one in asked} != {"percent"} or any(one.basis_break for one in asked):
        return ""
    values = sorted((one.place.year, one.value, one.place.called) for one in asked if one.value is not None)
    if len(values) < 2 or any(after[0] - before[0] != 1 for before, after in pairwise(values)):
        return ""
    moves = [(abs(after[1] - before[1]), after[2]) for before, after in pairwise(values)]
    most, year = max(moves)
    bound = Decimal(named["number"])
    than = "within" if most <= bound else "more than"
    return f"From one year to the next it moved by at most {shown(most, 'points')} ({year}): {than} the {bound} of the question."
