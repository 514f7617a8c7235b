"""A measure divided into the parts of a company: a row for each, and one for what they leave of the whole."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations

from agent.numbers.cells import REACH, BuiltCell, empty, is_unread, made
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

# A set that adds up is looked for among so many: a company tells totals among its parts.
MOST_PARTS = 16
# All products told as one, which is no product among others.
ALL_OF_A_KIND = frozenset({"ProductOrServiceAxis=ProductMember"})
# Words of elements that stand for what is left of a company besides its parts.
REMAINDERS = frozenset({"Corporate", "Eliminations", "Non", "Other", "Outside", "Rest", "Unallocated"})
ABROAD = {"region": frozenset({"International", "Foreign"}), "segment": frozenset[str](), "product": frozenset[str]()}
LEFT = "Other / eliminations"
# Parts of revenue come to a little more than the whole, by what they sell each other.
MOST_OVER = Decimal("1.15")


def broken_down(
    number: int, measure: Breakdown, company_filings: CompanyFilings, years: Sequence[int], registry: Registry
) -> Iterator[BuiltCell]:
    """The cells of every part in these fiscal years, those of the newest first, then what is left, then the whole.

    A year has the parts that its filing divides the figure into: its column adds up to the whole. Where the filing of a
    later of these years divides it otherwise, and gives its own comparatives for it, a year has those. With `shares`, what
    each of the newest year with figures is of the whole follows. Where the largest or smallest is asked, it alone is: of
    each year, before the others.
    """
    whole = versions(measure.of, registry)[0]
    if measure.axis == "class":
        yield from _by_class(number, measure, whole, company_filings, years, registry)
        return
    # A ratio and growth have the parts that what is divided in them has, and no sum of them.
    ratio = isinstance(measure.of, Metric | Change)
    divided_of = measure.of.of if isinstance(measure.of, Change) else measure.of
    if isinstance(divided_of, Metric):
        divided_of = Concept(key=operands(whole.expr)[0].name.key)
    rows, parts, recast = _rows(measure.model_copy(update={"of": divided_of}), company_filings, years)
    if measure.extreme:
        yield from _extreme(number, measure, whole, company_filings, years, registry)
        for label, told in rows.items():
            version = versions(Member(of=measure.of, label=label, members=(told,)), registry)[0]
            yield from (made(version, number, company_filings, year, asked=False) for year in sorted(years))
        yield from (made(whole, number, company_filings, year, asked=False) for year in sorted(years) if rows)
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
                    made(version, number, company_filings, year, later=recast.get(year, 0))
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
        made(whole, number, company_filings, year, asked=False, later=recast.get(year, 0)) for year in sorted(years)
    )
    known = [year for year, cells in of_year.items() if any(one.cell.value is not None for one in cells)]
    for year in (max(known),) if known and measure.shares else ():
        for one in (*of_year[year], *filter(None, [left.get(year)])):
            yield made(share(one.version, whole), number, company_filings, year)


def _rows(
    measure: Breakdown, company_filings: CompanyFilings, years: Sequence[int]
) -> tuple[dict[str, str], dict[int, dict[str, str]], dict[int, int]]:
    """The parts of all years by the label that the newest filing gives them, those of each year, "Axis=Member", and the
    years of which a later one's filing recasts them, with that year.

    A part is the same in two years by its element, else by its label.
    """
    rows: dict[str, str] = {}
    parts: dict[int, dict[str, str]] = {}
    recast: dict[int, int] = {}
    known: dict[str, str] = {}
    newer: list[tuple[str, str]] = []
    for year in sorted(years, reverse=True):
        of_year = chosen(measure, company_filings, year)
        for later in sorted(one for one in years if 0 < one - year <= REACH):
            # That of fewer of the same parts may tag some no longer, and one of none may have printed them.
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
            # Two of one filing that are called alike are two.
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
    """The cells of every class of shares: earnings per share and counts, which add up to no whole."""
    found: dict[str, None] = {}
    for year in sorted(years, reverse=True):
        selection = company_filings.selection(year)
        if selection and isinstance(measure.of, Concept):
            found |= dict.fromkeys(one.dimensions for one in by_class(measure.of, selection))
    names = {told: class_names(told.partition("=")[2]) for told in found}
    labels = {told: name[0] for told, name in names.items() if name}
    for told, label in sorted(labels.items(), key=lambda one: one[1]):
        version = versions(Member(of=measure.of, label=label, members=(told,)), registry)[0]
        yield from (made(version, number, company_filings, year) for year in sorted(years))
    if not labels:
        yield from (_nothing(number, measure, whole, company_filings, year) for year in sorted(years))


def _nothing(number: int, measure: Breakdown, whole: Version, company_filings: CompanyFilings, year: int) -> BuiltCell:
    """The cell of a year in which no part is known."""
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
    """The largest or smallest part of each year, or why none is known to be."""
    for year in sorted(years):
        if (first := _first(measure, company_filings, year)) is None:
            yield _nothing(number, measure, whole, company_filings, year)
            continue
        told, label = first
        version = versions(Member(of=measure.of, label=label, members=(told,)), registry)[0]
        said = f"{version.label} ({measure.first} {measure.axis})"
        one = made(version, number, company_filings, year)
        yield replace(one, cell=one.cell.model_copy(update={"label": said}))


def chosen(measure: Breakdown, company_filings: CompanyFilings, year: int, offset: int = 0) -> list[tuple[str, str]]:
    """The parts that a figure is divided into in a filing, as ("Axis=Member", label), in the order of the document; of
    its own year, or `offset` years back.

    Of parts with their totals among them, the largest set that adds up to the whole. Where none does, all of them, if
    they can be parts: those that come to more than a whole of their sign overlap.
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
    """The largest or smallest part, as ("Axis=Member", label); None where it is not known which are the parts.

    Every set of parts that adds up to the whole must have the same first, alone.
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
    """Parts with what the filing calls them; where it has only the element's own words, as the year's 10-K does."""
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
    """The facts of the parts of each axis and element that tell more than one, the whole's own element first."""
    for axis in AXES[measure.axis]:
        for element in dict.fromkeys((figure.whole.name, *figure.names)):
            facts = {told: figure.of((told,), element)[0] for told in _told(figure, element, axis)}
            if len(facts) > 1:
                yield facts


