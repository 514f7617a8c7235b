"""Figures of segments, products and regions, out of the facts of members."""

from collections.abc import Iterator
from decimal import Decimal

import pytest
from django.db.models import QuerySet

from agent.numbers.parts.part_figures import called, key_of
from agent.numbers.verification.verify import verify
from agent.query.companies import statement_names as faces
from agent.refusals.codes import Code
from agent.state import Answer
from agent.state.tables import Table
from agent.steps import pipeline
from agent.steps.deps import Deps
from filings.models import Fact, Member
from filings.xbrl.later_filings import later
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db
CALDER = 9999999903


def table(question: str) -> Table:
    (block,) = answer(question).blocks
    assert block.table is not None
    return block.table


def answer(question: str) -> Answer:
    return pipeline.answer(question, Deps.current())


def asked(question: str) -> dict[tuple[str, int], Decimal | None]:
    return {(one.label, one.fiscal_year): one.value for one in table(question).cells if one.asked}


def test_a_figure_of_a_part_is_the_fact_of_its_member(sample: Sample) -> None:
    found = table("Calder turbines revenue 2024")
    (cell,) = [one for one in found.cells if one.asked]
    assert (cell.label, cell.value) == ("Total revenue of Turbines", Decimal(768_000_000))
    assert cell.fact is not None
    assert (cell.fact.dimensions, cell.fact.label) == ("StatementBusinessSegmentsAxis=TurbinesMember", "Turbines")
    assert (cell.fact.axis, cell.fact.member) == ("Statement Business Segments", "Turbines")
    assert cell.fact.element == "us-gaap:Revenues [StatementBusinessSegmentsAxis=TurbinesMember]"
    assert verify(found) == ()


def test_it_is_verified_with_its_member(sample: Sample) -> None:
    found = table("Calder turbines revenue 2024")
    Fact.objects.filter(dimensions__contains="TurbinesMember").update(
        dimensions="StatementBusinessSegmentsAxis=GridMember;ConsolidationItemsAxis=OperatingSegmentsMember"
    )
    assert any("differs" in problem for problem in verify(found))


def test_what_is_made_of_parts_is_made_of_their_facts(sample: Sample) -> None:
    found = table("Calder turbines operating margin 2024")
    (cell,) = [one for one in found.cells if one.asked]
    assert cell.formula == "100 * (operating_income_turbines / revenue_turbines)"
    assert cell.value is not None
    assert round(cell.value, 4) == round(Decimal(-61) * 100 / Decimal(768), 4)
    assert verify(found) == ()


def test_parts_of_one_axis_add_up_to_the_whole(sample: Sample) -> None:
    parts = asked("Calder revenue of turbines, services and grid 2024")
    assert len(parts) == 3
    (whole,) = asked("Calder revenue 2024").values()
    assert sum(filter(None, parts.values())) == whole


def test_a_part_that_a_measure_is_not_tagged_of_is_refused_with_those_it_is_tagged_of(sample: Sample) -> None:
    (block,) = answer("Calder turbines assets 2024").blocks
    assert block.refusal is not None
    assert block.refusal.code == Code.DIMENSIONAL_ONLY
    assert block.refusal.text == "No total assets for Turbines was found in Calder's fiscal 2024 10-K."


def test_a_measure_by_segment_has_a_row_for_each_and_adds_up(sample: Sample) -> None:
    found = table("Calder revenue by segment 2024")
    parts = {one.part: one.value for one in found.cells if one.asked}
    assert list(parts) == ["Turbines", "Services", "Grid"]
    (whole,) = [one.value for one in found.cells if not one.asked]
    assert sum(filter(None, parts.values())) == whole
    assert verify(found) == ()


