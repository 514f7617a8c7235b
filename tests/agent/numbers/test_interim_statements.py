"""Statements of parts of a year: only those that a report prints of it, without balances of other days."""

import pytest

from agent.refusals.codes import Code
from agent.state.query import Statement
from filings.xbrl.periods import FiscalPeriod
from tests.agent.numbers.quarterly_filings import H1, Q2, annual, of, quarterly
from tests.support.company_filings import company, face, fact
from tests.support.tables import asked, table

pytestmark = pytest.mark.django_db
CASH = "CashAndCashEquivalentsAtCarryingValue"


def test_an_opening_balance_is_not_that_of_a_year_before() -> None:
    annual(2024, {"Revenues": "100"})
    made = quarterly(2024, 2, {}, {"Revenues": "30"})
    assert made.period_end
    for year, value in ((2024, "7"), (2023, "5")):
        day = made.period_end.replace(year=year)
        fact(made, CASH, value, start=day, end=day)
    face(made, "cashflow", (CASH, "Cash, beginning of period"), ("Revenues", "Sales"), (CASH, "Cash, end of period"))
    cells = asked(table(company(), of(H1), Statement(statement="cashflow")))
    assert [(one.label, one.value) for one in cells] == [("Sales", 30), ("Cash, end of period", 7)]


@pytest.mark.parametrize("period", [Q2, H1])
def test_rows_of_equity_are_those_of_several_quarters(period: FiscalPeriod) -> None:
    annual(2024, {"Revenues": "100"})
    face(quarterly(2024, 2, {"Revenues": "20"}, {"Revenues": "30"}), "equity", ("Revenues", "Sales"))
    (cell,) = asked(table(company(), of(period), Statement(statement="equity")))
    assert cell.gap
    assert cell.gap.code is Code.INTERIM_PERIOD
