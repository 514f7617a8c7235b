"""Which filing answers: fiscal labels, dates, and why there is none."""

from datetime import date

import pytest

from agent.numbers.periods import asked_years
from agent.numbers.periods.asked_years import near_year_end
from agent.refusals.codes import Code
from agent.refusals.grammar import year_ranges
from agent.state import CompanyRef, FilingRef, Period, PeriodForm, Refusal, Target
from agent.steps.deps import Deps
from agent.steps.fetch import held, resolve
from filings.models import Company, Filing
from tests.support.company_filings import company, filing

pytestmark = pytest.mark.django_db

TODAY = date(2026, 11, 21)


def target(period: Period, of: Company) -> Target:
    ref = CompanyRef(cik=of.cik, name=of.name, short="Northwind", symbol="NWI", covered=True)
    return Target(id=1, company=ref, period=period)


def ask(form: PeriodForm, of: Company, year: int | None = None, end: date | None = None) -> FilingRef:
    found = resolve(target(Period(form=form, year=year, end=end), of), list(Filing.objects.askable(of.cik)), TODAY)
    assert not isinstance(found, Refusal), found
    return found


def refused(form: PeriodForm, of: Company, year: int | None = None, end: date | None = None) -> Refusal:
    found = resolve(target(Period(form=form, year=year, end=end), of), list(Filing.objects.askable(of.cik)), TODAY)
    assert isinstance(found, Refusal), found
    return found


def readings(of: Company, year: int) -> list[tuple[int | None, str]]:
    """The fiscal years that a bare year may name, each with what is said of it."""
    period = Period(form=PeriodForm.BARE, year=year)
    found = asked_years.resolve(period, list(Filing.objects.askable(of.cik)), TODAY)
    return [(one.filing.fiscal_year, one.reading) for one in found if isinstance(one, asked_years.Asked)]


@pytest.fixture
def december() -> Company:
    of = company()
    for year in (2015, 2016, 2023, 2024):
        filing(date(year, 12, 31), of)
    return of


@pytest.fixture
def january() -> Company:
    """Named by the year it ends in, as NVIDIA is."""
    of = company("Northwind Chips", cik=9990010, symbol="NWC")
    for year in (2023, 2024, 2025):
        filing(date(year, 1, 28), of, fiscal_year=year)
    return of


@pytest.fixture
def february() -> Company:
    """Named by the year it starts in, as Lowe's is."""
    of = company("Northwind Stores", cik=9990011, symbol="NWS")
    for year in (2023, 2024, 2025):
        filing(date(year, 2, 2), of, fiscal_year=year - 1)
    return of


def test_a_fiscal_year_is_the_companys_own_label(january: Company, february: Company) -> None:
    assert ask(PeriodForm.FISCAL, january, 2024).period_end == date(2024, 1, 28)
    assert ask(PeriodForm.FISCAL, february, 2023).period_end == date(2024, 2, 2)


def test_a_bare_year_has_one_reading_when_the_year_ends_in_december(december: Company) -> None:
    assert readings(december, 2024) == [(2024, "")]


def test_a_bare_year_of_a_january_company_is_read_two_ways_its_own_label_first(january: Company) -> None:
    assert readings(january, 2024)[0][0] == 2024
    assert readings(january, 2024)[1] == (2025, "The fiscal year that began in 2024")


def test_a_bare_year_of_a_company_that_names_it_by_its_start(february: Company) -> None:
    assert readings(february, 2023)[0][0] == 2023
    assert readings(february, 2023)[1] == (2022, "The fiscal year that ended in 2023")


def test_text_of_a_bare_year_is_read_from_the_companys_own_label(january: Company, february: Company) -> None:
    assert ask(PeriodForm.BARE, january, 2024).fiscal_year == 2024
    assert ask(PeriodForm.BARE, february, 2023).fiscal_year == 2023


def test_latest_is_the_newest_10_k_held(december: Company) -> None:
    assert ask(PeriodForm.LATEST, december).fiscal_year == 2024
    assert ask(PeriodForm.LATEST, december).said == ()


