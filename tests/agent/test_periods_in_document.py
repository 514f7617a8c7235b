"""Periods without a year are those of the document that a question is limited to, and not of the newest report."""

from datetime import date
from decimal import Decimal

import pytest

from agent.prose.text.wording import year_said
from agent.query.explain import line
from agent.state import CompanyRef, FilingRef, Period, PeriodForm, Query, Scope, Target
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.periods_in_document import in_document
from evals.golden import TODAY
from filings.models import Filing
from tests.agent.query.conftest import query_of

ANNUAL = Filing(source="10-K", fiscal_year=2024, filed=date(2024, 11, 1), period_end=date(2024, 9, 28))
QUARTER = Filing(
    source="10-Q", fiscal_year=2024, fiscal_quarter=2, filed=date(2024, 5, 3), period_end=date(2024, 3, 30)
)
RELEASE = Filing(
    source="8-K", fiscal_year=2024, fiscal_quarter=4, filed=date(2024, 10, 31), period_end=date(2024, 9, 28)
)
UNDATED = Filing(source="8-K", filed=date(2024, 10, 31))


@pytest.mark.parametrize(
    ("document", "asked", "period"),
    [
        (QUARTER, "revenue in the second quarter", "Q2 FY2024"),
        (QUARTER, "revenue in the third quarter", "Q3 FY2023"),  # the newest that it can tell of
        (QUARTER, "revenue in the quarter", "Q2 FY2024"),
        (QUARTER, "revenue for the first half", "H1 FY2024"),
        (QUARTER, "revenue year to date", "H1 FY2024"),
        (QUARTER, "revenue in the second quarter of last year", "Q2 FY2023"),
        (QUARTER, "revenue last year", "Q2 FY2023"),
        (QUARTER, "revenue growth compared with the prior year", "Q2 FY2024"),
        (QUARTER, "revenue over the last three quarters", "last 3 quarters to Q2 FY2024"),
        (QUARTER, "revenue trend", "last 5 to FY2023"),
        (QUARTER, "revenue in Q2 2022", "Q2 2022"),
        (ANNUAL, "revenue last year", "FY2023"),
        (ANNUAL, "revenue this year", "FY2024"),
        (ANNUAL, "revenue in the fourth quarter", "Q4 FY2024"),
        (ANNUAL, "revenue over the last two years", "last 2 to FY2024"),
        (ANNUAL, "revenue since 2019", "2019..FY2024"),
        (ANNUAL, "total assets at the end of last year", "FY2023"),
        (RELEASE, "revenue in the quarter", "Q4 FY2024"),
        (RELEASE, "revenue this year", "FY2024"),
        (RELEASE, "revenue for the full year", "FY2024"),
        (RELEASE, "revenue", "Q4 FY2024"),
        (UNDATED, "revenue in the third quarter", "Q3 latest"),
    ],
)
def test_a_period_without_a_year_is_the_documents(document: Filing, asked: str, period: str) -> None:
    read = query_of(f"Apple {asked}")
    assert isinstance(read, Query)
    assert line(in_document(read, document, TODAY)).split(" | ")[1] == period


def test_trailing_months_end_with_the_document() -> None:
    read = query_of("Apple trailing twelve months revenue")
    assert isinstance(read, Query)
    assert in_document(read, QUARTER, TODAY).as_of == QUARTER.filed


@pytest.mark.django_db
def test_the_quarter_of_a_chosen_report_is_given_and_not_the_newest() -> None:
    first = Filing.objects.filter(company__cik=9_999_999_902, source="10-Q").order_by("period_end").first()
    assert first is not None

    def found(asked: str) -> list[Decimal | None]:
        scope = Scope(document=first.accession, cik=first.company.cik)
        state = pipeline.run(asked, Deps.current(TODAY), scope=scope)
        return [one.value for told in state.tables for one in told.table.asserted]

    named = f"Q{first.fiscal_quarter} FY{first.fiscal_year}"
    assert found("What was revenue in the quarter?") == found(f"What was revenue in {named}?") != []


@pytest.mark.parametrize(
    ("year", "note"), [(2023, "\u201c2023\u201d is read as fiscal 2023, ended 28 Jan 2024."), (2021, "")]
)
def test_a_year_is_read_as_a_fiscal_year_that_it_may_be_and_no_other(year: int, note: str) -> None:
    company = CompanyRef(cik=1, name="Tern Works, Inc.", short="Tern Works", symbol="TERN", covered=True)
    period = Period(form=PeriodForm.BARE, year=year, text=str(year))
    filing = FilingRef(
        target=0,
        filing=1,
        accession="1",
        form="10-K",
        source="10-K",
        filed=date(2024, 3, 1),
        fiscal_year=2023,
        period_end=date(2024, 1, 28),
        url="",
    )
    assert year_said(Target(id=0, company=company, period=period, document=1), filing) == note
