"""Printed lines and parts of the company, of stretches that no filing gives: made of those that are, on one basis."""

from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state.query import Breakdown, Concept, Line, Measure, Member, Statement
from agent.state.tables import Cell
from filings.models import Fact, Filing
from filings.xbrl.periods import FiscalPeriod
from tests.agent.numbers.quarterly_filings import M9, Q2, Q4, TTM_Q3, annual, of, quarterly
from tests.support.company_filings import company, face, fact
from tests.support.tables import asked, table

pytestmark = pytest.mark.django_db
AXIS = "StatementBusinessSegmentsAxis"
PUMPS = Member(of=Concept(key="revenue"), label="Pumps", members=(f"{AXIS}=PumpsMember",))
CASH = "CashAndCashEquivalentsAtCarryingValue"


def with_parts(made: Filing, pumps: str, *, before: str = "", member: str = "PumpsMember") -> Filing:
    """A report with its statement, and revenue of a segment since the start of its year and of the year before."""
    if "income" not in {one.kind for one in made.statements.all()}:
        face(made, "income", ("Revenues", "Total revenue"))
    end = made.period_end
    assert end
    part(made, pumps, end, member)
    if before:
        part(made, before, end.replace(year=end.year - 1), member)
        if not made.facts.filter(dimensions="", end=end.replace(year=end.year - 1)).exists():
            fact(made, "Revenues", "90" if made.form == "10-K" else "60", end=end.replace(year=end.year - 1))
    return made


def part(made: Filing, value: str, end: date, member: str) -> None:
    fact(
        made,
        "Revenues",
        value,
        end=end,
        start=date(end.year, 1, 1),
        source=Fact.Source.DOCUMENT,
        dimensions=f"{AXIS}={member}",
    )


def two_years(*, ten_k_before: str = "50", ten_q_before: str = "35", member: str = "PumpsMember") -> None:
    """Pumps of 50 and 60 in 2023 and 2024, 35 and 41 of them in nine months."""
    with_parts(quarterly(2023, 3, {}, {"Revenues": "60"}), "35")
    with_parts(annual(2023, {"Revenues": "90"}), "50")
    with_parts(quarterly(2024, 3, {}, {"Revenues": "70"}), "41", before=ten_q_before)
    with_parts(annual(2024, {"Revenues": "100"}), "60", before=ten_k_before, member=member)


def one(period: FiscalPeriod, measure: Measure, year: int = 2024) -> Cell:
    made = table(company(), of(period, year), measure)
    assert verify(made) == ()
    (cell,) = asked(made)
    return cell


def refused(period: FiscalPeriod, measure: Measure = PUMPS, year: int = 2024) -> tuple[Code, str]:
    gap = one(period, measure, year).gap
    assert gap
    return gap.code, gap.detail


def test_the_fourth_quarter_of_a_part_is_its_year_less_its_nine_months() -> None:
    two_years()
    found = one(Q4, PUMPS)
    assert (found.value, found.formula) == (19, "revenue_pumps:fy - revenue_pumps:m9")
    assert [(part.fact.dimensions, part.fact.value) for part in found.operands] == [
        (f"{AXIS}=PumpsMember", 60),
        (f"{AXIS}=PumpsMember", 41),
    ]
    assert one(Q4, PUMPS, 2023).value == 15


def test_twelve_months_of_a_part() -> None:
    two_years()
    assert one(TTM_Q3, PUMPS).value == 50 + 41 - 35


@pytest.mark.parametrize(
    "part_redefined",
    [
        {"ten_k_before": "45"},  # after the third quarter, so that the 10-K alone recasts
        {"ten_q_before": "30"},  # before it, and the year before is as it was
        {"member": "PumpsAndValvesMember"},
    ],
)
def test_a_part_that_was_cut_anew_has_no_fourth_quarter(part_redefined: dict[str, str]) -> None:
    two_years(**part_redefined)
    measure = PUMPS.model_copy(update={"members": (f"{AXIS}=PumpsMember", f"{AXIS}=PumpsAndValvesMember")})
    assert refused(Q4, measure)[0] is Code.CONFLICT


def test_a_part_that_may_have_been_cut_anew_is_refused() -> None:
    """Without a report of another year nobody knows."""
    with_parts(quarterly(2024, 3, {}, {"Revenues": "70"}), "41")
    with_parts(annual(2024, {"Revenues": "100"}), "60")
    code, why = refused(Q4)
    assert code is Code.CONFLICT
    assert why == "No other report in our data shows whether the company regrouped its parts between these reports."


def test_a_report_without_its_parts_is_named() -> None:
    quarterly(2024, 3, {}, {"Revenues": "70"})
    with_parts(annual(2024, {"Revenues": "100"}), "60")
    cell = one(Q4, PUMPS)
    assert cell.gap
    assert cell.gap.code is Code.INTERIM_PERIOD
    assert "first nine months of fiscal 2024" in cell.gap.text