@pytest.mark.parametrize("form", [PeriodForm.LATEST, PeriodForm.PREVIOUS])
def test_a_newer_10_k_that_is_only_listed_is_said(december: Company, form: PeriodForm) -> None:
    listed = filing(date(2025, 12, 31), december, facts_stored=0)
    found = ask(form, december)
    assert found.fiscal_year == 2024
    assert found.said == (f"A newer 10-K was filed on {listed.filed:%-d %b %Y}. It is not loaded yet.",)
    assert ask(PeriodForm.FISCAL, december, 2024).said == ()
    Filing.objects.filter(pk=listed.pk).update(form="10-K/A")
    assert ask(form, december).said == ()


def test_a_date_rounded_to_the_end_of_the_month_finds_the_year(january: Company) -> None:
    assert ask(PeriodForm.ENDED, january, end=date(2024, 1, 31)).fiscal_year == 2024


def test_a_date_inside_a_fiscal_year_is_no_fiscal_year(december: Company) -> None:
    assert refused(PeriodForm.ENDED, december, end=date(2024, 6, 30)).code is Code.INTERIM_PERIOD


def test_a_calendar_year_is_a_fiscal_year_only_when_it_ends_with_december(december: Company, january: Company) -> None:
    assert ask(PeriodForm.CALENDAR, december, 2024).fiscal_year == 2024
    assert refused(PeriodForm.CALENDAR, january, 2024).code is Code.INTERIM_PERIOD


@pytest.mark.parametrize(
    ("year", "code"),
    [
        (2014, Code.YEAR_BEFORE_2015),
        (2020, Code.YEAR_NOT_INGESTED),
        (2025, Code.YEAR_NOT_INGESTED),
        (2026, Code.FUTURE_PERIOD),
        (2030, Code.FUTURE_PERIOD),
    ],
)
def test_a_year_that_is_not_held_says_why(december: Company, year: int, code: Code) -> None:
    refusal = refused(PeriodForm.FISCAL, december, year)
    assert refusal.code is code
    assert "2015 to 2016, 2023 to 2024" in refusal.text + refusal.detail


def test_a_transition_period_never_answers(december: Company) -> None:
    filing(date(2025, 12, 31), december, is_transition=True)
    refusal = refused(PeriodForm.FISCAL, december, 2025)
    assert refusal.code is Code.YEAR_NOT_INGESTED
    assert "10-KT" in refusal.detail


def test_an_amendment_never_replaces_the_original(december: Company) -> None:
    filing(date(2025, 12, 31), december, form="10-K/A", is_primary=False)
    assert refused(PeriodForm.FISCAL, december, 2025).code is Code.YEAR_NOT_INGESTED


@pytest.mark.parametrize(("end", "near"), [((2024, 12, 31), True), ((2025, 1, 3), True), ((2024, 11, 30), False)])
def test_a_year_that_ends_within_ten_days_of_december_is_near_the_calendar_year(
    end: tuple[int, int, int], near: bool
) -> None:
    assert near_year_end(date(*end)) is near


def test_years_are_said_as_ranges() -> None:
    assert year_ranges([2015, 2016, 2018, 2020, 2021, 2022]) == "2015 to 2016, 2018, 2020 to 2022"


@pytest.mark.parametrize("form", [PeriodForm.LATEST, PeriodForm.PREVIOUS])
def test_text_of_no_certain_year_is_read_from_the_newest_filing_whose_text_is_held(
    december: Company, form: PeriodForm
) -> None:
    filings = list(Filing.objects.askable(december.cik))
    Filing.objects.filter(pk=filings[1].pk).update(chunks_stored=3)
    deps = Deps.current(TODAY)
    assert held(target(Period(form=form), december), deps) == filings[1:2]
    assert held(target(Period(form=PeriodForm.BARE, year=2024), december), deps) == filings


def test_text_without_figures_answers_questions_for_text_alone() -> None:
    of = company("Northwind Mutual", cik=9990012, symbol="NWM")
    of.facts_stored = 0
    of.save()
    assert not of.covered
    told = filing(date(2024, 12, 31), of)
    told.facts_stored, told.chunks_stored = 0, 12
    told.save()
    assert of.covered
    assert of in Company.objects.covered()
    assert list(Filing.objects.askable(of.cik, text=True)) == [told]
    assert list(Filing.objects.askable(of.cik)) == []
