"""What parts of companies are called: by longer and shorter names, by two axes, and where a name tells whose they are."""

import pytest

from agent.query.companies.owners import Owners, parts_owned
from agent.query.explain import line
from agent.query.question import read
from agent.query.words.lexicon import Called, CompanyPart, lexicon_of
from agent.query.words.part_names import part_names
from tests.agent.query.held import REGISTRY, TODAY, WIDER

PRODUCTS, SEGMENTS, REGIONS = "ProductOrServiceAxis", "StatementBusinessSegmentsAxis", "StatementGeographicalAxis"
APPLE, AMD, TESLA = 320193, 2488, 1318605


def called(*labels: tuple[str, str], names: tuple[tuple[str, ...], ...] = ()) -> Called:
    """Parts with these labels: each with a member of an axis."""
    found: dict[str, tuple[str, ...]] = {}
    for label, member in labels:
        found[label] = (*found.get(label, ()), member)
    return Called(parts=tuple(found.items()), names=names)


OF = {
    APPLE: called(
        ("HEALTH CARE", f"{SEGMENTS}=HealthMember"),
        ("Grooming", f"{SEGMENTS}=GroomingMember"),
        ("GlowPod", f"{PRODUCTS}=GlowPodMember"),
        ("Night Barn", f"{SEGMENTS}=NightBarnMember"),
        ("Lanterns", f"{PRODUCTS}=LanternsMember"),
        ("Norway", f"{REGIONS}=NO"),
    ),
    AMD: called(("Night Barn", f"{SEGMENTS}=NightBarnMember"), ("Server Barn", f"{SEGMENTS}=ServerBarnMember")),
    TESLA: called(("Server Barn Depot", f"{SEGMENTS}=DepotMember"), ("WattBox ads", f"{PRODUCTS}=WattBoxMember")),
}


def owners() -> Owners:
    return Owners(parts_owned(lexicon_of(REGISTRY), OF))


def told(question: str) -> str:
    return line(*read(question, WIDER, REGISTRY, TODAY, lambda ciks: OF.get(ciks[0], Called()), owners=owners))


def named(*labels: tuple[str, str], names: tuple[tuple[str, ...], ...] = ()) -> dict[tuple[str, ...], CompanyPart]:
    return part_names(lexicon_of(REGISTRY), called(*labels, names=names))


@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        ("glowpod sales 2023", "AAPL | 2023 | revenue of 'GlowPod'"),
        ("How much did GlowPod lose in 2023", "AAPL | 2023 | operating_income of 'GlowPod'"),
        ("wattbox ad revenue 2023", "TSLA | 2023 | revenue of 'WattBox ads'"),
        ("What was Server Barn revenue in 2023", "AMD | 2023 | revenue of 'Server Barn'"),
    ],
)
def test_a_part_of_one_company_tells_the_company(question: str, read_as: str) -> None:
    assert told(question) == read_as


def test_a_part_of_several_companies_tells_none_of_them() -> None:
    assert told("What was Night Barn revenue in 2023").startswith("ambiguous_company")


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("lanterns revenue 2023", "unknown_company"),  # an everyday word
        ("night barn revenue 2023", "unknown_company"),
        ("What was Lanterns revenue in 2023", "unknown_company"),
        ("What was Health Care revenue in 2023", "unknown_company"),  # common words
        ("grooming revenue 2023", "unknown_company"),
        ("What was Whole Server Barn revenue in 2023", "unknown_company"),  # of a longer name
        ("What was revenue in Norway in 2023", "unknown_company"),  # a place is nobody's
        ("GlowPod maker revenue 2023", "not_understood"),
        ("adjusted GlowPod revenue 2023", "non_gaap"),
        ("Humdinger GlowPod revenue 2023", "not_understood"),
        ("Microsoft GlowPod revenue 2023", "not_understood"),
        ("How much did GlowPod make in 2023", "ambiguous_concept"),
    ],
)
def test_what_is_no_name_of_a_part_tells_no_company(question: str, code: str) -> None:
    assert told(question).startswith(code)


def test_names_that_differ_by_the_kind_of_part_are_one() -> None:
    found = named(("Harbor", f"{REGIONS}=HarborMember"), ("Harbor Segment", f"{SEGMENTS}=HarborSegmentMember"))
    assert set(found["harbor",].members) == {f"{REGIONS}=HarborMember", f"{SEGMENTS}=HarborSegmentMember"}
    assert found["harbor", "segment"].members == (f"{SEGMENTS}=HarborSegmentMember",)


