"""Figures of segments, products and regions: which are kept, what is printed beside them, and what their members are called."""

from datetime import date
from decimal import Decimal

import pytest

from filings.document.inline import read_inline
from filings.document.inline.member_figures import label
from filings.xbrl.axes import country_names, words
from filings.xbrl.parsed_xbrl import Member, ParsedFact
from tests.support import northwind as nw

SEGMENTS, ITEMS = "us-gaap:StatementBusinessSegmentsAxis", "srt:ConsolidationItemsAxis"
PRODUCTS, REGIONS = "srt:ProductOrServiceAxis", "srt:StatementGeographicalAxis"
HARBOR = {SEGMENTS: "nwl:HarborLightsSegmentMember"}
CONTEXTS = {
    "harbor": HARBOR,
    "inside": HARBOR | {ITEMS: "us-gaap:OperatingSegmentsMember"},
    "lamps_of_harbor": HARBOR | {PRODUCTS: "nwl:SignalLampsAndBuoysMember"},
    "level": {"us-gaap:FairValueByFairValueHierarchyLevelAxis": "us-gaap:FairValueInputsLevel1Member"}
    | {"us-gaap:FinancialInstrumentAxis": "us-gaap:CashMember"},
    "three": HARBOR | {PRODUCTS: "nwl:SignalLampsAndBuoysMember", REGIONS: "country:CA"},
    "canada": {REGIONS: "country:CA"},
}
TYPED = (
    '<xbrli:context id="typed"><xbrli:entity><xbrli:identifier scheme="http://www.sec.gov/CIK">9999999</xbrli:identifier>'
    '<xbrli:segment><xbrldi:typedMember dimension="us-gaap:ContractAxis"><nwl:id>7</nwl:id></xbrldi:typedMember>'
    "</xbrli:segment></xbrli:entity><xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate>"
    "<xbrli:endDate>2024-12-31</xbrli:endDate></xbrli:period></xbrli:context>"
)


