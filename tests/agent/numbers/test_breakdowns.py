"""A measure divided into parts over several years: a row for each part, and columns that add up."""

from collections.abc import Iterable
from decimal import Decimal

import pytest
from django.db.models import QuerySet

from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.state.query import Basis, Breakdown, Change, Concept, Line, Metric
from agent.state.tables import Cell, Table
from filings.models import Company, Fact, Filing, Member
from tests.support.sample import Sample
from tests.support.tables import span, table, years

pytestmark = pytest.mark.django_db
SEGMENTS = "StatementBusinessSegmentsAxis"
BY_SEGMENT = Breakdown(of=Concept(key="revenue"), axis="segment")


@pytest.fixture
def calder(sample: Sample) -> Company:
    return Company.objects.get(cik=9999999903)


def by_segment(calder: Company, *, shares: bool = False) -> Table:
    return table(calder, span(2024, 2025), Breakdown(of=Concept(key="revenue"), axis="segment", shares=shares))


def rows(made: Table, unit: str = "USD") -> dict[str, dict[int, Cell]]:
    found: dict[str, dict[int, Cell]] = {}
    for one in made.cells:
        if one.asked and one.unit == unit:
            found.setdefault(one.part or one.label, {})[one.fiscal_year or 0] = one
    return found


def adds_up(made: Table) -> bool:
    """Whether the parts of each year come to the whole."""
    wholes = {one.fiscal_year: one.value for one in made.cells if not one.asked}
    parts = [year for row in rows(made).values() for year in row.values()]
    return wholes == {
        year: sum(one.value or 0 for one in parts if one.fiscal_year == year) for year in (2024, 2025)
    } and not verify(made)


def of(calder: Company, year: int, member: str) -> Fact:
    """The revenue of a segment in the 10-K of a year, for that year."""
    return Fact.objects.get(
        company=calder,
        filing__fiscal_year=year,
        end__year=year,
        tag="Revenues",
        dimensions=f"{SEGMENTS}={member}",
    )


def test_a_part_is_the_same_by_its_element_whatever_it_is_called(calder: Company) -> None:
    Member.objects.filter(filing__company=calder, filing__fiscal_year=2024, member="GridMember").update(label="GRID")
    made = by_segment(calder)
    assert list(rows(made)) == ["Turbines", "Services", "Grid"]
    assert all(one.value for row in rows(made).values() for one in row.values())
    assert adds_up(made)


def test_a_part_is_the_same_by_its_name_whatever_its_element(calder: Company) -> None:
    Fact.objects.filter(filing__company=calder, filing__fiscal_year=2024, dimensions=f"{SEGMENTS}=GridMember").update(
        dimensions=f"{SEGMENTS}=GridOfBeforeMember"
    )
    Member.objects.filter(filing__company=calder, filing__fiscal_year=2024, member="GridMember").update(
        member="GridOfBeforeMember", label="grid"
    )
    made = by_segment(calder)
    assert list(rows(made)) == ["Turbines", "Services", "Grid"]
    assert all(one.value for row in rows(made).values() for one in row.values())
    assert adds_up(made)


def test_two_parts_of_one_filing_that_are_called_alike_are_two(calder: Company) -> None:
    Member.objects.filter(filing__company=calder, axis=SEGMENTS, member="GridMember").update(label="Services")
    made = by_segment(calder)
    assert list(rows(made)) == ["Turbines", "Services", "Grid"]
    assert adds_up(made)


def test_a_total_among_the_parts_of_another_year_is_no_part_of_this_one(calder: Company) -> None:
    whole = sum(of(calder, 2025, one).value for one in ("ServicesMember", "GridMember"))
    Fact.objects.filter(
        filing__company=calder, filing__fiscal_year=2024, dimensions=f"{SEGMENTS}=ServicesMember"
    ).update(dimensions=f"{SEGMENTS}=ServicesAndGridMember")
    grid = of(calder, 2024, "GridMember")
    both = of(calder, 2024, "ServicesAndGridMember")
    Fact.objects.filter(pk=both.pk).update(value=both.value + grid.value, raw=str(both.value + grid.value), label="")
    grid.delete()
    total = of(calder, 2025, "GridMember")
    total.pk, total.dimensions, total.value, total.raw = None, f"{SEGMENTS}=ServicesAndGridMember", whole, str(whole)
    total.label = ""
    total.save(force_insert=True)
    comparatives(calder).delete()
    made = by_segment(calder)
    assert list(rows(made)) == ["Turbines", "Services", "Grid", "Services And Grid"]
    total = rows(made)["Services And Grid"]
    assert (total[2025].role, total[2025].value) == ("subtotal", whole)
    # The year before has it as a part, and is divided into no others.
    gap = rows(made)["Grid"][2024].gap
    assert gap is not None
    assert (gap.code, gap.text) == (
        Code.DIMENSIONAL_ONLY,
        "Calder breaks total revenue for fiscal 2024 into other parts.",
    )
    assert {one.basis_break for one in rows(made)["Turbines"].values()} == {
        "",
        "No report shows whether the parts of fiscal 2024 and fiscal 2025 are the same.",
    }


