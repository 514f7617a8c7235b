"""A company's revenue by part: for each kind a table over the years, the newest year's shares, and a chart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.numbers.parts.part_facts import AXES
from agent.numbers.tables.table import tabulate
from agent.state import Table
from agent.state.query import Breakdown, Concept, Last, Query, Row
from agent.state.tables import Cell
from agent.steps.deps import Deps
from agent.web.tables.charts import upon_one_another
from agent.web.tables.figure_card import Figure
from agent.web.tables.verified_tables import ref_of, verified
from agent.web.tables.year_table import Column, Group, Shown, YearRows, YearTable
from filings.models import Company, Filing, Member
from filings.web.charts import Chart

YEARS = 5
OF = Concept(key="revenue")
# Headings for the kinds of parts.
KINDS = {"segment": "segment", "product": "product or service", "region": "region"}


@dataclass(frozen=True)
class Parts:
    """A figure by one kind of part. kind: in words. table: its last column has the shares."""

    kind: str
    title: str
    table: YearTable
    chart: Chart | None


def revenue_by_part(company: Company, filings: Sequence[Filing], deps: Deps) -> list[Parts]:
    """Revenue by each kind of part that the company reports. filings: newest first; company: with `held`."""
    newest = [one.pk for one in filings[:YEARS]]
    axes = set(Member.objects.filter(filing__in=newest).order_by().values_list("axis", flat=True).distinct())
    kinds = [kind for kind, of in AXES.items() if axes.intersection(of)]
    if not kinds:
        return []
    rows = tuple(Row(measure=Breakdown(of=OF, axis=kind, shares=True)) for kind in kinds)  # type: ignore[arg-type]
    query = Query(companies=(ref_of(company),), periods=Last(count=YEARS), rows=rows)
    made = verified(tabulate(query, deps), query, deps.registry)
    found = (_parts(KINDS[kind], number, made) for number, kind in enumerate(kinds))
    return [one for one in found if one]


def _parts(kind: str, number: int, made: Table) -> Parts | None:
    """The rows of one kind in the years with parts, the total last; None where no year has any."""
    cells = [one for one in made.cells if one.row == number]
    told = {one.fiscal_year for one in cells if one.asked and one.value is not None}
    of_years = [one for one in cells if one.fiscal_year in told]
    if all(one.asked for one in of_years):
        return None
    # All of them are figures of the page, not context of another.
    levels = (one.model_copy(update={"asked": True}) for one in of_years if one.unit != "percent")
    rows = YearRows(Table(cells=tuple(levels)))
    *parts, whole = rows.lines
    label = whole[0].label
    named = [(cells[0].part, cells) for cells in parts]
    title = f"{label} by {kind}"
    rated = [one for one in of_years if one.unit == "percent"]
    newest = max((one.fiscal_year or 0 for one in rated), default=0)
    shares = {one.measure: one for one in rated if one.fiscal_year == newest}
    table = _with_shares(rows.view(title), rows, [name for name, _ in named], shares)
    # The sum of parts is not stacked upon them.
    stacked = [(name, [one for one in cells if one.role != "subtotal"]) for name, cells in named]
    return Parts(kind, title, table, upon_one_another(rows, [one for one in stacked if one[1]]))


def _with_shares(table: YearTable, rows: YearRows, names: Sequence[str], shares: Mapping[str, Cell]) -> YearTable:
    """The table with rows named by part, the total set apart, and the shares as its last column."""
    (group,) = table.groups
    of = rows.lines[-1][0].measure
    lines = []
    for row, name, cells in zip(group.rows, (*names, group.rows[-1].label), rows.lines, strict=True):
        share = shares.get(f"{cells[0].measure} of {of}")
        lines.append(replace(row, label=name, shown=(*row.shown, _share(share)), total=cells[0].measure == of))
    year = next(iter(shares.values())).fiscal_year
    return replace(
        table, corner="Part", columns=(*table.columns, Column("Share", f"FY{year}")), groups=(Group("", tuple(lines)),)
    )


def _share(cell: Cell | None) -> Shown | None:
    if cell is None:
        return None
    figure = Figure(cell)
    return (
        Shown(figure.column, kind="asked")
        if cell.value is not None
        else Shown(figure.column, kind="gap", reason=figure.reason)
    )
