"""A measure divided into the parts of a company: a row for each, and one for what they leave of the whole."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations

from agent.numbers.cells import Made, empty, made
from agent.numbers.expressions import Binary, Expr, Name
from agent.numbers.gaps import Unanswered
from agent.numbers.ledger import Ledger
from agent.numbers.measures import Version, versions
from agent.numbers.members import AXES, divided, own_members
from agent.numbers.registry import Registry
from agent.refusals.codes import Code
from agent.refusals.labels import lower_first
from agent.state.query import Breakdown, Concept, Line, Member
from agent.state.tables import Gap
from filings.models import Fact
from filings.xbrl.parts import labels as labels_of

# A set that adds up is looked for among so many: a company tells totals among its parts.
MOST_PARTS = 16
LEFT = "Not in these parts"
# Parts of revenue come to a little more than the whole, by what they sell each other.
MOST_OVER = Decimal("1.15")


def broken_down(
    number: int, measure: Breakdown, ledger: Ledger, years: Sequence[int], registry: Registry
) -> Iterator[Made]:
    """The cells of every part in these fiscal years, those of the newest first, then what is left, then the whole."""
    whole = versions(measure.of, registry)[0]
    found: dict[str, list[Made]] = {}
    parts: dict[int, list[str]] = {}
    for year in sorted(years, reverse=True):
        for told, label in chosen(measure, ledger, year):
            member = Member(of=measure.of, label=label, members=(told,))
            if label not in found:
                version = versions(member, registry)[0]
                found[label] = [made(version, number, ledger, one) for one in sorted(years)]
            parts.setdefault(year, []).append(label)
    if not found:
        blank = Version(whole.key, f"{whole.label} by {measure.axis}", whole.unit, Name(whole.key))
        for year in sorted(years):
            yield Made(empty(blank, number, ledger, year), blank, ledger).without(_none(measure, whole, ledger, year))
        return
    for cells in found.values():
        yield from cells
    left = [
        _left(whole, [found[label] for label in parts.get(year, ())], number, ledger, year) for year in sorted(years)
    ]
    if any(one and one.cell.value for one in left):
        yield from filter(None, left)
    yield from (made(whole, number, ledger, year, asked=False) for year in sorted(years))


def chosen(measure: Breakdown, ledger: Ledger, year: int) -> list[tuple[str, str]]:
    """The parts that a figure is divided into in a filing, as ("Axis=Member", label), in the order of the document.

    Of parts with their totals among them, the largest set that adds up to the whole; all, where none does.
    """
    if not isinstance(measure.of, Concept | Line) or (selection := ledger.selection(year)) is None:
        return []
    try:
        figure = divided(measure.of, selection, ledger, year)
    except Unanswered:
        return []
    alike = [told for one in figure.facts if one.name == figure.whole.name and len(told := own_members(one)) == 1]
    for axis in AXES[measure.axis]:
        names = dict.fromkeys(told for (told,) in alike if told.startswith(f"{axis}="))
        if len(names) > 1:
            labels = labels_of(selection.book.filing)
            most = MOST_OVER if figure.whole.name in ledger.registry.concepts["revenue"].names else 2
            shown = _adding_up({name: figure.of((name,))[0] for name in names}, figure.whole, most)
            return [(told, labels.get(told, told.partition("=")[2])) for told in shown]
    return []


def _adding_up(facts: dict[str, Fact], whole: Fact, most: Decimal | int) -> list[str]:
    """The largest set of parts that adds up to the whole, each rounded as it says.

    Where none does, all of them, if they can be parts: those that come to more than so many wholes of their sign overlap.
    """
    names = list(facts)
    for size in range(len(names), 1, -1) if len(names) <= MOST_PARTS else ():
        for some in combinations(names, size):
            rounding = sum(10 ** -(facts[name].decimals or 0) for name in some) / 2
            if abs(sum(facts[name].value for name in some) - whole.value) <= rounding:
                return list(some)
    positive = all(one.value >= 0 for one in facts.values())
    return names if not positive or sum(one.value for one in facts.values()) <= whole.value * most else []


def _left(whole: Version, parts: Sequence[Sequence[Made]], number: int, ledger: Ledger, year: int) -> Made | None:
    """What the parts of one year leave of the whole; None where nothing is known of it."""
    of_year = [one for cells in parts for one in cells if one.cell.fiscal_year == year and one.cell.value is not None]
    if not of_year:
        return None
    expr: Expr = whole.expr
    for one in of_year:
        expr = Binary("-", expr, one.version.expr)
    lines = {name: line for one in of_year for name, line in one.version.lines.items()}
    key = f"{whole.key}_left"
    return made(replace(whole, key=key, label=LEFT, expr=expr, lines=lines, crosscheck=""), number, ledger, year)


def _none(measure: Breakdown, whole: Version, ledger: Ledger, year: int) -> Gap:
    text = f"{ledger.company.called} tags no {lower_first(whole.label)} by {measure.axis} for fiscal {year}."
    return Gap(code=Code.DIMENSIONAL_ONLY, text=text, looked_for=(("Parts", measure.axis),))