def comparatives(calder: Company) -> QuerySet[Fact]:
    """What the newest 10-K gives of the segments in the year before."""
    return Fact.objects.filter(
        filing__company=calder, filing__fiscal_year=2025, end__year=2024, dimensions__startswith=SEGMENTS
    )


def renamed_in_2024(calder: Company) -> None:
    of_before = Fact.objects.filter(filing__company=calder, filing__fiscal_year=2024, dimensions__startswith=SEGMENTS)
    of_before.filter(dimensions__endswith="GridMember").update(dimensions=f"{SEGMENTS}=CablesMember", label="")
    of_before.filter(dimensions__endswith="ServicesMember").update(dimensions=f"{SEGMENTS}=RepairsMember", label="")


def test_a_renamed_part_is_joined_where_a_report_gives_its_figure_under_the_new_name(calder: Company) -> None:
    renamed_in_2024(calder)
    made = by_segment(calder)
    assert list(rows(made)) == ["Turbines", "Services", "Grid"]
    assert all(not one.recast and not one.basis_break for row in rows(made).values() for one in row.values())
    assert adds_up(made)
    comparatives(calder).delete()  # then nothing joins them
    assert list(rows(by_segment(calder))) == ["Turbines", "Services", "Grid", "Repairs", "Cables"]


def test_a_year_before_other_segments_is_as_the_later_10_k_recasts_it(calder: Company) -> None:
    renamed_in_2024(calder)
    moved = comparatives(calder).filter(tag="Revenues")
    for member, by in (("ServicesMember", 5_000_000), ("GridMember", -5_000_000)):
        one = moved.get(dimensions=f"{SEGMENTS}={member}")
        moved.filter(pk=one.pk).update(value=one.value + by, raw=str(one.value + by))
    given = {one.dimensions: one.value for one in moved}
    made = by_segment(calder)
    assert list(rows(made)) == ["Turbines", "Services", "Grid"]
    assert {row[2024].value for row in rows(made).values()} == set(given.values())
    assert {name for name, row in rows(made).items() if row[2024].recast} == {"Services", "Grid"}
    assert made.notes == ("Fiscal 2024 as restated in the fiscal 2025 10-K.",)
    assert verify(made) == ()
    assert adds_up(made)


def test_a_year_whose_own_report_leaves_a_large_rest_has_that_of_a_later_one_with_the_same_parts(
    calder: Company,
) -> None:
    amount = 300_000_000
    for one in Fact.objects.filter(
        filing__company=calder, end__year=2024, tag="Revenues", dimensions=f"{SEGMENTS}=GridMember"
    ):
        Fact.objects.filter(pk=one.pk).update(value=one.value - amount, raw=str(one.value - amount))
    alone = table(calder, years(2024), BY_SEGMENT)
    assert alone.cells[0].notes[0].endswith("not to the total; the report does not divide the rest.")
    item = comparatives(calder).filter(tag="Revenues").get(dimensions=f"{SEGMENTS}=GridMember")
    item.pk, item.dimensions = None, "ConsolidationItemsAxis=CorporateNonSegmentMember"
    item.value, item.raw, item.label = Decimal(amount), str(amount), "Corporate"
    item.save(force_insert=True)
    # The later report tags its segments otherwise, with the same figures.
    for one in comparatives(calder).filter(tag="Revenues", dimensions__startswith=SEGMENTS):
        own = f"{one.dimensions};ConsolidationItemsAxis=OperatingSegmentsMember"
        Fact.objects.filter(pk=one.pk).update(dimensions=own)
    made = table(calder, years(2024), BY_SEGMENT)
    shown = {name: row[2024] for name, row in rows(made).items()}
    assert shown["Corporate and impairment"].value == amount
    assert {name for name, one in shown.items() if one.recast} == {"Corporate and impairment"}
    assert verify(made) == ()


