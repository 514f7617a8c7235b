"""How a filing divides a figure: subtotals, items between parts and whole, parts inside others, products of segments."""

from collections.abc import Sequence
from decimal import Decimal

import pytest

from agent.numbers.parts.divisions import Division, Part, divisions, undivided
from agent.numbers.parts.part_facts import Divided
from agent.numbers.parts.part_names import cleaned
from agent.numbers.parts.part_rows import found_divisions, rows_of
from filings.models import Fact
from filings.xbrl.axes import words

SEGMENT, PRODUCT, REGION = "StatementBusinessSegmentsAxis", "ProductOrServiceAxis", "StatementGeographicalAxis"
OWN = "ConsolidationItemsAxis=OperatingSegmentsMember"
MOST = Decimal("1.15")


def fact(value: float, dimensions: str = "", order: int = 0, tag: str = "Revenues") -> Fact:
    """A figure in millions, rounded to millions."""
    amount = Decimal(str(value)) * 1_000_000
    return Fact(
        pk=order + 1, taxonomy="us-gaap", tag=tag, unit="USD", value=amount, raw=str(amount), decimals=-6,
        dimensions=dimensions, order=order,
    )  # fmt: skip


def parts(*values: float, reconciling: bool = False) -> list[Part]:
    return [
        Part(
            (fact(value, f"{PRODUCT}=P{place}Member", place + 50 * reconciling),),
            f"{PRODUCT}=P{place}Member",
            reconciling,
        )
        for place, value in enumerate(values)
    ]


def figure(whole: float, tagged: Sequence[tuple[str, float]]) -> Divided:
    facts = tuple(fact(value, dimensions, place + 1) for place, (dimensions, value) in enumerate(tagged))
    return Divided("Total revenue", fact(whole), ("us-gaap:Revenues",), facts)


def shown(division: Division) -> list[tuple[str, int]]:
    """The rows with their values in millions: subtotals as sums of others, items in brackets."""
    said = []
    for row in division.rows:
        name = row.told.rpartition("=")[2].removesuffix("Member")
        said.append(
            (f"={name}" if row.parts else f"({name})" if row.reconciling else name, int(row.value / 1_000_000))
        )
    return said


def the_division(kind: str, whole: float, tagged: Sequence[tuple[str, float]]) -> list[tuple[str, int]]:
    found = found_divisions(kind, figure(whole, tagged), MOST)
    return shown(found[0]) if found else []


@pytest.mark.parametrize(
    ("values", "rows"),
    [
        ((60, 40), [60, 40]),
        ((30, 20, 50, 50), [30, 20, 50, 50]),  # 50 = 30 + 20, and 50 beside it
        ((50, 30, 20, 50), [50, 30, 20, 50]),  # the subtotal before its parts
        ((10, 20, 30, 5, 5, 10, 40, 60), [10, 20, 30, 5, 5, 10, 40, 60]),  # subtotals of subtotals
        ((80, 60, 40), [60, 40]),  # gross sales, of which only a part is revenue
        ((100,), []),
        ((100, 0), [100, 0]),
        ((60, 30), []),
    ],
)
def test_rows_come_to_the_whole_and_a_row_that_is_the_sum_of_others_is_not_counted_twice(
    values: tuple[float, ...], rows: list[float]
) -> None:
    found = divisions(fact(100), parts(*values))
    assert ([int(row.value / 1_000_000) for one in found[:1] for row in one.rows] and found) or not rows
    for one in found[:1]:
        assert sorted(int(row.value / 1_000_000) for row in one.rows) == sorted(rows)
        assert sum(row.value for row in one.top) == one.whole.value
        assert one.adds_up


def test_of_several_divisions_the_most_detailed_is_first() -> None:
    found = divisions(fact(100), parts(60, 40, 50, 30, 20))
    assert [[int(row.value / 1_000_000) for row in one.rows] for one in found] == [[50, 30, 20], [60, 40]]


def test_rounding_may_part_the_rows_from_the_whole_and_nothing_more() -> None:
    assert divisions(fact(100), parts(33, 33, 33))  # half a million for each row, and for the whole
    assert not divisions(fact(100), parts(33, 33, 31))


