"""Time of tables, warm, on the companies with figures in the database of the settings; queries are made by hand.

Goals: one figure 100 ms and one metric 120 ms at the 95th percentile; 20 companies x 10 years x 3 measures in a second.
"""

import statistics
import time
from collections.abc import Sequence

from agent.numbers.table import tabulate
from agent.numbers.verify import verify
from agent.state import CompanyRef, Period, PeriodForm
from agent.state.query import Change, Concept, Last, Measure, Metric, Periods, Query, Row, Years
from agent.state.tables import Table
from agent.steps.deps import Deps
from evals import golden

FIGURE_MS, METRIC_MS, GRID_MS = 100.0, 120.0, 1000.0
COMPANIES, YEARS = 20, 10
FIGURES: tuple[Measure, ...] = (Concept(key="revenue"), Concept(key="net_income"), Concept(key="total_assets"))
METRICS: tuple[Measure, ...] = (
    Metric(key="gross_margin"),
    Metric(key="roic"),
    Metric(key="ebitda"),
    Metric(key="ccc"),
    Change(of=Concept(key="revenue"), percent=True),
)
LATEST = Years(periods=(Period(form=PeriodForm.LATEST),))
REPEATS = 5


def measure() -> str:
    """All figures, as text."""
    companies = _companies()
    figures = [_one(company, one) for company in companies for one in FIGURES]
    metrics = [_one(company, one) for company in companies for one in METRICS]
    grids = [_timed(_query(companies, Last(count=YEARS), FIGURES)) for _ in range(REPEATS)]
    grid = grids[-1][1]
    answered = sum(one.value is not None for one in grid.cells)
    started = time.perf_counter()
    problems = verify(grid)
    verified = (time.perf_counter() - started) * 1000
    return (
        f"{len(figures)} single figures with the years around them: {_spread(figures)} (goal {FIGURE_MS:.0f})\n"
        f"{len(metrics)} single metrics: {_spread(metrics)} (goal {METRIC_MS:.0f})\n"
        f"{len(companies)} companies x {YEARS} years x {len(FIGURES)} measures, {answered} of {len(grid.cells)} cells with "
        f"a value: median {statistics.median(took for took, _ in grids):.0f} ms (goal {GRID_MS:.0f}); "
        f"read again and verified in {verified:.0f} ms with {len(problems)} problems"
    )


def _companies() -> list[CompanyRef]:
    index = Deps.current(golden.TODAY).companies
    found = [index.get(cik) for cik in index.covered]
    return [one for one in found if one and not one.fictional][:COMPANIES]


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


def _spread(times: Sequence[float]) -> str:
    return f"median {statistics.median(times):.0f} ms, 95th percentile {statistics.quantiles(times, n=20)[-1]:.0f} ms"