@pytest.fixture
def note(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A report with a note on segments: two years side by side, a region in a sentence, and what is not kept."""
    for key, axes in CONTEXTS.items():
        monkeypatch.setitem(nw.CONTEXTS, key, ("2024-01-01", "2024-12-31", axes))
        monkeypatch.setitem(nw.CONTEXTS, f"{key}_py", ("2023-01-01", "2023-12-31", axes))
    both = [
        nw.table(
            '<tr><td></td><td colspan="6">Years ended December 31,</td></tr>',
            nw.DATES,
            nw.row("Harbor Lights:"),
            nw.line("Net sales", "us-gaap:Revenues", "620", "580", where=("harbor", "harbor_py")),
            nw.line("Operating profit", "us-gaap:OperatingIncomeLoss", "90", where=("inside",)),
            nw.line("Signal lamps", "us-gaap:Revenues", "75", where=("lamps_of_harbor",)),
            nw.line("Level 1", "us-gaap:Cash", "1", where=("level",)),
            nw.line("Three", "us-gaap:Revenues", "2", where=("three",)),
        ),
        f"<div>Sales in Canada were {nw.fact('us-gaap:Revenues', '44', 'canada')} million.</div>",
        nw.fact("us-gaap:Revenues", "3", "typed"),
    ]
    report: bytes = nw.annual_report(after=both)
    return report.replace(b"</ix:resources>", TYPED.encode() + b"</ix:resources>")


def of(document: bytes, dimensions: str) -> ParsedFact:
    (found,) = [
        one for one in read_inline(document).of_members if one.dimensions == dimensions and one.end.year == 2024
    ]
    return found


def test_a_part_has_its_member_and_what_is_printed_beside_it(note: bytes) -> None:
    found = of(note, "StatementBusinessSegmentsAxis=HarborLightsSegmentMember")
    assert (found.tag, found.value) == ("Revenues", Decimal(620_000_000))
    assert (found.start, found.end, found.statement) == (date(2024, 1, 1), date(2024, 12, 31), "")
    assert (found.label, found.column) == ("Net sales", "Years ended December 31, | 2024")


def test_a_consolidation_item_may_stand_beside_it_and_a_part_within_a_part(note: bytes) -> None:
    assert of(
        note, "StatementBusinessSegmentsAxis=HarborLightsSegmentMember;ConsolidationItemsAxis=OperatingSegmentsMember"
    ).value == Decimal(90_000_000)
    assert of(
        note,
        "ProductOrServiceAxis=SignalLampsAndBuoysMember;StatementBusinessSegmentsAxis=HarborLightsSegmentMember",
    ).value == Decimal(75_000_000)
    sentence = of(note, "StatementGeographicalAxis=CA")
    assert (sentence.label, sentence.column) == ("", "")


def test_other_pairs_three_members_and_typed_ones_are_left_out(note: bytes) -> None:
    document = read_inline(note)
    assert not [one for one in document.of_members if "FairValue" in one.dimensions or one.dimensions.count("=") > 2]
    assert document.typed == 1
    assert not [one for one in document.facts if one.dimensions]


def test_members_are_called_as_the_linkbase_says_else_as_printed_else_by_their_words(note: bytes) -> None:
    labels = {"StatementBusinessSegmentsAxis": "Segments", "OperatingSegmentsMember": "Operating segments"}
    found = {(one.axis, one.member): one for one in read_inline(note, labels=labels).members}
    assert found["StatementBusinessSegmentsAxis", "HarborLightsSegmentMember"] == Member(
        "StatementBusinessSegmentsAxis", "Segments", "HarborLightsSegmentMember", "Harbor Lights"
    )
    assert found["ConsolidationItemsAxis", "OperatingSegmentsMember"].label == "Operating segments"
    assert found["StatementGeographicalAxis", "CA"].label == "Canada"
    assert found["ProductOrServiceAxis", "SignalLampsAndBuoysMember"].label == "Signal lamps"


def test_the_head_of_many_members_is_the_name_of_none(monkeypatch: pytest.MonkeyPatch) -> None:
    products = {"tools": "ToolsSalesMember", "rope": "RopeMember", "tar": "TarMember"}
    for key, member in products.items():
        monkeypatch.setitem(nw.CONTEXTS, key, ("2024-01-01", "2024-12-31", {PRODUCTS: f"nwl:{member}"}))
    rows = [
        nw.line(key.title(), "us-gaap:Revenues", digits, where=(key,))
        for key, digits in zip(products, "789", strict=True)
    ]
    document = nw.annual_report(after=[nw.table("<tr><td></td><td></td><td>Total Sales</td></tr>", *rows)])
    assert {one.label for one in read_inline(document).members} >= {"Tools", "Rope", "Tar"}


@pytest.mark.parametrize(
    ("element", "texts", "alone", "called"),
    [
        ("GreenValleyWaterServicesSegmentMember", ["Net sales", "GVW"], (), "GVW"),
        ("IceboxMember", ["icebox"], (), "icebox"),
        ("LightTubeAdvertisingRevenueMember", ["LightTube ads", "2024"], ("LightTube ads",), "LightTube ads"),
        ("LightTubeAdvertisingRevenueMember", ["LightTube ads", "2024"], (), "Light Tube Advertising Revenue"),
        ("AllOtherMember", [], (), "All Other"),
        ("US", ["Total"], (), "United States"),
    ],
)
def test_a_printed_label_is_a_members_where_it_is_spelled_like_it(
    element: str, texts: list[str], alone: tuple[str, ...], called: str
) -> None:
    assert label(element, texts, alone) == called


def test_words_of_elements_and_names_of_countries() -> None:
    assert words("RestOfAsiaPacificSegmentMember") == "Rest Of Asia Pacific Segment"
    assert words("StatementGeographicalAxis") == "Statement Geographical"
    assert words("AGN151607Member") == "AGN 151607"
    assert (country_names("GB")[0], country_names("KR")[0], country_names("ZZ")) == (
        "United Kingdom",
        "South Korea",
        ("ZZ",),
    )
    assert "USA" in country_names("US")
