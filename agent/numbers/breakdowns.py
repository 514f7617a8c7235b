"""A measure by segment, product or region: one row for each part, one for the remainder, one for the total."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations

from agent.numbers.cells import REACH, BuiltCell, build_cell, empty, is_unread
from agent.numbers.company_filings import CompanyFilings
from agent.numbers.expressions import Binary, Expr, Name
from agent.numbers.formula import operands
from agent.numbers.gaps import Unanswered
from agent.numbers.measures import Version, share, versions
from agent.numbers.members import AXES, Divided, divided, own_members
from agent.numbers.registry import Registry
from agent.numbers.registry_schema import normalise
from agent.numbers.share_classes import by_class
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first
from agent.state.query import Breakdown, Change, Concept, Line, Member, Metric
from agent.state.tables import Gap
from filings.models import Fact
from filings.xbrl.axes import class_names, words
from filings.xbrl.member_facts import labels as labels_of
from filings.xbrl.periods import Place

# Subsets that add up are searched among this many members: companies tag totals beside their parts.
MOST_PARTS = 16
# Members for all products together, which are no product.
ALL_OF_A_KIND = frozenset({"ProductOrServiceAxis=ProductMember"})
# Words in element names that stand for what is left besides the parts.
REMAINDERS = frozenset({"Corporate", "Eliminations", "Non", "Other", "Outside", "Rest", "Unallocated"})
ABROAD = {"region": frozenset({"International", "Foreign"}), "segment": frozenset[str](), "product": frozenset[str]()}
LEFT = "Other / eliminations"
# Parts of revenue add up to slightly more than the total, because segments sell to each other.
MOST_OVER = Decimal("1.15")


def broken_down(
    number: int, measure: Breakdown, company_filings: CompanyFilings, years: Sequence[int], registry: Registry
) -> Iterator[BuiltCell]:
    """The cells of every part in these fiscal years, then the remainder, then the total.

    Each year has the parts that its own filing reports, so that its column adds up. Where a later filing of these years
    regroups the parts and restates the year, the restated parts are used. With `shares`, each part's share of the
    newest year's total follows. Where the largest or smallest part is asked for, only that one is returned, for each
    year, before the others.
    """
    whole = versions(measure.of, registry)[0]
    if measure.axis == "class":
        yield from _by_class(number, measure, whole, company_filings, years, registry)
        return
    # Ratios and growth have the same parts as their operands, and no total.
    ratio = isinstance(measure.of, Metric | Change)
    divided_of = measure.of.of if isinstance(measure.of, Change) else measure.of
    if isinstance(divided_of, Metric):
        divided_of = Concept(key=operands(whole.expr)[0].name.key)
    rows, parts, recast = _rows(measure.model_copy(update={"of": divided_of}), company_filings, years)
    if measure.extreme:
        yield from _extreme(number, measure, whole, company_filings, years, registry)
        for label, told in rows.items():
            version = versions(Member(of=measure.of, label=label, members=(told,)), registry)[0]
            yield from (build_cell(version, number, company_filings, year, asked=False) for year in sorted(years))
        yield from (build_cell(whole, number, company_filings, year, asked=False) for year in sorted(years) if rows)
        return
    if not rows:
        yield from (_nothing(number, measure, whole, company_filings, year) for year in sorted(years))
        return
    of_year: dict[int, list[BuiltCell]] = {}
    for label, told in rows.items():
        for year in sorted(years):
            own = parts.get(year, {}).get(label)
            member = Member(of=measure.of, label=label, members=(own or told,))
            version = versions(member, registry)[0]
            if own:
                of_year.setdefault(year, []).append(
                    build_cell(version, number, company_filings, year, later=recast.get(year, 0))
                )
                yield of_year[year][-1]
            else:
                gap = (
                    _otherwise(whole, company_filings, year)
                    if year in parts
                    else _none(measure, whole, company_filings, year)
                )
                yield BuiltCell(empty(version, number, company_filings, year), version, company_filings).without(gap)
    left = {
        year: one
        for year in sorted(() if ratio else parts)
        if (one := _left(whole, of_year[year], number, company_filings, year, recast.get(year, 0)))
    }
    if any(map(_is_more_than_rounding, left.values())):
        yield from left.values()
    else:
        left = {}
    yield from (
        build_cell(whole, number, company_filings, year, asked=False, later=recast.get(year, 0))
        for year in sorted(years)
    )
    known = [year for year, cells in of_year.items() if any(one.cell.value is not None for one in cells)]
    for year in (max(known),) if known and measure.shares else ():
        for one in (*of_year[year], *filter(None, [left.get(year)])):
            yield build_cell(share(one.version, whole), number, company_filings, year)


def _rows(
    measure: Breakdown, company_filings: CompanyFilings, years: Sequence[int]
) -> tuple[dict[str, str], dict[int, dict[str, str]], dict[int, int]]:
    """The parts of all years by their label in the newest filing; the parts of each year as "Axis=Member"; and, for
    years that a later filing regroups, that filing's year.

    A part is the same in two years if its element is, or else its label.
    """
    rows: dict[str, str] = {}
    parts: dict[int, dict[str, str]] = {}
    recast: dict[int, int] = {}
    known: dict[str, str] = {}
    newer: list[tuple[str, str]] = []
    for year in sorted(years, reverse=True):
        of_year = chosen(measure, company_filings, year)
        for later in sorted(one for one in years if 0 < one - year <= REACH):
            # A filing with fewer of the same parts may have stopped tagging some; one with no tagged part may print
            # them.
            unlike = not _names(newer) <= _names(of_year) and _labels(newer) != _labels(of_year)
            if (of_year or is_unread(company_filings, year)) and unlike and company_filings.aligned(year, later):
                told_later = chosen(measure, company_filings, later, year - later)
                if _names(told_later) == _names(newer):
                    of_year, recast[year] = told_later, later
                    break
        newer = of_year or newer
        own: dict[str, str] = {}
        for told, label in sorted(of_year, key=lambda one: one[0] not in known):
            row = known.get(told) or known.get(normalise(label)) or label
            # Two members of one filing with the same label are two parts.
            row = words(told.partition("=")[2]) if row in own else row
            own[row] = told
            rows.setdefault(row, told)
            known = {normalise(row): row, normalise(label): row, told: row} | known
        if own:
            parts[year] = own
    return rows, parts, recast


def _names(parts: Sequence[tuple[str, str]]) -> set[str]:
    return {told for told, _ in parts}


def _labels(parts: Sequence[tuple[str, str]]) -> set[str]:
    return {normalise(label) for _, label in parts}


def _by_class(
    number: int,
    measure: Breakdown,
    whole: Version,
    company_filings: CompanyFilings,
    years: Sequence[int],
    registry: Registry,
) -> Iterator[BuiltCell]:
    """The cells of every share class: earnings per share and share counts, which add up to no total."""
    found: dict[str, None] = {}
    for year in sorted(years, reverse=True):
        selection = company_filings.selection(year)
        if selection and isinstance(measure.of, Concept):
            found |= dict.fromkeys(one.dimensions for one in by_class(measure.of, selection))
    names = {told: class_names(told.partition("=")[2]) for told in found}
    labels = {told: name[0] for told, name in names.items() if name}
    for told, label in sorted(labels.items(), key=lambda one: one[1]):
        version = versions(Member(of=measure.of, label=label, members=(told,)), registry)[0]
        yield from (build_cell(version, number, company_filings, year) for year in sorted(years))
    if not labels:
        yield from (_nothing(number, measure, whole, company_filings, year) for year in sorted(years))


def _nothing(number: int, measure: Breakdown, whole: Version, company_filings: CompanyFilings, year: int) -> BuiltCell:
    """The cell of a year without known parts."""
    blank = Version(whole.key, f"{whole.label} by {measure.axis}", whole.unit, Name(whole.key))
    return BuiltCell(empty(blank, number, company_filings, year), blank, company_filings).without(
        _none(measure, whole, company_filings, year)
    )


def _extreme(
    number: int,
    measure: Breakdown,
    whole: Version,
    company_filings: CompanyFilings,
    years: Sequence[int],
    registry: Registry,
) -> Iterator[BuiltCell]:
    """The largest or smallest part of each year, or the reason why there is none."""
    for year in sorted(years):
        if (first := _first(measure, company_filings, year)) is None:
            yield _nothing(number, measure, whole, company_filings, year)
            continue
        told, label = first
        version = versions(Member(of=measure.of, label=label, members=(told,)), registry)[0]
        said = f"{version.label} ({measure.first} {measure.axis})"
        one = build_cell(version, number, company_filings, year)
        yield replace(one, cell=one.cell.model_copy(update={"label": said}))


def chosen(measure: Breakdown, company_filings: CompanyFilings, year: int, offset: int = 0) -> list[tuple[str, str]]:
    """The parts that a filing divides a figure into, as ("Axis=Member", label), in document order.

    offset: years before the filing's own. Where totals stand among the parts, the largest set that adds up to the whole
    is used. Where no set adds up, all are used unless they overlap.
    """
    if (figure := _divided(measure, company_filings, year, offset)) is None:
        return []
    most = MOST_OVER if figure.whole.name in company_filings.registry.concepts["revenue"].names else 2
    for facts in _divisions(measure, figure):
        names = next(_adding_up(facts, figure.whole), list(facts))
        positive = all(one.value >= 0 for one in facts.values())
        over = sum(one.value for one in facts.values()) > figure.whole.value * most
        if not (names == list(facts) and positive and over):
            return _labelled(names, company_filings, year)
    return []


def _first(measure: Breakdown, company_filings: CompanyFilings, year: int) -> tuple[str, str] | None:
    """The largest or smallest part, as ("Axis=Member", label).

    None where the sets of parts that add up to the total do not all have the same largest part.
    """
    if not measure.extreme or (figure := _divided(measure, company_filings, year)) is None:
        return None
    facts = next(_divisions(measure, figure), {})
    facts = {told: one for told, one in facts.items() if told not in ALL_OF_A_KIND or len(facts) < 3}
    best = max if measure.extreme == "highest" else min
    firsts = set()
    for names in _adding_up(facts, figure.whole):
        value = best(facts[name].value for name in names)
        firsts |= {name for name in names if facts[name].value == value}
    told = next(iter(firsts), "")
    rest = (REMAINDERS | ABROAD[measure.axis]) & set(words(told.partition("=")[2]).split())
    return _labelled([told], company_filings, year)[0] if len(firsts) == 1 and not rest else None


def _labelled(names: Sequence[str], company_filings: CompanyFilings, year: int) -> list[tuple[str, str]]:
    """Parts with the filing's labels; where the filing has none, the year's own 10-K gives them."""
    selections = filter(None, (company_filings.selection(year), company_filings.annual.selection(year)))
    labels = [labels_of(selection.filing_figures.filing) for selection in selections]

    def label(told: str) -> str:
        member = told.partition("=")[2]
        called = [one[told] for one in labels if told in one]
        named = [one for one in called if normalise(one) != normalise(words(member))]
        return (named or called or [member])[0]

    return [(told, label(told)) for told in names]


def _divided(measure: Breakdown, company_filings: CompanyFilings, year: int, offset: int = 0) -> Divided | None:
    if not isinstance(measure.of, Concept | Line) or (selection := company_filings.selection(year)) is None:
        return None
    try:
        return divided(measure.of, selection, company_filings, year, offset)
    except Unanswered:
        return None


def _divisions(measure: Breakdown, figure: Divided) -> Iterator[dict[str, Fact]]:
    """The facts of each axis and element with more than one part, the total's own element first."""
    for axis in AXES[measure.axis]:
        for element in dict.fromkeys((figure.whole.name, *figure.names)):
            facts = {told: figure.of((told,), element)[0] for told in _members_given(figure, element, axis)}
            if len(facts) > 1:
                yield facts