def test_an_item_between_the_parts_and_the_whole_is_a_row_under_the_filings_own_name(sample: Sample) -> None:
    found = table("Calder operating income by segment 2024")
    *parts, item = [one for one in found.cells if one.asked]
    (whole,) = [one.value for one in found.cells if not one.asked]
    assert (item.part, item.role, item.formula) == ("Corporate and impairment", "reconciling", "")
    assert {one.role for one in parts} == {"part"}
    assert whole == sum(one.value or 0 for one in (*parts, item))
    assert verify(found) == ()


def items_of_operating_income() -> QuerySet[Fact]:
    """What stands between the segments' operating income and that of the company in fiscal 2024."""
    facts = Fact.objects.filter(company__cik=CALDER, tag="OperatingIncomeLoss", end__year=2024)
    return facts.filter(dimensions__startswith="ConsolidationItemsAxis=")


def test_what_the_parts_leave_is_a_row_with_its_formula_if_it_is_small(sample: Sample) -> None:
    grid = Fact.objects.filter(company__cik=CALDER, tag="Revenues", dimensions__endswith="GridMember")
    for one in grid:
        Fact.objects.filter(pk=one.pk).update(value=one.value - 9_000_000, raw=str(one.value - 9_000_000))
    found = table("Calder revenue by segment 2024")
    *_, left = [one for one in found.cells if one.asked]
    assert (left.part, left.role, left.value) == ("Other", "rest", Decimal(9_000_000))
    assert left.formula == " - ".join(["revenue", *(f"revenue_{one}" for one in ("turbines", "services", "grid"))])
    assert verify(found) == ()


def test_what_the_parts_leave_is_no_row_if_it_is_large_and_the_total_says_so(sample: Sample) -> None:
    items_of_operating_income().delete()
    found = table("Calder operating income by segment 2024")
    assert [one.part for one in found.cells if one.asked] == ["Turbines", "Services", "Grid"]
    (note,) = [note for one in found.cells for note in one.notes if "add up" in note]
    assert note.startswith("Fiscal 2024: the segments add up to ")
    assert note.endswith(", not to the total; the report does not divide the rest.")


def test_what_rounding_leaves_is_no_row(sample: Sample) -> None:
    turbines = Fact.objects.filter(company__cik=CALDER, tag="Revenues", dimensions__contains="TurbinesMember")
    for one in turbines.filter(end__year=2024):
        Fact.objects.filter(pk=one.pk).update(value=one.value + 100_000, raw=str(one.value + 100_000))
    labels = [one.part for one in table("Calder revenue by segment 2024").cells if one.asked]
    assert labels == ["Turbines", "Services", "Grid"]


def test_a_measure_that_is_tagged_of_no_part_is_refused(sample: Sample) -> None:
    (block,) = answer("Calder total assets by segment 2024").blocks
    assert block.refusal is not None
    assert block.refusal.text == "No tagged or printed total assets by segment was found in Calder's fiscal 2024 10-K."


def test_a_later_value_is_of_the_same_part(sample: Sample) -> None:
    of = list(Fact.objects.filter(company__cik=CALDER, tag="Revenues", end__year=2024, filing__fiscal_year=2024))
    found = later(of)
    turbines = next(one for one in of if "TurbinesMember" in one.dimensions)
    (one,) = found[turbines.pk]
    assert Fact.objects.get(pk=one.fact).dimensions == turbines.dimensions


def test_words_of_a_part_and_its_formulas() -> None:
    assert called("iPhone", "Total revenue") == "Total revenue of iPhone"
    assert called("Data processing revenue", "Total revenue") == "Data processing revenue"
    assert key_of("revenue", "Europe, Middle East & Africa") == "revenue_europe_middle_east_and_africa"


def test_a_share_is_of_the_figure_of_the_whole(sample: Sample) -> None:
    found = table("Turbines share of Calder revenue 2024")
    (cell,) = [one for one in found.cells if one.asked]
    assert cell.formula == "100 * (revenue_turbines / revenue)"
    assert verify(found) == ()