def test_parts_are_found_under_another_element_of_the_measure(calder: Company) -> None:
    tagged = Fact.objects.filter(filing__company=calder, filing__fiscal_year=2025, dimensions__startswith=SEGMENTS)
    tagged.filter(tag="Revenues").update(tag="RevenueFromContractWithCustomerExcludingAssessedTax")
    made = by_segment(calder)
    assert all(one.value for row in rows(made).values() for one in row.values())
    assert adds_up(made)
    tagged.filter(dimensions__endswith="GridMember").delete()
    left = by_segment(calder)
    (note,) = {note for one in left.cells for note in one.notes if "2025" in note}
    assert note.endswith("not to the total; the report does not divide the rest.")


def test_a_ratio_is_that_of_each_part_and_adds_up_to_nothing(calder: Company) -> None:
    made = table(calder, span(2024, 2025), Breakdown(of=Metric(key="operating_margin"), axis="segment"))
    assert verify(made) == ()
    labels = list(rows(made, "percent"))
    assert labels == ["Turbines", "Services", "Grid"]
    assert all(one.value is not None for row in rows(made, "percent").values() for one in row.values())
    (whole,) = [one for one in made.cells if not one.asked and one.fiscal_year == 2025]
    assert (whole.measure, whole.formula) == ("operating_margin", "100 * (operating_income / revenue)")


def revenues(calder: Company, year: int) -> QuerySet[Fact]:
    """The revenue of each segment in the 10-K of a year, for that year."""
    own = Fact.objects.filter(filing__company=calder, filing__fiscal_year=year, end__year=year, tag="Revenues")
    return own.filter(dimensions__startswith=SEGMENTS)


def as_a_segments_own(facts: Iterable[Fact], more: int) -> None:
    """Beside each figure, what the segment reports as its own, which includes sales to other segments."""
    for one in facts:
        one.pk, one.dimensions = None, f"{one.dimensions};ConsolidationItemsAxis=OperatingSegmentsMember"
        one.value, one.raw = one.value + more, str(one.value + more)
        one.save(force_insert=True)


def test_of_two_figures_of_a_segment_those_are_used_that_add_up(calder: Company) -> None:
    segments = revenues(calder, 2025)
    external = {one.dimensions: one.value for one in segments}
    as_a_segments_own(list(segments), 2_000_000)
    made = by_segment(calder)
    assert {row[2025].value for row in rows(made).values()} == set(external.values())
    assert adds_up(made)


def test_with_eliminations_a_segment_is_shown_with_its_sales_to_others(calder: Company) -> None:
    segments = revenues(calder, 2025)
    as_a_segments_own(list(segments), 2_000_000)
    between = segments.filter(dimensions=f"{SEGMENTS}=GridMember").get()
    between.pk, between.dimensions = None, "ConsolidationItemsAxis=IntersegmentEliminationMember"
    between.value, between.raw, between.label = Decimal(-6_000_000), "-6000000", "Between segments"
    between.save(force_insert=True)
    shown = rows(by_segment(calder))
    assert {name: row[2025].role for name, row in shown.items()} == {
        "Turbines": "part", "Services": "part", "Grid": "part", "Between segments": "reconciling",
    }  # fmt: skip
    assert shown["Between segments"][2025].value == -6_000_000
    # The year before has no such figures, and its row says so where it breaks.
    assert shown["Turbines"][2025].basis_break.startswith("The fiscal 2025 10-K divides fiscal 2025 otherwise")


def test_an_item_between_segments_keeps_its_sign_where_a_later_report_turns_it_around(calder: Company) -> None:
    own = Fact.objects.filter(
        filing__company=calder,
        filing__fiscal_year=2024,
        tag="Revenues",
        end__year=2024,
        dimensions__startswith=SEGMENTS,
    )
    as_a_segments_own(list(own), 2_000_000)
    later = comparatives(calder).filter(tag="Revenues")[0]
    for one, value in ((of(calder, 2024, "GridMember"), -6_000_000), (later, 6_000_000)):
        one.pk, one.dimensions = None, "ConsolidationItemsAxis=IntersegmentEliminationMember"
        one.value, one.raw, one.label = Decimal(value), str(value), "Between segments"
        one.save(force_insert=True)
    item = rows(table(calder, years(2024), BY_SEGMENT))["Between segments"][2024]
    assert (item.value, item.restated) == (-6_000_000, ())


