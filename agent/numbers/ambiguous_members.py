"""Member names that mean two things with different figures: "China" as a segment and as a region."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from agent.numbers.cells import evaluated
from agent.numbers.company_filings import CompanyFilings
from agent.numbers.gaps import Unanswered
from agent.numbers.measures import Version, versions
from agent.numbers.members import AXES
from agent.numbers.units import UnitError
from agent.state.query import Change, Combined, Measure, Member, Query, Share
from filings.xbrl import member_facts


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
                value = evaluated(version, company_filings, max(years)).value
                figures.setdefault(value, (one, replace(version, reading=f"As a {kind}", alternative=bool(figures))))
        told = list(figures.values())
        if told:
            rows[number] = row.model_copy(update={"measure": told[0][0]})
        if len(told) > 1:
            found[number] = tuple(version for _, version in told)
    return query.model_copy(update={"rows": tuple(rows)}), found


def _on(member: str, axes: Sequence[str]) -> bool:
    return member.partition("=")[0] in axes


def _members(measure: Measure) -> Iterator[str]:
    match measure:
        case Member(members=members):
            yield from members
        case Change(of=of):
            yield from _members(of)
        case Share(part=part, whole=whole):
            yield from (*_members(part), *_members(whole))
        case Combined():
            yield from (one for part in measure.parts for one in _members(part))


def _of_kind(measure: Measure, axes: Sequence[str], labels: Mapping[str, str]) -> Measure:
    """The measure restricted to members of these axes, named as in the filing."""
    match measure:
        case Member(members=members):
            own = tuple(one for one in members if _on(one, axes))
            label = next((labels[one] for one in own if one in labels), measure.label)
            return measure.model_copy(update={"members": own, "label": label}) if own else measure
        case Change(of=of):
            return measure.model_copy(update={"of": _of_kind(of, axes, labels)})
        case Share(part=part, whole=whole):
            update = {"part": _of_kind(part, axes, labels), "whole": _of_kind(whole, axes, labels)}
            return measure.model_copy(update=update)
        case Combined():
            return measure.model_copy(update={"parts": tuple(_of_kind(one, axes, labels) for one in measure.parts)})
    return measure