def test_the_largest_part_is_named_with_its_kind(sample: Sample) -> None:
    found = table("Calder largest segment 2024")
    (cell,) = [one for one in found.cells if one.asked]
    assert (cell.label, cell.value) == ("Total revenue of Turbines (largest segment)", Decimal(768_000_000))
    assert verify(found) == ()


def test_no_part_is_the_largest_where_they_do_not_add_up(sample: Sample) -> None:
    items_of_operating_income().delete()
    (block,) = answer("Calder largest segment by operating income 2024").blocks
    assert block.refusal is not None
    assert block.refusal.code == Code.DIMENSIONAL_ONLY
    assert block.refusal.text.endswith("so none can be called the largest segment.")


def copied(dimensions: str, value: int, member: str = "TurbinesMember") -> None:
    """A fact of Calder's revenue in fiscal 2024 beside that of a segment, with other dimensions."""
    fact = Fact.objects.get(
        company__cik=CALDER,
        tag="Revenues",
        filing__fiscal_year=2024,
        end__year=2024,
        dimensions__endswith=f"={member}",
    )
    fact.pk, fact.dimensions, fact.raw, fact.value = None, dimensions, str(value), Decimal(value)
    fact.save()


def labelled(axis: str, member: str, label: str) -> None:
    filing = Fact.objects.filter(company__cik=CALDER, filing__fiscal_year=2024)[0].filing
    Member.objects.create(filing=filing, axis=axis, axis_label=axis, member=member, label=label)


@pytest.fixture
def changing(sample: Sample) -> Iterator[None]:
    """Labels of parts that a test stores are read, and forgotten after it."""
    faces._of_company.cache_clear()
    yield
    faces._of_company.cache_clear()


def test_a_name_of_two_kinds_gives_both_figures_where_they_differ(changing: None) -> None:
    labelled("ProductOrServiceAxis", "TurbineSalesMember", "Turbines")
    copied("ProductOrServiceAxis=TurbineSalesMember", 700_000_000)
    cells = [one for one in table("Calder turbines revenue 2024").cells if one.asked]
    assert [(one.reading, one.value) for one in cells] == [
        ("As a segment", Decimal(768_000_000)),
        ("As a product", Decimal(700_000_000)),
    ]


def test_a_name_of_two_kinds_gives_one_figure_where_they_are_equal(changing: None) -> None:
    labelled("ProductOrServiceAxis", "TurbineSalesMember", "Turbines")
    copied("ProductOrServiceAxis=TurbineSalesMember", 768_000_000)
    (cell,) = [one for one in table("Calder turbines revenue 2024").cells if one.asked]
    assert cell.reading == ""


def grouped(*, twice: bool = False) -> None:
    """Calder's products, each in one group of an axis of its own; one in two groups where it is told twice."""
    labelled("ProductOrServiceAxis", "BladesMember", "Blades")
    copied("FieldAxis=WindMember;ProductOrServiceAxis=BladesMember", 500_000_000)
    copied("FieldAxis=WaterMember;ProductOrServiceAxis=PumpsMember", 400_000_000)
    if twice:
        copied("FieldAxis=WaterMember;ProductOrServiceAxis=BladesMember", 100_000_000)


def test_a_product_told_in_its_group_is_all_of_it(changing: None) -> None:
    grouped()
    assert list(asked("Calder blades revenue 2024").values()) == [Decimal(500_000_000)]


def test_a_product_told_in_two_groups_is_refused(changing: None) -> None:
    grouped(twice=True)
    (block,) = answer("Calder blades revenue 2024").blocks
    assert block.refusal is not None
    assert block.refusal.code == Code.DIMENSIONAL_ONLY


