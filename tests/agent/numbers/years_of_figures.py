"""10-Ks with the figures of two years, for tests of tables."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal

from agent.state.tables import Cell
from filings.models import Company, Filing
from tests.support.company_filings import fact, filing, filing_figures

BEFORE = date(2023, 12, 31)


BALANCES = {"Assets", "StockholdersEquity", "Goodwill", "AssetsCurrent", "LiabilitiesCurrent", "InventoryNet"}


def year(
    end: date, values: Mapping[str, str], prior: Mapping[str, str] | None = None, of: Company | None = None
) -> Filing:
    """A 10-K with the values of its own year, and comparatives of the year before."""
    made = filing_figures(values, BALANCES, filing(end, of))
    for tag, value in (prior or {}).items():
        fact(made, tag, value, instant=tag in BALANCES, end=end.replace(year=end.year - 1))
    return made


def operands(cell: Cell) -> dict[str, Decimal]:
    return {one.name: one.fact.value for one in cell.operands}