def test_items_between_the_parts_and_the_whole_are_added_and_shown_last() -> None:
    items = parts(-8, 5, 99, reconciling=True)
    (found, *_) = divisions(fact(100), parts(60, 43), items)
    assert [row.reconciling for row in found.rows] == [False, False, True, True]
    assert [int(row.value / 1_000_000) for row in found.rows] == [60, 43, -8, 5]


def test_rows_that_do_not_come_to_the_whole_leave_a_rest() -> None:
    rest = undivided(fact(100), parts(60, 37))
    assert rest is not None
    assert (rest.left, rest.adds_up, rest.has_small_rest) == (3_000_000, False, True)
    large = undivided(fact(100), parts(60, 20))
    assert large is not None
    assert not large.has_small_rest
    assert undivided(fact(100), parts(60)) is None


def test_a_segments_own_figures_are_used_where_eliminations_lead_to_the_whole_and_else_those_of_customers() -> None:
    own = [(f"{SEGMENT}=AMember;{OWN}", 62), (f"{SEGMENT}=BMember;{OWN}", 45)]
    external = [(f"{SEGMENT}=AMember", 58), (f"{SEGMENT}=BMember", 42)]
    between = ("ConsolidationItemsAxis=IntersegmentEliminationMember", -7)
    assert the_division("segment", 100, [*own, *external]) == [("A", 58), ("B", 42)]
    assert the_division("segment", 100, [*own, *external, between]) == [
        ("A", 62),
        ("B", 45),
        ("(IntersegmentElimination)", -7),
    ]


def test_of_items_that_come_near_by_chance_and_others_that_come_to_the_whole_these_are_used() -> None:
    tagged = [(f"{SEGMENT}=AMember;{OWN}", 60), (f"{SEGMENT}=BMember;{OWN}", 50)]
    tagged += [(f"ConsolidationItemsAxis={name}Member", value) for name, value in (("X", -11), ("Y", -7), ("Z", -3))]
    assert the_division("segment", 100, tagged)[2:] == [("(Y)", -7), ("(Z)", -3)]


def test_an_item_of_the_whole_company_may_be_a_part_of_the_segment_that_is_nearly_all_of_it() -> None:
    tagged = [
        (f"{SEGMENT}=BrandMember;SubsegmentsAxis=NorthMember;{OWN}", 60),
        (f"{SEGMENT}=BrandMember;SubsegmentsAxis=SouthMember;{OWN}", 33),
        ("ConsolidationItemsAxis=MaterialReconcilingItemsMember", 2),
        (f"{SEGMENT}=BrandMember;{OWN}", 95),
        (f"{SEGMENT}=OutletMember;{OWN}", 5),
    ]
    assert the_division("segment", 100, tagged) == [
        ("North", 60), ("South", 33), ("MaterialReconcilingItems", 2), ("=Brand", 95), ("Outlet", 5),
    ]  # fmt: skip


def test_a_row_for_all_else_that_is_tagged_as_operating_segments_is_one_where_it_leads_to_the_whole() -> None:
    tagged = [(f"{SEGMENT}=AMember;{OWN}", 60), (f"{SEGMENT}=BMember;{OWN}", 50), (OWN, -40)]
    found = figure(70, tagged)
    found.facts[-1].label = "All other"
    (division,) = found_divisions("segment", found, MOST)
    assert [int(row.value / 1_000_000) for row in division.rows] == [60, 50, -40]
    assert division.adds_up
    # Their total, tagged so, is no item that brings an unlike whole nearer.
    found = figure(230, [*tagged[:2], (OWN, 110)])
    found.facts[-1].label = "Segments"
    (division,) = found_divisions("segment", found, Decimal(9))
    assert [int(row.value / 1_000_000) for row in division.rows] == [60, 50]