def test_a_part_of_two_parts_gives_its_figure_in_each_and_changes_are_those_of_the_first(changing: None) -> None:
    labelled("ProductOrServiceAxis", "BladesMember", "Blades")
    inside = {"TurbinesMember": 500_000_000, "GridMember": 300_000_000}
    for segment, value in inside.items():
        copied(f"StatementBusinessSegmentsAxis={segment};ProductOrServiceAxis=BladesMember", value)
    copied("StatementBusinessSegmentsAxis=TurbinesMember;ProductOrServiceAxis=PartsMember", 268_000_000)
    copied("StatementBusinessSegmentsAxis=GridMember;ProductOrServiceAxis=CablesMember", 77_000_000)
    labelled("ProductOrServiceAxis", "PartsMember", "Parts")
    labelled("ProductOrServiceAxis", "CablesMember", "Cables")
    found = table("Calder blades revenue 2024")
    assert [(one.reading, one.value, one.alternative) for one in found.cells if one.asked] == [
        ("in Turbines", Decimal(500_000_000), False),
        ("in Grid", Decimal(300_000_000), True),
    ]
    assert not [one for one in found.cells if one.unit == "percent"]
    assert verify(found) == ()


def test_a_row_over_years_has_one_name_wherever_reports_tag_the_part(sample: Sample) -> None:
    grid = Fact.objects.filter(company__cik=CALDER, filing__fiscal_year=2024, dimensions__endswith="=GridMember")
    grid.update(dimensions="BusinessUnitAxis=NetsMember;StatementBusinessSegmentsAxis=GridMember")
    cells = [one for one in table("Calder grid revenue 2024 and 2025").cells if one.asked and one.unit == "USD"]
    assert [(one.fiscal_year, one.label) for one in cells if one.value] == [
        (2024, "Total revenue of Grid"),
        (2025, "Total revenue of Grid"),
    ]
    (alone,) = [one for one in table("Calder grid revenue 2024").cells if one.asked]
    assert alone.label == "Total revenue of Grid in Nets"


def test_a_part_that_its_own_year_does_not_know_is_as_a_later_10_k_recasts_it(sample: Sample) -> None:
    Fact.objects.filter(filing__fiscal_year=2024, dimensions__contains="GridMember").update(
        dimensions="StatementBusinessSegmentsAxis=CablesMember"
    )
    Member.objects.filter(filing__fiscal_year=2024, member="GridMember").update(member="CablesMember", label="Cables")
    found = table("Calder grid revenue 2024")
    (cell,) = [one for one in found.cells if one.asked]
    assert cell.value == Decimal(377_000_000)
    assert found.notes == ("Fiscal 2024 from the fiscal 2025 10-K; not in its own.",)
    assert cell.recast
    assert (cell.recast.fiscal_year, cell.recast.first, cell.recast.own_loaded) == (2025, None, True)
    assert cell.fact
    assert (cell.fact.accession,) == cell.seams != (cell.accession,)
    (growth,) = [one for one in table("Calder grid revenue growth 2024").cells if one.asked and one.unit == "percent"]
    assert growth.gap is not None or growth.seams == cell.seams
    assert verify(table("Calder grid operating margin 2024")) == ()


def test_a_measure_that_only_a_later_10_k_gives_of_a_known_part_is_as_that_gives_it(sample: Sample) -> None:
    costs = Fact.objects.filter(filing__company__cik=CALDER, filing__fiscal_year=2024, tag="OperatingIncomeLoss")
    assert costs.filter(dimensions__contains="GridMember").delete()[0]
    found = table("Calder grid operating income 2023 to 2025")
    cells = {one.fiscal_year: one for one in found.cells if one.asked and one.unit == "USD"}
    assert cells[2024].value is not None
    assert cells[2024].recast
    assert cells[2024].recast.fiscal_year == 2025
    assert cells[2025].recast is None
    assert verify(found) == ()


def test_a_report_that_calls_a_part_otherwise_is_said(sample: Sample) -> None:
    Member.objects.filter(filing__company__cik=CALDER, filing__fiscal_year=2024, member="GridMember").update(
        label="Grid and cables"
    )
    cells = [one for one in table("Calder grid revenue 2024 and 2025").cells if one.asked]
    assert {one.fiscal_year: one.notes for one in cells} == {
        2024: ("This report calls it Grid and cables.",),
        2025: (),
    }