def test_a_name_in_other_letters_is_of_the_same_part() -> None:
    found = named(("Home & Harbor", f"{SEGMENTS}=HomeMember"), ("HOME AND HARBOR", f"{SEGMENTS}=OlderMember"))
    assert set(found["home", "and", "harbor"].members) == {f"{SEGMENTS}=HomeMember", f"{SEGMENTS}=OlderMember"}


def test_revenue_is_no_part_of_a_name_and_another_measure_is() -> None:
    found = named(("Total repair revenue", f"{PRODUCTS}=RepairMember"), ("Wharf ads", f"{PRODUCTS}=WharfMember"))
    assert ("repair",) in found
    assert ("repair", "revenue") in found
    assert ("wharf",) not in found  # its advertising is not all that it sells


def test_the_name_of_the_company_or_of_its_larger_part_may_be_left_out() -> None:
    found = named(
        ("Example Cloud", f"{SEGMENTS}=CloudMember"),
        ("Example Services", f"{SEGMENTS}=ServicesMember"),
        ("Boats", f"{SEGMENTS}=BoatsMember"),
        ("Boats towing credits", f"{PRODUCTS}=CreditsMember"),
        ("Boats and other", f"{PRODUCTS}=OtherMember"),
        ("Norway", f"{REGIONS}=NO"),
        ("Norway ferry tickets", f"{PRODUCTS}=FerryMember"),
        names=(("example",),),
    )
    assert found["cloud",].label == "Example Cloud"
    assert found["towing", "credit"].label == "Boats towing credits"
    assert ("service",) not in found  # a kind of part
    assert ("and", "other") not in found
    assert ("ferry", "ticket") not in found  # of one place only


def test_a_name_of_three_words_is_called_by_its_first_letters_where_they_are_no_word() -> None:
    found = named(
        ("Harbour of Boats", f"{SEGMENTS}=HarbourMember"),
        ("Rest of World", f"{REGIONS}=RestMember"),
        ("Quay Lights", f"{SEGMENTS}=QuayMember"),
        ("Xylo Kits Kept", f"{PRODUCTS}=KitsMember"),
        ("Xylo Kegs Kept", f"{PRODUCTS}=KegsMember"),
    )
    assert found["hob",].label == "Harbour of Boats"
    assert ("row",) not in found  # a word
    assert ("ql",) not in found  # two letters may be anything
    assert ("xkk",) not in found  # of two parts


@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        (
            "GlowPod vs WattBox ads revenue 2023",
            "AAPL, TSLA | 2023 | revenue of 'GlowPod / WattBox ads' > highest first",
        ),
        (
            "WattBox ads revenue vs Apple GlowPod revenue 2023",
            "TSLA, AAPL | 2023 | revenue of 'WattBox ads / GlowPod' > highest first",
        ),
    ],
)
def test_parts_of_two_companies_tell_both(question: str, read_as: str) -> None:
    assert told(question) == read_as


@pytest.mark.parametrize(
    ("label", "short"),
    [
        ("Harbor lights & other", ("harbor", "light")),
        ("Beacon solutions", ("beacon",)),
        ("Buoys, chains and other products", ("buoy", "chain")),
    ],
)
def test_a_name_is_also_what_stands_before_words_that_end_many(label: str, short: tuple[str, ...]) -> None:
    assert short in named((label, f"{PRODUCTS}=OneMember"))


def test_what_two_names_begin_with_names_neither() -> None:
    found = named(("Beacon solutions", f"{PRODUCTS}=OneMember"), ("Beacon systems", f"{PRODUCTS}=TwoMember"))
    assert ("beacon",) not in found


def test_the_name_of_the_company_names_none_of_its_parts() -> None:
    found = named(("Glow brand", f"{SEGMENTS}=BrandMember"), names=(("glow",),))
    assert set(found) == {("glow", "brand")}


@pytest.mark.parametrize(
    ("label", "initials"),
    [
        ("Lantern Motors & Sails", "lms"),
        ("Lantern Motors And Sails Reportable Segment", "lms"),
        ("Lantern Motors And Sails Segment", "lmas"),
        ("House of Xylophones", "hox"),
    ],
)
def test_a_part_is_called_by_its_initials(label: str, initials: str) -> None:
    assert (initials,) in named((label, f"{SEGMENTS}=LanternMember"))


def test_initials_that_two_parts_have_are_the_name_of_none() -> None:
    labels = ("Lantern Motors Sails", f"{SEGMENTS}=OneMember"), ("Lamps Mirrors Sinks", f"{SEGMENTS}=TwoMember")
    assert ("lms",) not in named(*labels)