def _told(figure: Divided, element: str, axis: str) -> dict[str, None]:
    """The parts of one axis that an element is tagged of, in the order of the document."""
    alone = (told for one in figure.facts if one.name == element and len(told := own_members(one)) == 1)
    return dict.fromkeys(told for (told,) in alone if told.startswith(f"{axis}="))


def _adding_up(facts: dict[str, Fact], whole: Fact) -> Iterator[list[str]]:
    """The sets of parts that add up to the whole, each part rounded as it says, the largest first."""
    names = list(facts)
    for size in range(len(names), 1, -1) if len(names) <= MOST_PARTS else ():
        for some in combinations(names, size):
            rounding = _rounding(facts[name].decimals for name in some)
            if abs(sum(facts[name].value for name in some) - whole.value) <= rounding:
                yield list(some)


def _rounding(decimals: Iterable[int | None]) -> Decimal:
    """What figures that are rounded so may be off by when they are added up."""
    return sum((Decimal(10) ** -(one or 0) for one in decimals), Decimal(0)) / 2


def _is_more_than_rounding(left: BuiltCell) -> bool:
    value = left.cell.value
    return value is not None and abs(value) > _rounding(one.decimals for one in left.cell.facts)


def _left(
    whole: Version, parts: Sequence[BuiltCell], number: int, company_filings: CompanyFilings, year: int, later: int
) -> BuiltCell | None:
    """What the parts of one year leave of the whole; None where one of them has no figure."""
    if any(one.cell.value is None for one in parts):
        return None
    expr: Expr = whole.expr
    for one in parts:
        expr = Binary("-", expr, one.version.expr)
    lines = {name: line for one in parts for name, line in one.version.lines.items()}
    key = f"{whole.key}_left"
    rest = replace(whole, key=key, label=LEFT, expr=expr, lines=lines, crosscheck="")
    return made(rest, number, company_filings, year, later=later)


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
