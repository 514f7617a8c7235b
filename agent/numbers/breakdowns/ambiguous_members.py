"""Parts with two figures: "China" as a segment and as a region, a segment's sales with and without those to others."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal

from agent.numbers.cells.cells import evaluated
from agent.numbers.cells.row_expressions import Version, of_part, versions
from agent.numbers.facts.company_filings import CompanyFilings
from agent.numbers.facts.gaps import Unanswered
from agent.numbers.parts.divisions import Part, rounding
from agent.numbers.parts.part_facts import AXES, Divided, divided, is_row_of_another, part_members
from agent.numbers.parts.part_figures import MemberFinder
from agent.numbers.parts.part_rows import found_divisions, rows_of
from agent.numbers.registry.units import UnitError
from agent.refusals.grammar import listed
from agent.state.measure_operands import leaves, with_parts
from agent.state.query import Change, Combined, Concept, Line, Measure, Member, Query, Share
from filings.models import Fact
from filings.xbrl import member_facts
from filings.xbrl.axes import words

# The consolidation item for what a segment sells to others.
SALES_BETWEEN = "ConsolidationItemsAxis=IntersegmentEliminationMember"


def split_by_kind(
    query: Query, company_filings: CompanyFilings, years: Sequence[int]
) -> tuple[Query, dict[int, tuple[Version, ...]]]:
    """The query with each ambiguous member fixed to one kind, and the row's readings of every kind.

    The first reading is the one that the newest year's filing has a figure for. Readings with equal figures are merged.
    """
    rows, found = list(query.rows), dict[int, tuple[Version, ...]]()
    selection = company_filings.selection(max(years)) if years else None
    labels = member_facts.labels(selection.filing_figures.filing) if selection else {}
    for number, row in enumerate(query.rows):
        kinds = [kind for kind, axes in AXES.items() if any(_on(one, axes) for one in _members(row.measure))]
        figures: dict[object, tuple[Measure, Version]] = {}
        for kind in kinds if len(kinds) > 1 and years else ():
            one = _of_kind(row.measure, AXES[kind], labels)
            with suppress(Unanswered, UnitError):
                version = versions(one, company_filings.registry)[0]
                value = evaluated(version, company_filings, max(years))[0].value
                figures.setdefault(value, (one, replace(version, reading=f"As a {kind}", alternative=bool(figures))))
        told = list(figures.values())
        if told:
            rows[number] = row.model_copy(update={"measure": told[0][0]})
        if len(told) > 1:
            found[number] = tuple(version for _, version in told)
        elif several := _readings(rows[number].measure, company_filings, years):
            found[number] = several
    return query.model_copy(update={"rows": tuple(rows)}), found


def _readings(measure: Measure, company_filings: CompanyFilings, years: Sequence[int]) -> tuple[Version, ...]:
    """The readings of a measure of a part, or of what is made of one, such as its growth, its share or its margin."""
    if not isinstance(measure, Member | Change | Share | Combined):
        return ()
    if isinstance(measure, Member) and isinstance(measure.of, Concept | Line):
        return _figures(measure, company_filings, years)
    try:
        base = versions(measure, company_filings.registry)[0]
    except UnitError:
        return ()
    operands = {
        key: several
        for key, finder in base.lines.items()
        if isinstance(finder, MemberFinder)
        and (several := _figures(finder.member.model_copy(update={"of": finder.of}), company_filings, years))
        and all(len(one.lines) == 1 for one in several)
    }
    # Two operands with readings of their own are read alike.
    named = [[one.reading for one in several] for several in operands.values()]
    if not operands or any(one != named[0] for one in named):
        return ()
    return tuple(
        replace(
            base,
            key=f"{base.key}{place or ''}",
            lines={**base.lines, **{key: next(iter(one[place].lines.values())) for key, one in operands.items()}},
            reading=reading,
            alternative=place > 0,
        )
        for place, reading in enumerate(named[0])
    )


def _figures(measure: Measure, company_filings: CompanyFilings, years: Sequence[int]) -> tuple[Version, ...]:
    """The readings of a part that the newest filing gives several figures of; none where it gives one.

    The reading first that most years have, and of two equal ones that by which the company adds up.
    """
    year = max(years, default=0)
    selection = company_filings.selection(year) if years else None
    if not isinstance(measure, Member) or not isinstance(measure.of, Concept | Line) or selection is None:
        return ()
    try:
        figure = divided(measure.of, selection, company_filings, year)
    except Unanswered:
        return ()
    whole = versions(measure.of, company_filings.registry)[0]
    told = [one for name in figure.names for one in figure.of(measure.members, name)]
    if not told:
        return _inside_others(measure, figure, whole)
    facts: list[Fact] = []
    for one in told:
        if all(abs(one.value - other.value) > rounding(one) + rounding(other) for other in facts):
            facts.append(one)
    if len(facts) < 2 or any(is_row_of_another(one) for one in facts):
        return ()
    rows = {
        fact.pk
        for axes in AXES
        for one in found_divisions(axes, figure, Decimal(2))[:1]
        for part in one.rows
        for fact in part.facts
    }
    between = any(
        SALES_BETWEEN in one.dimensions and set(measure.members) & set(one.dimensions.split(";"))
        for one in figure.facts
    )
    found = [
        (
            one,
            replace(of_part(measure.of, whole, measure.label, (one,)), reading=_reading(one, facts, between=between)),
        )
        for one in facts
    ]
    found.sort(key=lambda one: (-_years_given(one[1], company_filings, years), one[0].pk not in rows, -one[0].value))
    return tuple(
        replace(one, key=f"{one.key}{place or ''}", alternative=place > 0) for place, (_, one) in enumerate(found)
    )


def _years_given(version: Version, company_filings: CompanyFilings, years: Sequence[int]) -> int:
    count = 0
    for year in years:
        with suppress(Unanswered):
            evaluated(version, company_filings, year)
            count += 1
    return count


def _inside_others(measure: Member, figure: Divided, whole: Version) -> tuple[Version, ...]:
    """The readings of a part that is only given inside others: advertising of the media, and of the cable segment.

    One, where it is the sum of what is given inside all of them; none where it has one fact.
    """
    rows = rows_of(measure.members, figure)
    if len(rows) == 1 and len(rows[0].facts) == 1:
        return ()
    rows.sort(key=lambda one: -one.value)
    found = [of_part(measure.of, whole, measure.label, one.facts) for one in rows]
    return tuple(
        replace(version, key=f"{version.key}{place or ''}", reading=_inside(row, rows), alternative=place > 0)
        for place, (row, version) in enumerate(zip(rows, found, strict=True))
    )


def _inside(row: Part, rows: Sequence[Part]) -> str:
    """The part that a row is given inside: in Google Services; its own name in full where others are in the same one."""
    if len(rows) == 1:
        return ""
    around = [{told for fact in one.facts for told in part_members(fact)} - {one.told} for one in rows]
    inside = around[rows.index(row)]
    if around.count(inside) > 1:
        return words(row.told.partition("=")[2])
    labels = member_facts.labels(row.facts[0].filing)
    named = [labels.get(told, words(told.partition("=")[2])) for told in sorted(inside)]
    return f"in {listed(named)}" if named else "alone"


def _reading(fact: Fact, among: Sequence[Fact], *, between: bool) -> str:
    """How one figure of a part differs from the others: with sales to other segments, or by the row it is printed in."""
    if between and len(among) == 2:
        largest = fact.value == max(one.value for one in among)
        return "with sales to other segments" if largest else "to customers outside the company"
    printed = {one.label for one in among}
    return fact.label if fact.label and len(printed) == len(among) else words(fact.tag)


def _on(member: str, axes: Sequence[str]) -> bool:
    return member.partition("=")[0] in axes


def _members(measure: Measure) -> Iterator[str]:
    yield from (told for one in leaves(measure) if isinstance(one, Member) for told in one.members)


def _of_kind(measure: Measure, axes: Sequence[str], labels: Mapping[str, str]) -> Measure:
    """The measure restricted to members of these axes, named as in the filing."""
    if not isinstance(measure, Member):
        return with_parts(measure, lambda part: _of_kind(part, axes, labels))
    own = tuple(one for one in measure.members if _on(one, axes))
    label = next((labels[one] for one in own if one in labels), measure.label)
    return measure.model_copy(update={"members": own, "label": label}) if own else measure
