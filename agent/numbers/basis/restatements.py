"""Later filings' values for the facts of a table: doubts that withdraw a value, and restatements that are shown."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal

from agent.numbers.cells.cells import BuiltCell
from agent.numbers.facts.cited_facts import about_split, reference
from agent.numbers.facts.evaluated import Evaluated, FactOperand
from agent.numbers.facts.gaps import broken
from agent.numbers.facts.plausibility import against, doubts
from agent.numbers.facts.render import exact
from agent.numbers.facts.rounding import same_after_rounding
from agent.refusals.grammar import capitalized, lower_first
from agent.state import LaterValue
from agent.state.query import Basis
from agent.state.tables import Restated
from filings.models import Fact, Filing
from filings.xbrl.later_filings import Later, later
from filings.xbrl.periods import Place

Reports = dict[int, list[Later]]


def reports(of: Iterable[Evaluated]) -> Reports:
    """What later filings, as far as they may be known, report for every fact of these cells, read in one query."""
    parts = {part.held.fact.pk: part for one in of for part in one.parts.values()}
    known = later([part.held.fact for part in parts.values()])
    return {
        fact: [one for one in found if one.filed <= (parts[fact].company_filings.as_of or date.max)]
        for fact, found in known.items()
    }


def checked_against_later_filings(cells: Sequence[BuiltCell]) -> list[BuiltCell]:
    """The cells without values that later filings contradict, with restatements noted in asked years."""
    known = reports(one.evaluated for one in cells if one.evaluated)
    restated = restatements((one.evaluated for one in cells if one.evaluated and one.cell.asked), known)
    return [_checked(one, known, restated) for one in cells]


def _checked(one: BuiltCell, known: Reports, restated: dict[int, Fact]) -> BuiltCell:
    """The sum that an item between segments is part of proves its sign, which a later report may turn around."""
    if one.evaluated is None or one.cell.value is None:
        return one
    if one.cell.role == "reconciling":
        known = {fact: [after for after in found if after.value != -one.cell.value] for fact, found in known.items()}
    for part in one.evaluated.parts.values():
        if said := doubtful(part, known):
            return one.without(broken(part.label, said, [part.held], part.selection.filing_figures).gap())
    if not one.cell.asked:
        return one
    found = list(restated_facts(one.evaluated, known, restated))
    notes = [
        note
        for part in one.evaluated.parts.values()
        if part.concept
        for note in about_split(
            part.concept, part.held.value, tuple(each.later for each in found if each.used == part.held.value)
        )
    ]
    notes += about_comparatives(one.evaluated)
    update = {"restated": tuple(found), "notes": tuple(dict.fromkeys((*one.cell.notes, *notes)))}
    return BuiltCell(one.cell.model_copy(update=update), one.version, one.company_filings, one.evaluated)


def basis_of(cells: Iterable[BuiltCell]) -> Basis | None:
    """Which reports give the figures, where another one gives a different figure; None where none does."""
    asked = [one.cell for one in cells if one.cell.asked and one.cell.value is not None]
    if any(one.recast and one.recast.first is not None for one in asked):
        return Basis.LAST
    return Basis.FIRST if any(one.restated for one in asked) else None


def doubtful(part: FactOperand, known: Reports) -> list[str]:
    """The doubts about a fact, in sentences."""
    fact = part.held.fact
    after = [one.value for one in known.get(fact.pk, ())]
    if part.concept is None:
        return [doubt.sentence for value in after for doubt in against(part.held.value, value, part.key, fact.unit)]
    return [
        doubt.sentence
        for doubt in doubts(part.held.value, fact.unit, part.concept, after, tagged=True, face_held=part.face_held)
    ]


def restatements(of: Iterable[Evaluated], known: Reports) -> dict[int, Fact]:
    """The facts of later filings that differ from those used, read in one query."""
    wanted = {
        after.fact
        for one in of
        for part in one.parts.values()
        for after in known.get(part.held.fact.pk, ())
        if _differs(part, after)
    }
    if not wanted:
        return {}
    found = Fact.objects.select_related("filing__company").in_bulk(wanted)
    # One object for each filing, so that the labels of its parts are read once.
    filings: dict[int, Filing] = {}
    for fact in found.values():
        fact.filing = filings.setdefault(fact.filing_id, fact.filing)
    return found


def _differs(part: FactOperand, after: Later) -> bool:
    fact = part.held.fact
    return not same_after_rounding(after.value, after.decimals, fact.value, fact.decimals)


def restated_facts(one: Evaluated, known: Reports, restated: dict[int, Fact]) -> Iterator[Restated]:
    """Which facts of an evaluated expression later filings report differently."""
    for part in one.parts.values():
        for after in known.get(part.held.fact.pk, ()):
            if after.fact in restated and _differs(part, after):
                fact = restated[after.fact]
                change = LaterValue(
                    fact=reference(fact),
                    fiscal_year=fact.filing.fiscal_year,
                    change=after.value - part.held.value,
                )
                yield Restated(concept=part.key, fiscal_year=part.year, used=part.held.value, later=change)


def about_comparatives(one: Evaluated) -> list[str]:
    """Notes on operands from a later filing's comparatives that the year's own 10-K reported differently."""
    found = []
    for part in one.parts.values():
        own = part.company_filings.selection(part.year) if part.concept and part.year < part.filed_for else None
        first = own.annual(part.key) if own else None
        value: Decimal | None = getattr(first, "value", None)
        if own is None or value is None or same_after_rounding(value, None, part.held.value, part.held.fact.decimals):
            continue
        when = capitalized(Place(part.year, part.company_filings.period).called)
        found.append(f"{when} {lower_first(part.label)} first reported as {exact(value, part.held.fact.unit)}.")
    return found
