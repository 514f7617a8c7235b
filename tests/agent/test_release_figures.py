"""What a release prints of a measure that companies define themselves: quoted beside the figure of another definition."""

from decimal import Decimal

import pytest

from agent.state import Target
from agent.state.query import Concept, Measure, Metric, Query, Row, Years
from agent.state.references import Period, PeriodForm
from agent.state.tables import Cell, Table
from agent.steps.deps import Deps
from agent.steps.release_figures import printed_in_release
from evals.golden import TODAY
from filings.models import Filing
from filings.models.source_kinds import CURRENT
from filings.xbrl.periods import FiscalPeriod
from tests.support.quotable import company, quotable

pytestmark = pytest.mark.django_db

LINES = ["# Highlights", "Free cash flow was $8.2 billion.", "| (in millions) | Q1 2025", "| Net sales | $ 40,100"]


@pytest.fixture
def target(db: None) -> Target:
    made = quotable(company(), 2025, LINES)
    Filing.objects.filter(pk=made.filing.filing).update(
        source=CURRENT.key, form="8-K", fiscal_quarter=1, chunks_stored=1
    )
    return made.target


def quoted(target: Target, measure: Measure, text: str, value: str | None, *sources: str) -> list[str]:
    query = Query(
        companies=(target.company,),
        periods=Years(periods=(Period(form=PeriodForm.BARE, year=2025, part=FiscalPeriod.Q1),)),
        rows=(Row(measure=measure, text=text),),
        sources=sources,
    )
    cell = Cell(
        row=0, cik=target.company.cik, company="Halvorsen", measure=text, label=text, fiscal_year=2025,
        fiscal_period=FiscalPeriod.Q1, value=Decimal(value) if value else None, unit="USD",
    )  # fmt: skip
    found = printed_in_release(target, query, Table(cells=(cell,)), Deps.current(TODAY).registry)
    return [one.quote for one in found.claims] if found else []


def test_the_own_figure_of_a_company_is_quoted_where_ours_is_another(target: Target) -> None:
    assert quoted(target, Metric(key="fcf"), "free cash flow", "7900000000") == ["Free cash flow was $8.2 billion."]
    assert quoted(target, Metric(key="fcf"), "free cash flow", "8240000000") == []


def test_other_measures_are_quoted_only_from_a_release_that_is_named(target: Target) -> None:
    sales = Concept(key="revenue")
    assert quoted(target, sales, "net sales", None) == []
    assert quoted(target, sales, "net sales", None, CURRENT.key) == ["Net sales\t$ 40,100"]
