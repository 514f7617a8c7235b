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
from agent.numbers.members import AXES, Divided, divided, own_members
from agent.numbers.registry import Registry
from agent.refusals.codes import Code
from agent.refusals.labels import lower_first
from agent.state.query import Breakdown, Concept, Line, Member
from agent.state.tables import Gap
from filings.models import Fact
from filings.xbrl.axes import words
from filings.xbrl.parts import labels as labels_of

# A set that adds up is looked for among so many: a company tells totals among its parts.
MOST_PARTS = 16
# All products told as one, which is no product among others.
ALL_OF_A_KIND = frozenset({"ProductOrServiceAxis=ProductMember"})
# Words of elements that stand for what is left of a company besides its parts.
REMAINDERS = frozenset({"Corporate", "Eliminations", "Non", "Other", "Outside", "Rest", "Unallocated"})
ABROAD = {"region": frozenset({"International", "Foreign"}), "segment": frozenset[str](), "product": frozenset[str]()}
LEFT = "Not in these parts"
# Parts of revenue come to a little more than the whole, by what they sell each other.
MOST_OVER = Decimal("1.15")


def broken_down(
    number: int, measure: Breakdown, ledger: Ledger, years: Sequence[int], registry: Registry
) -> Iterator[Made]:
    """The cells of every part in these fiscal years, those of the newest first, then what is left, then the whole.

    Where the largest or smallest is asked, it alone is: of each year, before the others.
    """
    whole = versions(measure.of, registry)[0]
    found: dict[str, list[Made]] = {}
    parts: dict[int, list[str]] = {}
    for year in sorted(years, reverse=True):
        for told, label in chosen(measure, ledger, year):
            member = Member(of=measure.of, label=label, members=(told,))
            if label not in found:
                version = versions(member, registry)[0]
                found[label] = [made(version, number, ledger, one, asked=not measure.extreme) for one in sorted(years)]
            parts.setdefault(year, []).append(label)
    for year in sorted(years) if measure.extreme or not found else ():
        if (first := _first(measure, ledger, year)) is None:
            blank = Version(whole.key, f"{whole.label} by {measure.axis}", whole.unit, Name(whole.key))
            yield Made(empty(blank, number, ledger, year), blank, ledger).without(_none(measure, whole, ledger, year))
            continue
        told, label = first
        version = versions(Member(of=measure.of, label=label, members=(told,)), registry)[0]
        said = f"{version.label} ({measure.first} {measure.axis})"
        one = made(version, number, ledger, year)
        yield replace(one, cell=one.cell.model_copy(update={"label": said}))
    if not found:
        return
    for cells in found.values():
        yield from cells
    left = [
        _left(whole, [found[label] for label in parts.get(year, ())], number, ledger, year) for year in sorted(years)
    ]
    if not measure.extreme and any(one and one.cell.value for one in left):
        yield from filter(None, left)
    yield from (made(whole, number, ledger, year, asked=False) for year in sorted(years))


def chosen(measure: Breakdown, ledger: Ledger, year: int) -> list[tuple[str, str]]:
    """The parts that a figure is divided into in a filing, as ("Axis=Member", label), in the order of the document.

    Of parts with their totals among them, the largest set that adds up to the whole. Where none does, all of them, if
    they can be parts: those that come to more than a whole of their sign overlap.
    """
    if (figure := _divided(measure, ledger, year)) is None:
        return []
    labels, facts = _parts(measure, figure, ledger, year)
    names = next(_adding_up(facts, figure.whole), list(facts))
    most = MOST_OVER if figure.whole.name in ledger.registry.concepts["revenue"].names else 2
    positive = all(one.value >= 0 for one in facts.values())
    if names == list(facts) and positive and sum(one.value for one in facts.values()) > figure.whole.value * most:
        return []
    return [(told, labels.get(told, told.partition("=")[2])) for told in names]


def _first(measure: Breakdown, ledger: Ledger, year: int) -> tuple[str, str] | None:
    """The largest or smallest part, as ("Axis=Member", label); None where it is not known which are the parts.

    Every set of parts that adds up to the whole must have the same first, alone.
    """
    if not measure.extreme or (figure := _divided(measure, ledger, year)) is None:
        return None
    labels, facts = _parts(measure, figure, ledger, year)
    facts = {told: one for told, one in facts.items() if told not in ALL_OF_A_KIND or len(facts) < 3}
    best = max if measure.extreme == "highest" else min
    firsts = set()
    for names in _adding_up(facts, figure.whole):
        value = best(facts[name].value for name in names)
        firsts |= {name for name in names if facts[name].value == value}
    told = next(iter(firsts), "")
    rest = (REMAINDERS | ABROAD[measure.axis]) & set(words(told.partition("=")[2]).split())
    return (told, labels.get(told, told.partition("=")[2])) if len(firsts) == 1 and not rest else None


def _divided(measure: Breakdown, ledger: Ledger, year: int) -> Divided | None:
    if not isinstance(measure.of, Concept | Line) or (selection := ledger.selection(year)) is None:
        return None
    try:
        return divided(measure.of, selection, ledger, year)
    except Unanswered:
        return None


def _parts(measure: Breakdown, figure: Divided, ledger: Ledger, year: int) -> tuple[dict[str, str], dict[str, Fact]]:
    """What the filing calls its members, and the facts of those of the first axis that tells more than one."""
    selection = ledger.selection(year)
    labels = labels_of(selection.book.filing) if selection else {}
    alike = [told for one in figure.facts if one.name == figure.whole.name and len(told := own_members(one)) == 1]
    for axis in AXES[measure.axis]:
        names = dict.fromkeys(told for (told,) in alike if told.startswith(f"{axis}="))
        if len(names) > 1:
            return labels, {name: figure.of((name,))[0] for name in names}
    return labels, {}


def _adding_up(facts: dict[str, Fact], whole: Fact) -> Iterator[list[str]]:
    """The sets of parts that add up to the whole, each part rounded as it says, the largest first."""
    names = list(facts)
    for size in range(len(names), 1, -1) if len(names) <= MOST_PARTS else ():
        for some in combinations(names, size):
            rounding = sum(10 ** -(facts[name].decimals or 0) for name in some) / 2
            if abs(sum(facts[name].value for name in some) - whole.value) <= rounding:
                yield list(some)


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
    if measure.extreme and chosen(measure, ledger, year):
        text = f"{ledger.company.called} tags no {measure.axis}s that add up to its {lower_first(whole.label)} of fiscal {year} in one way, so none is the {measure.first}."
    return Gap(code=Code.DIMENSIONAL_ONLY, text=text, looked_for=(("Parts", measure.axis),))