def test_the_figures_of_a_part_are_those_of_its_rows_wherever_they_are_tagged() -> None:
    unit = "BusinessUnitAxis=StudioMember"
    tagged = [(f"{unit};{SEGMENT}=FilmsMember;{OWN}", 60), (f"{SEGMENT}=CableMember;{OWN}", 40)]
    found = figure(100, tagged)
    assert found.of([f"{SEGMENT}=FilmsMember"]) == []
    assert [one.facts for one in rows_of([f"{SEGMENT}=FilmsMember"], found)] == [(found.facts[0],)]
    tagged = [(f"{SEGMENT}={one}Member;{OWN}", 50) for one in "AB"]
    tagged += [(f"{SEGMENT}={one}Member;{PRODUCT}={two}Member;{OWN}", 25) for one in "AB" for two in ("Ads", one * 2)]
    found = figure(100, tagged)
    (ads,) = rows_of([f"{PRODUCT}=AdsMember"], found)
    assert [one.dimensions for one in ads.facts] == [
        f"{SEGMENT}={one}Member;{PRODUCT}=AdsMember;{OWN}" for one in "AB"
    ]


def test_products_inside_segments_are_rows_and_the_segment_is_their_sum() -> None:
    tagged = [
        (f"{PRODUCT}=AdsMember;{SEGMENT}=WebMember", 50),
        (f"{PRODUCT}=FeesMember;{SEGMENT}=WebMember", 20),
        (f"{SEGMENT}=WebMember", 70),
        (f"{SEGMENT}=CloudMember", 30),
    ]
    assert the_division("product", 100, tagged) == [("Ads", 50), ("Fees", 20), ("=Web", 70), ("Cloud", 30)]
    assert the_division("segment", 100, tagged) == [("Web", 70), ("Cloud", 30)]


def test_a_product_given_only_by_region_is_the_sum_of_the_regions() -> None:
    tagged = [
        (f"{PRODUCT}=AMember;{REGION}=US", 40),
        (f"{PRODUCT}=AMember;{REGION}=NonUsMember", 20),
        (f"{PRODUCT}=BMember;{REGION}=US", 25),
        (f"{PRODUCT}=BMember;{REGION}=NonUsMember", 15),
    ]
    (found, *_) = found_divisions("product", figure(100, tagged), MOST)
    assert shown(found) == [("A", 60), ("B", 40)]
    assert [len(row.facts) for row in found.rows] == [2, 2]


def test_a_segment_that_is_nearly_all_of_the_company_is_divided_into_its_own() -> None:
    tagged = [
        (f"{SEGMENT}=BrandMember;SubsegmentsAxis=NorthMember;{OWN}", 60),
        (f"{SEGMENT}=BrandMember;SubsegmentsAxis=SouthMember;{OWN}", 33),
        (f"{SEGMENT}=BrandMember;ConsolidationItemsAxis=MaterialReconcilingItemsMember", 2),
        (f"{SEGMENT}=BrandMember;{OWN}", 95),
        (f"{SEGMENT}=OutletMember;{OWN}", 5),
    ]
    assert the_division("segment", 100, tagged) == [
        ("North", 60), ("South", 33), ("MaterialReconcilingItems", 2), ("=Brand", 95), ("Outlet", 5),
    ]  # fmt: skip


def test_parts_that_overlap_are_none() -> None:
    assert the_division("region", 100, [(f"{REGION}=US", 90), (f"{REGION}=NorthAmericaMember", 95)]) == []


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("FedEx Freight Segment", "FedEx Freight"), ("Commercial Engines Reportable Segment", "Commercial Engines"),
        ("Home Décor1", "Home Décor"), ("Boeing F35", "Boeing F35"), ("Medical Devices —", "Medical Devices"),
        ("Total package revenue", "Package revenue"), ("Google Services total", "Google Services"),
        ("iPhone", "iPhone"), ("Other Geographies Member", "Other Geographies"), ("Segment", "Segment"), ("Total", "Total"),
        ("COVID-19", "COVID-19"), ("Section 8", "Section 8"),
    ],
)  # fmt: skip
def test_names_of_parts_are_as_the_filing_writes_them_without_what_every_name_has(label: str, name: str) -> None:
    assert cleaned(label) == name


def test_words_that_join_others_are_apart_in_an_elements_words() -> None:
    assert words("ChinaincludingHongKongMember") == "China including Hong Kong"
    assert words("VehiclesandPartsMember") == "Vehicles and Parts"
    assert words("ThailandMember") == "Thailand"
    assert words("IslandMember") == "Island"