def test_a_segment_s_own_figure_and_another_of_the_whole_company_s_lines_are_two(sample: Sample) -> None:
    for own in Fact.objects.filter(
        filing__company__cik=CALDER, filing__fiscal_year=2024, end__year=2024, tag="Revenues",
        dimensions="StatementBusinessSegmentsAxis=GridMember",
    ):  # fmt: skip
        Fact.objects.filter(pk=own.pk).update(
            dimensions="StatementBusinessSegmentsAxis=GridMember;ConsolidationItemsAxis=OperatingSegmentsMember"
        )
        assert asked("Calder grid revenue 2024") == {("Total revenue of Grid", 2024): own.value}
        own.pk, own.tag, own.value = None, "RevenueFromContractWithCustomerExcludingAssessedTax", own.value - 1
        own.raw = str(own.value)
        own.save(force_insert=True)
    (block,) = answer("Calder grid revenue 2024").blocks
    assert block.refusal is not None
    assert block.refusal.code == Code.CONFLICT


def test_a_segment_with_two_figures_shows_both_with_what_tells_them_apart(sample: Sample) -> None:
    grid = Fact.objects.get(
        filing__company__cik=CALDER, filing__fiscal_year=2024, end__year=2024, tag="Revenues",
        dimensions="StatementBusinessSegmentsAxis=GridMember",
    )  # fmt: skip
    external = grid.value
    for items, value in (
        ("OperatingSegmentsMember", external + 5_000_000),
        ("IntersegmentEliminationMember", -5_000_000),
    ):
        grid.pk, grid.value, grid.raw = None, Decimal(value), str(value)
        grid.dimensions = f"StatementBusinessSegmentsAxis=GridMember;ConsolidationItemsAxis={items}"
        grid.save(force_insert=True)
    shown = {one.reading: (one.value, one.alternative) for one in table("Calder grid revenue 2024").cells if one.asked}
    assert shown == {
        "to customers outside the company": (external, False),
        "with sales to other segments": (external + 5_000_000, True),
    }
    whole = asked("Calder revenue 2024")["Total revenue", 2024]
    assert whole
    shares = table("Calder grid revenue as a percentage of revenue 2024")
    assert {one.reading: one.value and round(one.value, 6) for one in shares.cells if one.asked} == {
        "to customers outside the company": round(external / whole * 100, 6),
        "with sales to other segments": round((external + 5_000_000) / whole * 100, 6),
    }
    margins = [one for one in table("Calder grid operating margin 2024").cells if one.asked]
    assert [(one.reading, one.alternative) for one in margins] == [
        ("to customers outside the company", False), ("with sales to other segments", True),
    ]  # fmt: skip
    assert verify(shares) == ()


def test_parts_of_two_companies_are_compared_as_one_measure(sample: Sample) -> None:
    found = table("Calder turbines vs Northwind software revenue 2024")
    labels = {one.cik: one.label for one in found.cells if one.asked}
    assert labels == {CALDER: "Total revenue of Turbines", 9999999901: "Total revenue of Software"}
    (ranked,) = found.results
    assert ranked.label == "Total revenue of Turbines / Software"
    assert ranked.order[0].cik == CALDER
    assert verify(found) == ()


def test_a_company_without_such_a_part_is_a_gap(sample: Sample) -> None:
    found = table("Calder, Northwind and Larkfield services revenue 2024")
    cells = {one.cik: one for one in found.cells if one.asked}
    assert cells[CALDER].value
    assert cells[9999999901].value
    gap = cells[9999999902].gap
    assert gap is not None
    assert gap.code is Code.DIMENSIONAL_ONLY


def test_what_is_made_of_parts_of_two_companies_is_ranked_under_its_name(sample: Sample) -> None:
    found = table("Calder turbines vs Northwind software revenue CAGR 2023 to 2025")
    *_, ranked = found.results
    assert ranked.label == "Compound annual growth rate of total revenue of Turbines / Software"
