"""Guidance that documents print: what a company expects of a period to come, said on the document's day, and no result."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from agent.numbers.facts.rounding import same_after_rounding
from agent.numbers.printed.printed_figures import PrintedFigure, figures_called, guided_words
from agent.numbers.printed.printed_rows import tables_of
from agent.state.query import Printed
from agent.words.printed_words import said
from agent.words.stems import roots
from filings.models import Filing, PrintedTable
from filings.tables.cell_meanings import ReadCell
from filings.tables.column_periods import NEAR, QUARTER, YEAR, Period
from filings.tables.outlook_tables import HIGH, LOW, PREVIOUS
from filings.tables.read_again import subject_of
from filings.tables.sentence_dates import Calendar
from filings.xbrl.periods import QUARTERS, FiscalPeriod, Place

# Names of what is asked that are looked for in sentences.
MOST_SPOKEN = 12
_SENTENCE = re.compile(r"(?<=[a-z%)])\.\s|\n+")
_YEAR = re.compile(r"\b(?:full|fiscal|this|the)[\s-]+year\b", re.IGNORECASE)
_EXPECTED = roots(said("guided"))
# So many years behind the document's own a period may be that it guides.
_AHEAD = 10


@dataclass(frozen=True, slots=True)
class Guided:
    """What a document guides of one period: one figure, or the low and the high one of a range; none where it prints
    several that differ. before: the same as it was guided earlier, where it is known.
    """

    place: Place
    period: Period
    figures: tuple[PrintedFigure, ...]
    before: tuple[PrintedFigure, ...] = ()


def guided(filing: Filing, names: Sequence[Printed]) -> list[Guided]:
    """What a document guides under any of these names, by period, the nearest first."""
    found: dict[Place, list[PrintedFigure]] = {}
    calendar = Calendar.of(subject_of(filing))
    for one in _each(filing, names):
        if place := place_of(one.cell.period, calendar):
            found.setdefault(place, []).append(one)
    read = []
    for place, figures in sorted(found.items()):
        earlier = [one for one in figures if is_earlier(one.cell)]
        now = [one for one in figures if not is_earlier(one.cell)]
        if now:
            read.append(Guided(place, now[0].cell.period, range_of(now), range_of(earlier)))
    return read


def is_earlier(cell: ReadCell) -> bool:
    """Whether a cell is what was guided before."""
    return cell.column.startswith(PREVIOUS)


def _each(filing: Filing, names: Sequence[Printed]) -> Iterator[PrintedFigure]:
    seen = set()
    for asked in names:
        for one in figures_called(filing, asked):
            if (key := (one.table.section, one.cell.start)) not in seen:
                seen.add(key)
                yield one


def limit_of(figure: PrintedFigure) -> str:
    """Which limit of a range a figure is, how far it may be off, or nothing."""
    return figure.cell.column.removeprefix(PREVIOUS).strip()


def range_of(figures: Iterable[PrintedFigure]) -> tuple[PrintedFigure, ...]:
    """The one figure, or both limits; nothing where they differ."""
    by_limit: dict[str, PrintedFigure] = {}
    for one in sorted(figures, key=lambda one: -one.cell.decimals):
        if not _is_same(by_limit.setdefault(limit_of(one), one), one):
            return ()
    if len(by_limit) > 1 and "" in by_limit and all(_is_same(by_limit[""], one) for one in by_limit.values()):
        del by_limit[""]  # the same figure is printed with how far it may be off
    if {*by_limit} == {LOW, HIGH}:
        low, high = by_limit[LOW], by_limit[HIGH]
        return (low, high) if low.cell.unit == high.cell.unit and low.cell.value <= high.cell.value else ()
    return tuple(by_limit.values()) if len(by_limit) == 1 and not {*by_limit} & {LOW, HIGH} else ()


def _is_same(one: PrintedFigure, other: PrintedFigure) -> bool:
    alike = same_after_rounding(one.cell.value, one.cell.decimals, other.cell.value, other.cell.decimals)
    return one.cell.unit == other.cell.unit and alike


def is_near(filing: Filing, names: Sequence[Printed], periods: Collection[Period]) -> bool:
    """Whether a document guides something that is called nearly so, of one of these periods, of any where none is given:
    what others guided before may no longer hold.
    """
    asked = [words for one in names if (words := guided_words(one.words))]
    for table in tables_of(filing.pk, PrintedTable.Kind.SENTENCES):
        for place in table.guided:
            label, heading, _ = table.named[place]
            own = guided_words(table.rows[place].label)
            near = any(words <= label | heading or (own and own <= words) for words in asked)
            if near and (not periods or any(is_period(one.period, periods) for one in table.rows[place].cells)):
                return True
    return False


def is_spoken_of(filing: Filing, names: Sequence[Printed], place: Place) -> bool:
    """Whether a sentence of a document says in other words what it expects of something and a year: it may guide it anew."""
    told = [guided_words(one.words) for one in names[:MOST_SPOKEN]]
    for text in filing.sections.values_list("text", flat=True):
        for sentence in _SENTENCE.split(text):
            if str(place.year) in sentence or _YEAR.search(sentence):
                words = roots(sentence)
                if words & _EXPECTED and any(one <= words for one in told):
                    return True
    return False


def is_period(period: Period, others: Iterable[Period]) -> bool:
    """Whether a period is one of others, but for a few days."""
    return any(abs(one.end - period.end) <= NEAR and one.months == period.months for one in others)


def place_of(period: Period, calendar: Calendar) -> Place | None:
    """The fiscal year or quarter that a period is, in the calendar of its document; None for any other stretch."""
    for year in range(calendar.year, calendar.year + _AHEAD):
        if period.months == YEAR and _is(period, calendar.years(year)):
            return Place(year, FiscalPeriod.YEAR)
        for number, quarter in enumerate(QUARTERS, 1):
            if period.months == QUARTER and _is(period, calendar.quarters(year, number)):
                return Place(year, quarter)
    return None


def _is(period: Period, other: Period | None) -> bool:
    return other is not None and abs(period.end - other.end) <= NEAR


def with_earlier(now: Guided, earlier: Iterable[Guided]) -> Guided:
    """Guidance with what it was before, under the same label: the newest that differs, else the newest that is the same; as
    it is where none was given.
    """
    if now.before:
        return now
    same = [one.figures for one in earlier if one.place == now.place and _labels(one.figures) == _labels(now.figures)]
    other = (one for one in same if _values(one) != _values(now.figures))
    return replace(now, before=next(other, next(iter(same), ())))


def _values(figures: Sequence[PrintedFigure]) -> list[Decimal]:
    return [one.cell.value for one in figures]


def _labels(figures: Sequence[PrintedFigure]) -> set[tuple[str, str]]:
    return {(one.row.label.casefold(), one.cell.unit) for one in figures}


def pairs(now: Sequence[PrintedFigure], before: Sequence[PrintedFigure]) -> list[tuple[PrintedFigure, PrintedFigure]]:
    """Each figure with the one guided before; none where they are not of one form and unit."""
    forms = [[(limit_of(one), one.cell.unit) for one in figures] for figures in (now, before)]
    return list(zip(now, before, strict=True)) if forms[0] == forms[1] else []
