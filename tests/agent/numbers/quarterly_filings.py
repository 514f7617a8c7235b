"""A company with 10-Ks and 10-Qs, for tests of quarters."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal

from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state import Period, PeriodForm
from agent.state.query import Concept, Last, Span, Years
from agent.state.references import RelativePeriod
from agent.state.tables import Table
from filings.models import Filing
from filings.xbrl.periods import FiscalPeriod
from tests.support.company_filings import company, face, fact, filing
from tests.support.tables import only, table

Q1, Q2, Q3, Q4, H1, H2, M9 = (FiscalPeriod(one) for one in ("Q1", "Q2", "Q3", "Q4", "H1", "H2", "9M"))


TTM_Q3 = FiscalPeriod.TTM_Q3


ENDS = {1: (3, 31), 2: (6, 30), 3: (9, 30)}


def of(part: FiscalPeriod | RelativePeriod, year: int | None = 2024, form: PeriodForm = PeriodForm.FISCAL) -> Years:
    return Years(periods=(Period(form=form, year=year, part=part),))


def annual(year: int, values: Mapping[str, str], prior: Mapping[str, str] | None = None) -> Filing:
    """A 10-K with an income statement of these tags, and comparatives."""
    made = filing(date(year, 12, 31), company())
    for tag, value in values.items():
        fact(made, tag, value)
    for tag, value in (prior or {}).items():
        fact(made, tag, value, end=date(year - 1, 12, 31))
    face(made, "income", *((tag, LABELS[tag]) for tag in values))
    return made


LABELS = {
    "Revenues": "Total revenue",
    "SalesRevenueNet": "Total revenue",
    "NetIncomeLoss": "Net income",
    "ResearchAndDevelopmentExpense": "Research and development",
}


def quarterly(
    year: int,
    quarter: int,
    values: Mapping[str, str],
    to_date: Mapping[str, str] | None = None,
    prior: Mapping[str, str] | None = None,
    **fields: object,
) -> Filing:
    """A 10-Q: values of the quarter and of the year to date, and what it gives for the year to date of the year before."""
    end = date(year, *ENDS[quarter])
    owner = company()
    made = filing(
        end,
        owner,
        accession=f"{owner.cik:010d}-{year - 2000}-00010{quarter}{fields.pop('mark', '')}",
        form="10-Q",
        source="10-Q",
        filed=end + timedelta(days=30),
        fiscal_year=year,
        fiscal_quarter=quarter,
        is_primary=False,
        **fields,
    )
    for tag, value in values.items():
        fact(made, tag, value, start=date(year, 3 * quarter - 2, 1))
    for tag, value in (to_date or {}).items():
        fact(made, tag, value)
    for tag, value in (prior or {}).items():
        fact(made, tag, value, end=end.replace(year=year - 1))
    return made


def year_of_quarters(year: int = 2024) -> None:
    """Revenue of 10, 20, 30 and 40 million."""
    quarterly(year, 1, {"Revenues": "10000000"})
    quarterly(year, 2, {"Revenues": "20000000"}, {"Revenues": "30000000"})
    quarterly(year, 3, {"Revenues": "30000000"}, {"Revenues": "60000000"})
    annual(year, {"Revenues": "100000000"})


def revenue(periods: Years | Span | Last, measure: object = None) -> Table:
    made = table(company(), periods, measure or Concept(key="revenue"))  # type: ignore[arg-type]
    assert verify(made) == ()
    return made


def value(part: FiscalPeriod, year: int = 2024) -> Decimal | None:
    return only(revenue(of(part, year))).value


def gap(made: Table) -> Code:
    cell = only(made)
    assert cell.gap is not None
    return cell.gap.code