def _members_given(figure: Divided, element: str, axis: str) -> dict[str, None]:
    """The parts of one axis that an element is tagged with, in document order."""
    alone = (told for one in figure.facts if one.name == element and len(told := own_members(one)) == 1)
    return dict.fromkeys(told for (told,) in alone if told.startswith(f"{axis}="))


def _adding_up(facts: dict[str, Fact], whole: Fact) -> Iterator[list[str]]:
    """The sets of parts that add up to the total within rounding, the largest set first."""
    names = list(facts)
    for size in range(len(names), 1, -1) if len(names) <= MOST_PARTS else ():
        for some in combinations(names, size):
            rounding = _rounding(facts[name].decimals for name in some)
            if abs(sum(facts[name].value for name in some) - whole.value) <= rounding:
                yield list(some)


def _rounding(decimals: Iterable[int | None]) -> Decimal:
    """The largest difference that rounding can make when these figures are added up."""
    return sum((Decimal(10) ** -(one or 0) for one in decimals), Decimal(0)) / 2


def _is_more_than_rounding(left: BuiltCell) -> bool:
    value = left.cell.value
    return value is not None and abs(value) > _rounding(one.decimals for one in left.cell.facts)


def _left(
    whole: Version, parts: Sequence[BuiltCell], number: int, company_filings: CompanyFilings, year: int, later: int
) -> BuiltCell | None:
    """The remainder of one year after its parts; None where a part has no figure."""
    if any(one.cell.value is None for one in parts):
        return None
    expr: Expr = whole.expr
    for one in parts:
        expr = Binary("-", expr, one.version.expr)
    lines = {name: line for one in parts for name, line in one.version.lines.items()}
    key = f"{whole.key}_left"
    rest = replace(whole, key=key, label=LEFT, expr=expr, lines=lines, crosscheck="")
    return build_cell(rest, number, company_filings, year, later=later)


def _otherwise(whole: Version, company_filings: CompanyFilings, year: int) -> Gap:
    text = f"{company_filings.company.called} breaks {lower_first(whole.label)} for {Place(year, company_filings.period).called} into other parts."
    return Gap(code=Code.DIMENSIONAL_ONLY, text=text)


def _none(measure: Breakdown, whole: Version, company_filings: CompanyFilings, year: int) -> Gap:
    text = f"{company_filings.company.called} reports no {lower_first(whole.label)} by {measure.axis} for {Place(year, company_filings.period).called}."
    if measure.extreme and chosen(measure, company_filings, year):
        text = (
            f"{company_filings.company.called} reports no single set of {measure.axis}s that adds up to its {lower_first(whole.label)} for "
            f"{Place(year, company_filings.period).called}, so none can be called the {measure.first}."
        )
    return Gap(code=Code.DIMENSIONAL_ONLY, text=text, looked_for=(("Parts", measure.axis),))