def test_an_item_is_called_as_its_column_is_where_parts_stand_side_by_side(calder: Company) -> None:
    item = of(calder, 2025, "GridMember")
    item.pk, item.dimensions = None, "ConsolidationItemsAxis=MaterialReconcilingItemsMember"
    item.value, item.raw = Decimal(3_000_000), "3000000"
    item.save(force_insert=True)
    services = of(calder, 2025, "ServicesMember")
    Fact.objects.filter(pk=services.pk).update(value=services.value - 3_000_000, raw=str(services.value - 3_000_000))
    assert list(rows(table(calder, years(2025), BY_SEGMENT)))[-1] == "Reconciling items"
    printed = Fact.objects.filter(filing=item.filing, end=item.end, tag="Revenues").exclude(dimensions="")
    for one in printed:
        name = "GROUP FUNCTIONS" if one.pk == item.pk else one.dimensions
        Fact.objects.filter(pk=one.pk).update(label="Total revenue", column=f"Year ended 2025 | {name}")
    assert list(rows(table(calder, years(2025), BY_SEGMENT)))[-1] == "GROUP FUNCTIONS"
    # A heading of a table of its own may be anything: its date, or what all of its columns are of.
    Fact.objects.filter(pk=item.pk).update(column="In all years | GROUP FUNCTIONS")
    assert list(rows(table(calder, years(2025), BY_SEGMENT)))[-1] == "Reconciling items"


@pytest.mark.parametrize(
    ("left", "axis", "name"),
    [
        (5_000_000, SEGMENTS, "Other"),
        (5_000_000, "ProductOrServiceAxis", "Other products"),
        (-5_000_000, SEGMENTS, "Other / eliminations"),
        (-5_000_000, "ProductOrServiceAxis", "Other / eliminations"),
    ],
)
def test_a_small_rest_is_of_eliminations_only_where_the_parts_come_to_more(
    calder: Company, left: int, axis: str, name: str
) -> None:
    grid = of(calder, 2025, "GridMember")
    Fact.objects.filter(pk=grid.pk).update(value=grid.value - left, raw=str(grid.value - left))
    Fact.objects.filter(filing=grid.filing, dimensions__startswith="ProductOrServiceAxis").delete()
    for one in Fact.objects.filter(filing=grid.filing, end=grid.end, tag="Revenues", dimensions__startswith=SEGMENTS):
        Fact.objects.filter(pk=one.pk).update(dimensions=one.dimensions.replace(SEGMENTS, axis))
    kind = "segment" if axis == SEGMENTS else "product"
    made = table(calder, years(2025), Breakdown(of=Concept(key="revenue"), axis=kind))
    assert {one.part: one.value for one in made.cells if one.role == "rest"} == {name: left}
    assert verify(made) == ()


def test_a_kind_of_which_one_part_alone_has_a_figure_says_which(calder: Company) -> None:
    Fact.objects.filter(filing__company=calder, dimensions__startswith=SEGMENTS).exclude(
        dimensions=f"{SEGMENTS}=GridMember"
    ).delete()
    made = table(calder, years(2025), BY_SEGMENT)
    (cell,) = made.cells
    assert cell.gap
    assert cell.gap.text == "Calder reports total revenue by segment for fiscal 2025 only for Grid."
    grid = of(calder, 2025, "GridMember")
    whole = Fact.objects.filter(filing=grid.filing, end=grid.end, tag="Revenues", dimensions="").first()
    assert whole
    Fact.objects.filter(pk=grid.pk).update(value=whole.value, raw=whole.raw)
    made = table(calder, years(2025), BY_SEGMENT)
    (cell,) = made.cells
    assert cell.gap
    assert cell.gap.text == "Calder reports only one segment for fiscal 2025, so its total revenue is not divided."


def test_what_each_part_is_of_the_whole_is_computed_for_every_year(calder: Company) -> None:
    assert not rows(by_segment(calder), "percent")
    grid = of(calder, 2025, "GridMember")
    Fact.objects.filter(pk=grid.pk).update(value=grid.value - 9_000_000, raw=str(grid.value - 9_000_000))
    made = by_segment(calder, shares=True)
    found = rows(made, "percent")
    assert list(found) == [
        "Turbines, share", "Services, share", "Grid, share", "Other, share",
    ]  # fmt: skip
    for year in (2024, 2025):
        assert (
            round(sum((row[year].value or Decimal(0) for row in found.values() if year in row), Decimal(0)), 20) == 100
        )
    assert verify(made) == ()


