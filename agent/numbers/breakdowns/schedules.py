"""What is due in the years to come, year by year: as a filing tags it, or else as one table of a document prints it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from agent.numbers.cells.cells import BuiltCell, build_cell
from agent.numbers.cells.row_expressions import Version
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.statement_lines import LineOf
from agent.numbers.parts.divisions import MOST_ROUNDING, rounding
from agent.numbers.parts.part_figures import key_of
from agent.numbers.parts.part_names import cleaned
from agent.numbers.parts.printed_parts import Figure, lines_of, printed_together
from agent.numbers.printed.printed_rows import StoredTable, folded, tables_of
from agent.numbers.registry.expressions import Name
from agent.refusals.grammar import lower_first
from agent.words.printed_words import said
from filings.models import Fact, Filing
from filings.tables.column_periods import NEAR
from filings.xbrl.facts import Value

LEAST = 3  # years of a schedule
THEREAFTER = "Thereafter"
YEAR = 4  # digits
_LATER, _OF_YEARS = folded(said("later")), folded(said("years to come"))
# Amounts of years to come are balances of the day, in dollars.
_UNIT = "USD"


class Schedule(NamedTuple):
    """The rows of a schedule and their total."""

    rows: tuple[Figure, ...]
    total: Figure


@cache
def schedules() -> dict[str, dict[str, Any]]:
    """The known schedules by their labels (schedules.yaml)."""
    text = Path(__file__).with_name("schedules.yaml").read_bytes()
    return dict(yaml.load(text, yaml.CBaseLoader))  # noqa: S506 - strings only


def scheduled(number: int, whole: Version, company_filings: CompanyFilings, year: int) -> Iterator[BuiltCell]:
    """The cells of a schedule at the end of a period: each year to come, then their total. Nothing where none is certain.

    whole: the measure, whose label is that of a known schedule.
    """
    filing, spec = company_filings.by_year.get(year), schedules().get(whole.label, {})
    if filing is None or filing.period_end is None:
        return
    end = filing.period_end
    near = [one for one in company_filings.annual.documents if one.period_end and abs(one.period_end - end) <= NEAR]
    tagged = _tagged(filing, end, year, spec) if company_filings.period.whole else None
    found = tagged or next(filter(None, (_printed(one, end, spec) for one in near)), None)
    if found is None:
        return
    labels = [cleaned(one.label) for one in found.rows]
    if not folded(labels[-1]) - _LATER:
        labels[-1] += f" (after {lower_first(labels[-2])})"
    for part, (_, _, fact) in zip((*labels, ""), (*found.rows, found.total), strict=True):
        label = f"{whole.label}, {part}" if part else whole.label
        key = key_of(whole.key, part) if part else whole.key
        version = Version(key, label, fact.unit, Name(key), lines={key: _given(label, fact)}, balance=True)
        one = build_cell(version, number, company_filings, year, asked=bool(part))
        notes = (printed_together(fact, one.cell.place.called),) if part == labels[0] and fact.pk is None else ()
        update = {"role": "part" if part else "", "part": part, "notes": (*one.cell.notes, *notes)}
        yield replace(one, cell=one.cell.model_copy(update=update))


def _given(label: str, fact: Fact) -> LineOf:
    """What finds a figure that is found already."""

    def find(company_filings: CompanyFilings, year: int, offset: int) -> tuple[str, Value]:
        return label, Value(fact)

    return find


def _tagged(filing: Filing, end: date, year: int, spec: dict[str, Any]) -> Schedule | None:
    """A schedule as a filing tags it, where its years come to a figure that is tagged as their total."""
    for first, slots in spec.get("elements", {}).items():
        names = [first + slot for slot in slots]
        wanted = Fact.objects.filter(filing=filing, end=end, dimensions="", unit=_UNIT)
        held: dict[str, list[Fact]] = {}
        for one in wanted.filter(tag__in=[*names, *spec["totals"]]).select_related("filing__company").order_by("pk"):
            held.setdefault(one.tag, []).append(one)
        rows = [
            Figure(THEREAFTER if name == names[-1] else f"Fiscal {year + place}", "", held[name][0])
            for place, name in enumerate(names, 1)
            if name in held
        ]
        given = [name in held for name in names[:-1]]
        alike = all(len({one.value for one in held[name]}) == 1 for name in names if name in held)
        total = sum((one.fact.value for one in rows), Decimal(0))
        whole = [one for name in spec["totals"] for one in held.get(name, ()) if one.value == total]
        # Without what is due after them, the last year may be tagged for all later ones: "2029 and thereafter".
        told = names[-1] in held
        if alike and whole and told and sum(given) >= LEAST and given == sorted(given, reverse=True):
            return Schedule(tuple(rows), Figure("", "", whole[0]))
    return None


def _printed(filing: Filing, end: date, spec: dict[str, Any]) -> Schedule | None:
    """The one schedule of its kind that a document prints with its total; None where it prints several that differ."""
    found: dict[tuple[Decimal, ...], Schedule] = {}
    for table in tables_of(filing.pk):
        for line in lines_of(table, filing, end, end, _UNIT):
            if (one := _schedule(line, end)) and _is_told(spec, table, one):
                found.setdefault(tuple(row.fact.value for row in one.rows), one)
    return next(iter(found.values())) if len(found) == 1 else None


def _schedule(line: Sequence[Figure], end: date) -> Schedule | None:
    """The figures of years to come that follow each other, with the row below them that is their sum; None without it."""
    years = list(_years([one.label for one in line]))
    first = next((at for at, one in enumerate(years) if one), len(line))
    last = next((at for at in range(first, len(line)) if not years[at]), len(line))
    run, rows = years[first:last], line[first:last]
    follow = all(later - earlier == 1 for earlier, later in pairwise(run))
    if last == len(line) or len(run) < LEAST or not follow or not end.year <= run[0] <= end.year + 1:
        return None
    left = line[last].fact.value - sum((one.fact.value for one in rows), Decimal(0))
    slack = sum((rounding(one.fact) for one in line[first : last + 1]), Decimal(0))
    certain = abs(left) <= slack <= abs(line[last].fact.value) * MOST_ROUNDING
    return Schedule(tuple(rows), line[last]) if certain else None


def _years(labels: Sequence[str]) -> Iterator[int]:
    """The year to come that each label names; 0 for another label. What is due after all of them is the next."""
    last = 0
    for words in map(folded, labels):
        named = [int(word) for word in words if len(word) == YEAR and word.isdecimal()]
        other = {word for word in words - _OF_YEARS if not word.isdecimal()}
        last = 0 if other or len(named) > 1 else named[0] if named else last + 1 if last and words & _LATER else 0
        yield last


def _is_told(spec: Mapping[str, Any], table: StoredTable, one: Schedule) -> bool:
    """Whether a schedule is of a kind: by its column and total, or else by what stands above it."""
    total = one.total
    own, barred = folded(f"{total.fact.column} {total.label}"), folded(spec["not"])
    kinds = [folded(kind) for kind in spec["told"]]
    if any(kind <= own for kind in kinds):
        return not own & barred
    near = own | folded(" ".join((*table.lines[-1:], total.heading)))
    return any(kind <= own | folded(table.title) for kind in kinds) and not near & barred
