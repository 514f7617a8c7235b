"""A question about all companies as a query about the first of those found: in an order, or within bounds."""

from agent.numbers.cells.row_expressions import versions
from agent.numbers.facts.render import exact
from agent.query.words.refused_question import Misread
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first
from agent.screening.annual_figures import key_of, query_of
from agent.screening.ranked_companies import Condition, Listed, Ranked, Screened, Screening, screen
from agent.state.query import Query, Rank, Threshold, Years
from agent.state.query import Screened as Found
from agent.steps.deps import Deps

# Companies that an answer shows; the screener's page has all.
MOST_SHOWN = 50
# Companies named in the sentence on those without a figure.
MOST_NAMED = 12
IN_WORDS = {">": "above", ">=": "of at least", "<": "below", "<=": "of at most", "==": "of"}


def resolved(half: Query | Misread, deps: Deps) -> Query | Misread:
    """The query with the companies that its figures find; any other query or refusal unchanged.

    Where no company meets the bounds, the nearest one is asked about, and whether it meets them.
    """
    if isinstance(half, Misread) or not half.everyone:
        return half
    rank = next((one for one in half.operations if isinstance(one, Rank)), Rank())
    bounds = tuple(one for one in half.operations if isinstance(one, Threshold))
    measure = half.rows[0].measure
    year = half.periods.periods[0].year if isinstance(half.periods, Years) else None
    conditions = tuple(Condition(0, one.comparison, one.bound) for one in bounds)
    found = screen(Screening((measure,), year, conditions, highest=rank.highest), deps)
    shown = _shown(found, rank)
    operations: tuple[Rank | Threshold, ...] = (rank.model_copy(update={"top": None}),) if len(shown) > 1 else ()
    if not shown and bounds:
        upward = bounds[0].comparison in (">", ">=", "==")
        shown = screen(Screening((measure,), year, highest=upward), deps).ranked[:1]
        operations = bounds[:1]
    refs = [ref for one in shown if (ref := deps.companies.get(one.company.cik))]
    years = {one.company.cik: one.fiscal_year for one in shown}
    query = query_of(refs, [measure], years) if refs else None
    if query is None:
        return _none(half, found, deps)
    return half.model_copy(
        update={
            "companies": query.companies,
            "periods": query.periods,
            "own": query.own if len(refs) > 1 else (),
            "rows": half.rows[:1],
            "operations": operations,
            "screened": Found(
                found=len(found.ranked),
                key=key_of(measure, deps.registry),
                year=year,
                bounds=bounds,
                highest=rank.highest,
                notes=tuple(_notes(half, found, len(shown), bounds, year, deps)),
            ),
        }
    )


def _shown(found: Screened, rank: Rank) -> tuple[Ranked, ...]:
    """The companies shown: so many places as are asked, with others of an equal figure."""
    # The one with the highest figure is shown with those behind it.
    most = rank.top if rank.top and rank.top > 1 else None
    ranked = [one for one in found.ranked if most is None or one.rank <= most]
    return tuple(ranked[:MOST_SHOWN])


def _none(half: Query, found: Screened, deps: Deps) -> Query | Misread:
    """What is answered where no company has a figure: the first of them, whose gap says why."""
    listed = (*found.unranked, *found.other_units, *found.waiting)[:1]
    refs = tuple(ref for one in listed if (ref := deps.companies.get(one.cik)))
    if not refs:
        return Misread(code=Code.NO_COMPANY, rows=half.rows)
    return half.model_copy(update={"companies": refs, "operations": (), "rows": half.rows[:1]})


def _notes(
    half: Query, found: Screened, shown: int, bounds: tuple[Threshold, ...], year: int | None, deps: Deps
) -> list[str]:
    """How many companies were compared, meet the bounds, and are left out, in sentences."""
    version = versions(half.rows[0].measure, deps.registry)[0]
    label = lower_first(version.label)
    said = [f"{IN_WORDS[one.comparison]} {exact(one.bound, version.unit)}" for one in bounds]
    compared = f"{found.compared:,} companies with {label}"
    notes = []
    if bounds and not found.ranked:
        notes.append(f"None of {compared} has one {' and '.join(said)}.")
    elif bounds:
        notes.append(f"{len(found.ranked):,} of {compared} have one {' and '.join(said)}.")
    else:
        notes.append(f"{compared} are ranked.")
    if shown < len(found.ranked):
        notes.append(f"The first {shown:,} are shown.")
    when = f"the fiscal year with its middle in {year}" if year else "its newest fiscal year"
    notes.append(f"Each company has {when}.")
    notes += _left_out(found.unranked, "no figure")
    notes += _left_out(found.other_units, "figures in another currency")
    notes += _left_out(found.waiting, "figures that are not prepared")
    return notes


def _left_out(companies: tuple[Listed, ...], what: str) -> list[str]:
    if not companies:
        return []
    names = ", ".join(each.called for each in companies[:MOST_NAMED])
    more = len(companies) - MOST_NAMED
    whose = f"{len(companies):,} companies have {what}" if len(companies) > 1 else f"1 company has {what}"
    return [f"Not ranked: {whose} ({names}{f' and {more:,} more' if more > 0 else ''})."]