def test_growth_is_that_of_each_part_and_adds_up_to_nothing(calder: Company) -> None:
    growth = Change(of=Concept(key="revenue"), percent=True)
    made = table(calder, years(2025), Breakdown(of=growth, axis="segment"))
    assert verify(made) == ()
    asked = [one for one in made.cells if one.asked]
    assert [one.part for one in asked] == ["Turbines", "Services", "Grid"]
    for cell, member in zip(asked, ("TurbinesMember", "ServicesMember", "GridMember"), strict=True):
        now, before = (
            of(calder, 2025, member).value,
            comparatives(calder).get(tag="Revenues", dimensions=f"{SEGMENTS}={member}").value,
        )
        assert cell.value is not None
        assert cell.value.quantize(Decimal("0.0001")) == (100 * now / before - 100).quantize(Decimal("0.0001"))
        assert {one.fact.accession for one in cell.operands} == {cell.accession}


def test_growth_of_a_printed_line_is_that_of_each_part(calder: Company) -> None:
    line = Line(label="Total revenue", names=("us-gaap:Revenues",))
    growth = Breakdown(of=Change(of=line, percent=True), axis="segment")
    of_concept = Breakdown(of=Change(of=Concept(key="revenue"), percent=True), axis="segment")
    made, same = (table(calder, years(2025), one) for one in (growth, of_concept))
    assert [one.value for one in made.cells if one.asked] == [one.value for one in same.cells if one.asked] != []


@pytest.mark.parametrize(("basis", "recast"), [(Basis.FIRST, set()), (Basis.LAST, {"Services", "Grid"})])
def test_parts_are_as_first_or_as_last_reported(calder: Company, basis: Basis, recast: set[str]) -> None:
    moved = comparatives(calder).filter(tag="Revenues")
    for member, by in (("ServicesMember", 5_000_000), ("GridMember", -5_000_000)):
        one = moved.get(dimensions=f"{SEGMENTS}={member}")
        moved.filter(pk=one.pk).update(value=one.value + by, raw=str(one.value + by))
    made = table(calder, span(2024, 2025), BY_SEGMENT, basis=basis)
    shown = rows(made)
    assert {name for name, row in shown.items() if row[2024].recast} == recast
    own = {of(calder, 2024, one).value for one in ("TurbinesMember", "ServicesMember", "GridMember")}
    assert ({row[2024].value for row in shown.values()} == own) is (basis is Basis.FIRST)
    assert any(row[2025].basis_break for row in shown.values()) is (basis is Basis.FIRST)
    assert adds_up(made)


def test_a_year_whose_report_is_not_loaded_is_divided_as_a_later_one_divides_it(calder: Company) -> None:
    Filing.objects.filter(company=calder, fiscal_year=2024).delete()
    made = table(calder, years(2024), BY_SEGMENT)
    shown = rows(made)
    assert list(shown) == ["Turbines", "Services", "Grid"]
    assert all(row[2024].recast for row in shown.values())
    assert verify(made) == ()


def test_the_largest_part_of_such_a_year_is_that_of_the_later_report(calder: Company) -> None:
    Filing.objects.filter(company=calder, fiscal_year=2024).delete()
    made = table(calder, years(2024), Breakdown(of=Concept(key="revenue"), axis="segment", extreme="highest"))
    (largest,) = (one for one in made.cells if one.asked)
    assert largest.label == "Total revenue of Turbines (largest segment)"
    assert largest.value is not None
    assert verify(made) == ()


def test_the_largest_parts_stand_alone_each_with_its_share(calder: Company) -> None:
    measure = Breakdown(of=Concept(key="revenue"), axis="segment", extreme="highest", top=2, shares=True)
    made = table(calder, years(2025), measure)
    levels = [one for one in made.cells if one.asked and one.unit == "USD"]
    assert [one.label for one in levels] == ["Total revenue of Turbines", "Total revenue of Services"]
    assert [one.unit for one in made.cells if one.asked] == ["USD", "percent", "USD", "percent"]
    assert verify(made) == ()
