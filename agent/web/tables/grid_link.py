"""The address of the grid that shows what a table shows."""

from collections.abc import Mapping, Sequence
from datetime import date
from urllib.parse import urlencode

from agent.numbers import registry as registry_file
from agent.numbers.measure_keys import known
from agent.state import Cell
from agent.state.query import Alignment, Basis
from filings.xbrl.periods import QUARTERS, FiscalPeriod


def grid_query(
    asked: Sequence[Cell],
    symbols: Mapping[int, str],
    alignment: Alignment | None = None,
    basis: Basis | None = None,
    as_of: date | None = None,
) -> str:
    """The query of the grid with the asked cells of a table; empty for printed lines, and for other parts of years than
    quarters, which the grid does not have. symbols: tickers by CIK. alignment: how the table's years are aligned. basis:
    which reports give them, where that was asked. as_of: the day by which reports were filed, if any.
    """
    years = [cell.column.year for cell in asked if cell.fiscal_year]
    measures = list(dict.fromkeys(cell.measure for cell in asked))
    periods = {cell.fiscal_period for cell in asked if cell.fiscal_year}
    quarters = periods <= set(QUARTERS)
    if not years or not (quarters or periods == {FiscalPeriod.YEAR}):
        return ""
    registry = registry_file.load()
    if not measures or not all(known(one, registry) for one in measures):
        return ""
    companies = dict.fromkeys(symbols.get(cell.cik) or str(cell.cik) for cell in asked)
    chosen = {"companies": ",".join(companies), "measures": ",".join(measures)}
    per = {"per": "quarter"} if quarters else {}
    aligned = {"align": alignment.value} if alignment is Alignment.FISCAL else {}
    said = ({"basis": basis.value} if basis else {}) | ({"as_of": as_of.isoformat()} if as_of else {})
    return urlencode({**chosen, "from": min(years), "to": max(years), **per, **aligned, **said}, safe=",:")
