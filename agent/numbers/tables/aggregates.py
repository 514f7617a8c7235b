"""Operations over a row's years that give one number: average, sum, growth, CAGR, highest, lowest.

The operands come from one filing where it has them: the 10-K of the latest year. A longer span takes each further year
from its own 10-K.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal

from agent.numbers.basis.series import same
from agent.numbers.cells.cells import from_filing
from agent.numbers.cells.multi_report import check_quarters
from agent.numbers.cells.operation_results import Outcome, RowValue, finished, left_out, merge, ordered, undecided
from agent.numbers.cells.row_expressions import HUNDRED, ONE, PERCENTAGES, changed
from agent.numbers.facts.company_filings import REACH
from agent.numbers.facts.evaluated import Evaluated, on_shares
from agent.numbers.facts.gaps import Unanswered, meaningless
from agent.numbers.registry.expressions import Binary, Expr, Number
from agent.refusals.codes import Code
from agent.refusals.grammar import listed, lower_first
from agent.state.query import Over
from agent.state.tables import Gap, Result
from filings.xbrl.periods import Place

EXTREMES = (Over.HIGHEST, Over.LOWEST)


def over_years(over: Over, items: list[RowValue]) -> Outcome:
    """The average, sum, growth or extreme of one row over its years, oldest first."""
    first, last = items[0], items[-1]
    base = last.base(over.value, (place for one in items for place in one.places))
    if over in EXTREMES:
        return _extreme(over, items, base)
    needed = items if over in (Over.AVERAGE, Over.SUM) else [first, last]
    if missing := [one for one in needed if one.value is None]:
        return _without(_missing(missing), base, last)
    if refused := _unfit(over, items):
        return _without(refused, base, last)
    try:
        chain = chained(needed)
    except Unanswered as error:
        return _without(error.gap(), base, last)
    if refused := incomparable(items, chain.values()):
        return _without(refused, base, last)
    tree, unit = _over(over, [chain[one.place].tree for one in needed], last.unit, last.year - first.year)
    merged = merge(tree, chain.values())
    calendar = tuple(place for one in needed for place in one.calendar)
    done = finished(base, merged, unit, last, tuple(one.place for one in needed), calendar)
    done = replace(done, item=done.item and done.item.named_after(over.value))
    if of_unlike_parts(items) or last.company_filings.aligned(first.year, last.year):
        return done
    ends = listed([f"{last.company_filings.by_year[one.year].period_end:%-d %b %Y}" for one in (first, last)])
    note = f"The company changed its fiscal year: these years end on {ends}."
    return replace(done, result=done.result.model_copy(update={"notes": (*done.result.notes, note)}))


def _without(gap: Gap | None, base: Result, last: RowValue) -> Outcome:
    """No number, and why: others are not compared without a word about it."""
    item = replace(last.named_after(base.operation), value=None, evaluated=None, gap=gap, unit=base.unit)
    return Outcome(base.model_copy(update={"gap": gap}), item)


def from_first_to_last(items: list[RowValue]) -> Result | None:
    """The change of a row from its first year to its last: in percent, points, times or days.

    Of a row whose basis breaks, the first year after the last break counts. None where a value is missing or the two are
    not comparable: other units, other share counts, or a changed fiscal year.
    """
    items = sorted(items, key=lambda one: one.places)
    items = items[max((at for at, one in enumerate(items) if one.basis_break), default=0) :]
    if len(items) < 2:
        return None
    first, last = items[0], items[-1]
    of = [one.evaluated for one in (first, last) if one.evaluated is not None]
    if len(of) < 2 or first.year == last.year or first.unit != last.unit:
        return None
    if incomparable(items, of) or not last.company_filings.aligned(first.year, last.year):
        return None
    over = Over.CHANGE if last.unit in ("ratio", "days") else Over.GROWTH
    tree, unit = _over(over, [one.tree for one in of], last.unit, last.year - first.year)
    base = Result(operation=over.value, row=last.row, label=last.version.label, cik=last.company_filings.company.cik)
    found = finished(base, merge(tree, of), unit, last, (first.place, last.place)).result
    return found if found.value is not None else None


def incomparable(items: list[RowValue], of: Iterable[Evaluated]) -> Gap | None:
    """Why figures of several years of one company are not comparable; None where they are.

    A share split, regrouped parts, or restated quarters lie between them. Figures of one filing are comparable: it
    restates its own comparatives.
    """
    found, last = list(of), items[-1]
    try:
        if of_unlike_parts(items):
            check_quarters(last.version.expr, last.version.lines, [(one.company_filings, one.year) for one in items])
            return None
    except Unanswered as error:
        return error.gap()
    # A break before the first of them is none between them.
    broken = next((one for one in reversed(items[1:]) if one.basis_break), None)
    if broken is None:
        return None
    both = f"{last.version.label} for {items[0].place.called} and {last.place.called}"
    if any(map(on_shares, found)) and (splits := last.company_filings.splits(items[0].year, last.year)):
        why = "Shares were split or combined: the fiscal {} 10-K restates earlier figures by a whole-number factor."
        return meaningless(f"{both} are on different share counts.", why.format(splits[0]))
    since = f"From {broken.place.called} on, the figures are on one basis." if broken is not last else ""
    return Gap(
        code=Code.CONFLICT,
        text=f"{both} are not on the same basis.",
        detail=" ".join(filter(None, (broken.basis_break, since))),
    )


def _missing(items: Sequence[RowValue]) -> Gap | None:
    """Why nothing is computed over a row: the reason of the one value that it lacks, or all that it lacks."""
    gap = items[0].gap
    if len(items) < 2 or gap is None or not all(one.places for one in items):
        return gap
    said = listed([one.place.called for one in items])
    return gap.model_copy(update={"text": f"Figures for {said} are missing.", "detail": gap.text})


def _unfit(over: Over, items: list[RowValue]) -> Gap | None:
    """Why an operation makes no sense for a measure; None where it does."""
    last = items[-1]
    label, company = last.version.label, last.company_filings.company.called
    if over is Over.SUM and (last.version.balance or last.unit in {*PERCENTAGES, "ratio", "days", "pure"}):
        return meaningless(
            f"{label} cannot be added up over years.", "It is a balance or a ratio, not an amount for a year."
        )
    if over is Over.CAGR and last.unit in {*PERCENTAGES, "pure"}:
        return meaningless(f"{label} is a percentage, so it has no compound growth rate.")
    if over in (Over.CAGR, Over.GROWTH, Over.CHANGE) and len(items) < 2:
        return meaningless(f"Growth of {lower_first(label)} needs two years.", "Name the first and the last year.")
    if over is Over.CAGR and last.value is not None and last.value <= 0:
        return meaningless(
            f"A compound growth rate of {lower_first(label)} is not meaningful for {company}.",
            f"Its figure for fiscal {last.year} is zero or negative.",
        )
    return None


def _over(over: Over, trees: list[Expr], unit: str, years: int) -> tuple[Expr, str]:
    first, last = trees[0], trees[-1]
    match over:
        case Over.CAGR:
            root = Binary("**", Binary("/", last, first), Binary("/", ONE, Number(Decimal(years))))
            return Binary("*", HUNDRED, Binary("-", root, ONE)), "percent"
        case Over.GROWTH | Over.CHANGE:
            return changed(last, first, unit, percent=over is Over.GROWTH)
    total = trees[-1]
    for tree in reversed(trees[:-1]):
        total = Binary("+", total, tree)
    return (Binary("/", total, Number(Decimal(len(trees)))) if over is Over.AVERAGE else total), unit


def chained(items: Sequence[RowValue]) -> dict[Place, Evaluated]:
    """The evaluated row in several years, from as few filings as possible; unlike quarters each from their own.

    items: oldest first. Raises Unanswered.
    """
    version, company_filings = items[-1].version, items[-1].company_filings
    if of_unlike_parts(items):
        return {one.place: one.evaluated for one in items if one.evaluated}
    found: dict[Place, Evaluated] = {}
    anchor: int | None = None
    for one in reversed(items):
        if one.evaluated is None:
            raise TypeError(f"{one.called} has no figure.")
        if anchor is not None and anchor - one.year <= REACH:
            with suppress(Unanswered):
                again = from_filing(version, company_filings, one.year, anchor)
                if same(again, one.evaluated):
                    found[one.place] = again
                    continue
        found[one.place] = one.evaluated
        anchor = max(part.filed_for for part in one.evaluated.parts.values())
    return found


def of_unlike_parts(items: Sequence[RowValue]) -> bool:
    """Whether the figures are for different parts of years, such as four quarters, each from its own report."""
    return any(one.company_filings is not items[-1].company_filings for one in items)


def _extreme(over: Over, items: list[RowValue], base: Result) -> Outcome:
    held = [one for one in items if one.value is not None]
    if not held:
        return Outcome(base.model_copy(update={"gap": items[-1].gap}))
    if refused := undecided(items) or incomparable(held, [one.evaluated for one in held if one.evaluated]):
        return Outcome(base.model_copy(update={"gap": refused}))
    order = ordered(held, highest=over is Over.HIGHEST)
    best = next(one for one in held if one.placed.model_copy(update={"rank": 1}) == order[0])
    result = base.model_copy(
        update={
            "value": best.value,
            "unit": best.unit,
            "order": order,
            "highest": over is Over.HIGHEST,
            "notes": left_out(items),
        }
    )
    return Outcome(result, best)
