"""Time of tables, warm, on the companies with figures in the database of the settings; queries are made by hand.

Goals: one figure 100 ms, one metric 120 ms, revenue by parts over five years 150 ms and of three companies over eight
quarters 200 ms at the 95th percentile; 16 companies x 10 years x 3 measures 500 ms.
"""

import statistics
import time
from collections.abc import Sequence

from agent.numbers.tables.table import tabulate
from agent.numbers.verification.verify import verify
from agent.state import CompanyRef, Period, PeriodForm
from agent.state.query import Breakdown, Change, Concept, Last, Measure, Metric, Periods, Query, Row, Years
from agent.state.tables import Table
from agent.steps.deps import Deps
from evals import golden
from evals.runner import spread
from filings.models import Filing, Member
from filings.models.source_kinds import QUARTERLY
from filings.xbrl.axes import PARTS as PART_AXES

FIGURE_MS, METRIC_MS, PARTS_MS, QUARTERS_MS, GRID_MS = 100.0, 120.0, 150.0, 200.0, 500.0
COMPANIES, YEARS, YEARS_OF_PARTS, QUARTERS, OF_QUARTERS = 16, 10, 5, 8, 3
FIGURES: tuple[Measure, ...] = (Concept(key="revenue"), Concept(key="net_income"), Concept(key="total_assets"))
METRICS: tuple[Measure, ...] = (
    Metric(key="gross_margin"),
    Metric(key="roic"),
    Metric(key="ebitda"),
    Metric(key="ccc"),
    Change(of=Concept(key="revenue"), percent=True),
)
LATEST = Years(periods=(Period(form=PeriodForm.LATEST),))
PARTS: tuple[Measure, ...] = tuple(
    Breakdown(of=Concept(key="revenue"), axis=axis) for axis in ("segment", "product", "region")
)
REPEATS = 5


def measure() -> str:
    """All figures, as text."""
    companies = _companies()
    figures = [_one(company, one) for company in companies for one in FIGURES]
    metrics = [_one(company, one) for company in companies for one in METRICS]
    parts, most = _by_parts()
    quarterly, over_quarters = _by_quarters(), f"revenue of {OF_QUARTERS} companies over {QUARTERS} quarters"
    grids = [_timed(_query(companies, Last(count=YEARS), FIGURES)) for _ in range(REPEATS)]
    grid = grids[-1][1]
    answered = sum(one.value is not None for one in grid.cells)
    started = time.perf_counter()
    problems = verify(grid)
    verified = (time.perf_counter() - started) * 1000
    return (
        f"{len(figures)} single figures with the years around them: {spread(figures)} (goal {FIGURE_MS:.0f})\n"
        f"{len(metrics)} single metrics: {spread(metrics)} (goal {METRIC_MS:.0f})\n"
        f"{parts}, the largest {most} cells (goal {PARTS_MS:.0f})\n"
        f"{len(quarterly)} tables of {over_quarters}: {spread(quarterly)} (goal {QUARTERS_MS:.0f})\n"
        f"{len(companies)} companies x {YEARS} years x {len(FIGURES)} measures, {answered} of {len(grid.cells)} cells with "
        f"a value: median {statistics.median(took for took, _ in grids):.0f} ms (goal {GRID_MS:.0f}); "
        f"read again and verified in {verified:.0f} ms with {len(problems)} problems"
    )


def _companies() -> list[CompanyRef]:
    index = Deps.current(golden.TODAY).companies
    found = [index.get(cik) for cik in index.covered]
    return [one for one in found if one and not one.fictional][:COMPANIES]


def _by_parts() -> tuple[str, int]:
    """Times of revenue by each kind of part that a company has, and how many cells the largest has."""
    index = Deps.current(golden.TODAY).companies
    having = Member.objects.filter(axis__in=PART_AXES).values_list("filing__company__cik", flat=True)
    found = []
    for company in filter(None, map(index.get, having.order_by().distinct())):
        for one in PARTS:
            query = _query([company], Last(count=YEARS_OF_PARTS), [one])
            _timed(query)
            took, made = _timed(query)
            told = sum(cell.asked and cell.value is not None for cell in made.cells)
            found += [(took, told)] if told else []
    said = f"{len(found)} tables of revenue by parts over {YEARS_OF_PARTS} years: "
    if len(found) < 2:
        return f"{said}too few are held", 0
    return said + spread([took for took, _ in found]), max(told for _, told in found)


def _by_quarters() -> list[float]:
    """Times of revenue over the newest quarters, of companies that have them, in turn."""
    index = Deps.current(golden.TODAY).companies
    having = Filing.objects.filter(source=QUARTERLY.key).values_list("company__cik", flat=True)
    companies = [one for one in map(index.get, having.order_by("company__cik").distinct()) if one and one.covered]
    groups = [companies[first : first + OF_QUARTERS] for first in range(len(companies) - OF_QUARTERS + 1)]
    queries = [_query(some, Last(count=QUARTERS, quarters=True), FIGURES[:1]) for some in groups]
    return [_timed(query)[0] for query in queries for _ in range(2)][1::2]


def _query(companies: Sequence[CompanyRef], periods: Periods, measures: Sequence[Measure]) -> Query:
    return Query(companies=tuple(companies), periods=periods, rows=tuple(Row(measure=one) for one in measures))


def _one(company: CompanyRef, of: Measure) -> float:
    """Milliseconds of one figure, the first time left out."""
    query = _query([company], LATEST, [of])
    _timed(query)
    return _timed(query)[0]


def _timed(query: Query) -> tuple[float, Table]:
    deps = Deps.current(golden.TODAY)
    started = time.perf_counter()
    table = tabulate(query, deps)
    return (time.perf_counter() - started) * 1000, table