def test_a_measure_by_segment_has_a_row_for_each_part_and_the_rest() -> None:
    two_years()
    for year, form, value, before in (
        (2023, "10-Q", "20", ""),
        (2023, "10-K", "30", ""),
        (2024, "10-Q", "24", "20"),
        (2024, "10-K", "32", "30"),
    ):
        report = Filing.objects.get(company=company(), fiscal_year=year, form=form)
        with_parts(report, value, before=before, member="ValvesMember")
    found = table(company(), of(Q4), Breakdown(of=Concept(key="revenue"), axis="segment"))
    assert verify(found) == ()
    rows = {cell.part or cell.label: cell.value for cell in found.cells}
    assert rows == {
        "Pumps": Decimal(19),
        "Valves": Decimal(8),
        "Total revenue": Decimal(30),
    }


def test_the_largest_part_of_a_difference_is_not_told() -> None:
    two_years()
    measure = Breakdown(of=Concept(key="revenue"), axis="segment", extreme="highest")
    assert refused(Q4, measure)[0] is Code.INTERIM_PERIOD


# --- printed lines ---


def with_lines() -> None:
    """Two years of an income statement and a balance sheet with a row that no registry knows."""
    for year, value in ((2023, 10), (2024, 20)):
        reports = {
            quarterly(year, 3, {}, {"Revenues": "70", "nwi:Tolls": str(value)}): 1,
            annual(year, {"Revenues": "100"}): 2,
        }
        for made, times in reports.items():
            assert made.period_end
            if times == 2:
                fact(made, "nwi:Tolls", str(value * 2))
                made.statements.all().delete()
            before = made.period_end.replace(year=year - 1)
            fact(made, "nwi:Tolls", str(10 * times), end=before)
            fact(made, "nwi:TollsPerShare", str(times), unit="USD/shares")
            for end, cash in ((made.period_end, year + times), (date(year - 1, 12, 31), year + 1)):
                fact(made, CASH, str(cash), start=end, end=end)
            face(
                made,
                "income",
                ("Revenues", "Total revenue"),
                ("nwi:Tolls", "Tolls"),
                ("nwi:TollsPerShare", "Per share"),
            )
            face(
                made,
                "cashflow",
                (CASH, "Cash, beginning of year"),
                (CASH, "Cash, end of year"),
                ("nwi:Tolls", "Tolls paid"),
            )


def test_a_line_of_the_fourth_quarter_is_a_difference_and_a_balance_is_that_of_the_year_s_end() -> None:
    with_lines()
    assert one(Q4, Line(label="Tolls")).value == 20
    assert one(Q4, Line(label="Cash, end of year")).value == 2026
    assert refused(Q4, Line(label="Per share"))[0] is Code.NOT_MEANINGFUL


def test_a_statement_of_the_fourth_quarter_has_its_rows() -> None:
    with_lines()
    cells = asked(table(company(), of(Q4), Statement(statement="cashflow")))
    assert {one.label: one.value for one in cells} == {
        "Cash, beginning of year": None,
        "Cash, end of year": Decimal(2026),
        "Tolls paid": Decimal(20),
    }
    cells = asked(table(company(), of(M9), Statement(statement="income")))
    assert [one.label for one in cells] == ["Total revenue", "Tolls", "Per share"]


def test_a_row_of_a_cash_flow_in_a_quarter_is_the_difference_of_two() -> None:
    annual(2024, {"Revenues": "100"})
    for quarter, value in ((1, "10"), (2, "25")):
        face(quarterly(2024, quarter, {}, {"nwi:Tolls": value}), "cashflow", ("nwi:Tolls", "Tolls paid"))
    assert refused(Q2, Line(label="Tolls paid"))[0] is Code.CONFLICT  # nobody knows whether they are of one basis
    for quarter, value in ((1, "8"), (2, "20")):
        made = quarterly(
            2025, quarter, {}, {"nwi:Tolls": value}, prior={"nwi:Tolls": str(5 * quarter * (quarter + 3) // 2)}
        )
        face(made, "cashflow", ("nwi:Tolls", "Tolls paid"))
    assert one(Q2, Line(label="Tolls paid")).value == 15


def test_a_part_of_a_quarter_whose_own_report_is_not_held_is_as_the_next_year_s_gives_it() -> None:
    quarterly(2023, 3, {}, {"Revenues": "60"})
    annual(2023, {"Revenues": "90"})
    with_parts(quarterly(2024, 3, {}, {"Revenues": "70"}), "41", before="35")
    annual(2024, {"Revenues": "100"})
    made = table(company(), of(M9, 2023), PUMPS)
    (found,) = [one for one in made.cells if one.asked]
    assert found.fact
    assert (found.value, found.fact.accession == found.accession) == (35, False)
    assert made.notes == ("Fiscal 2023 from the Q3 fiscal 2024 10-Q; its own is not loaded.",)
    divided = table(company(), of(M9, 2023), Breakdown(of=Concept(key="revenue"), axis="segment"))
    assert verify(divided) == ()


def test_a_part_of_a_year_that_its_own_report_does_not_give_is_as_the_next_one_gives_it() -> None:
    own = annual(2023, {"Revenues": "90"})
    with_parts(annual(2024, {"Revenues": "100"}), "60", before="50")
    for chunks, loaded in ((0, False), (1, True)):
        Filing.objects.filter(pk=own.pk).update(chunks_stored=chunks)
        found = one(FiscalPeriod.YEAR, PUMPS, 2023)
        assert (found.value, found.recast and found.recast.own_loaded) == (50, loaded)
