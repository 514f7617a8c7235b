"""A table of what was known on a day has only figures of reports that were filed by then."""

from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state.query import Last
from filings.models import Company
from tests.agent.numbers.test_series import REVENUE, asked, report
from tests.support.company_filings import company
from tests.support.tables import span, table, years

pytestmark = pytest.mark.django_db


@pytest.fixture
def spun_off() -> Company:
    """The 10-K of 2022, filed on 14 February 2023, restates the years before."""
    of = company()
    report(of, 2020, "900", "850", "800")
    report(of, 2021, "950", "900", "850")
    report(of, 2022, "620", "600", "580")
    report(of, 2023, "640", "620", "600")
    return of


def test_figures_that_were_restated_later_are_as_they_stood(spun_off: Company) -> None:
    made = table(spun_off, span(2020, 2021), REVENUE, as_of=date(2022, 12, 31))
    assert [int(one.value or 0) for one in asked(made)] == [900, 950]
    assert not any(one.recast or one.restated or one.basis_break for one in made.cells)
    assert made.notes == ("As of 31 Dec 2022: only reports filed by then.",)
    assert made.basis is None
    assert verify(made) == ()
    later = table(spun_off, span(2020, 2021), REVENUE, as_of=date(2023, 2, 14))
    assert [int(one.value or 0) for one in asked(later)] == [900, 950]
    assert {one.later.fact.value for cell in asked(later) for one in cell.restated} == {Decimal(580), Decimal(600)}


def test_the_newest_years_are_those_reported_by_then(spun_off: Company) -> None:
    made = table(spun_off, Last(count=2), REVENUE, as_of=date(2023, 6, 1))
    assert [(one.fiscal_year, int(one.value or 0)) for one in asked(made)] == [(2021, 600), (2022, 620)]


def test_a_period_whose_report_was_filed_later_says_when(spun_off: Company) -> None:
    (one,) = asked(table(spun_off, years(2022), REVENUE, as_of=date(2022, 12, 31)))
    assert one.gap is not None
    assert one.gap.code is Code.NOT_YET_FILED
    assert one.gap.text == "Northwind Instruments had not reported fiscal 2022 by 31 Dec 2022."
    assert one.gap.detail == "It did on 14 Feb 2023."


def test_a_day_before_any_report_says_when_the_first_was_filed(spun_off: Company) -> None:
    (one,) = asked(table(spun_off, years(2019), REVENUE, as_of=date(2020, 1, 1)))
    assert one.gap is not None
    assert one.gap.code is Code.NOT_YET_FILED
    assert one.gap.detail == "Its first report in our data was filed on 14 Feb 2021."
