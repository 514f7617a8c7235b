"""Presentation linkbases: which roles are statements, and their lines in order."""

import lzma
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from filings.document.inline import read_inline
from filings.xbrl.linkbase import UnreadableLinkbase, read_labels, read_presentation, write_presentation
from filings.xbrl.parsed_xbrl import Line, ParsedStatement

SHARED = Path(__file__).resolve().parents[2] / "../shared"
ARCHIVES = SHARED / "edgar/mirror/Archives/edgar/data"
ROLE = "http://northwind.example/role/"
Tree = dict[str, list[str]]

BALANCE: Tree = {
    "us-gaap_StatementOfFinancialPositionAbstract": ["us-gaap_StatementTable", "us-gaap_StatementLineItems"],
    "us-gaap_StatementTable": ["us-gaap_StatementClassOfStockAxis"],
    "us-gaap_StatementClassOfStockAxis": ["us-gaap_ClassOfStockDomain"],
    "us-gaap_ClassOfStockDomain": ["us-gaap_CommonClassAMember"],
    "us-gaap_StatementLineItems": ["us-gaap_AssetsAbstract", "us-gaap_LiabilitiesAndStockholdersEquity"],
    "us-gaap_AssetsAbstract": ["us-gaap_Goodwill", "nwl_LighthouseRights", "us-gaap_Assets"],
}
INCOME: Tree = {
    "us-gaap_IncomeStatementAbstract": [
        "us-gaap_Revenues",
        "us-gaap_IncomeTaxExpenseBenefit",
        "us-gaap_NetIncomeLoss",
        "us-gaap_EarningsPerShareBasic",
    ]
}


def link(role: str, tree: Tree, reverse: bool = False) -> str:
    """A presentation link whose order attributes follow `tree`; `reverse` writes the arcs last to first."""
    names = dict.fromkeys([*tree, *(child for children in tree.values() for child in children)])
    locators = [
        f'<link:loc xlink:type="locator" xlink:label="loc_{name}" xlink:href="https://x.example/a.xsd#{name}"/>'
        for name in names
    ]
    arcs = [
        f'<link:presentationArc xlink:type="arc" xlink:from="loc_{parent}" xlink:to="loc_{child}" order="{order}.5"/>'
        for parent, children in tree.items()
        for order, child in enumerate(children, 1)
    ]
    parts = [*locators, *arcs]
    return f'<link:presentationLink xlink:role="{role}">{"".join(parts[::-1] if reverse else parts)}</link:presentationLink>'


def linkbase(*links: str) -> bytes:
    names = 'xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return f"<?xml version='1.0'?><link:linkbase {names}>{''.join(links)}</link:linkbase>".encode()


def schema(**definitions: str) -> bytes:
    types = "".join(
        f'<link:roleType roleURI="{ROLE}{name}"><link:definition>{text}</link:definition></link:roleType>'
        for name, text in definitions.items()
    )
    return f'<xs:schema xmlns:xs="x" xmlns:link="http://www.xbrl.org/2003/linkbase">{types}</xs:schema>'.encode()


def kinds(statements: tuple[ParsedStatement, ...]) -> dict[str, list[str]]:
    return {statement.kind: [line.tag for line in statement.lines] for statement in statements}


@pytest.mark.parametrize("reverse", [False, True])
def test_lines_come_in_the_order_of_the_arcs_without_structure(reverse: bool) -> None:
    (statement,) = read_presentation(linkbase(link(ROLE + "BalanceSheets", BALANCE, reverse)))
    assert statement == ParsedStatement(
        "balance",
        "",
        (
            Line(1, "us-gaap:Goodwill"),
            Line(2, "nwl:LighthouseRights"),
            Line(3, "us-gaap:Assets"),
            Line(4, "us-gaap:LiabilitiesAndStockholdersEquity"),
        ),
    )


def test_the_schema_gives_titles_and_tells_statements_from_notes() -> None:
    text = linkbase(link(ROLE + "R2", BALANCE), link(ROLE + "R4", INCOME), link(ROLE + "R9", INCOME))
    definitions = schema(
        R2="0000002 - Statement - CONSOLIDATED BALANCE SHEETS",
        R4="0000004 - Disclosure - Quarterly Statements of Income",
        R9="0000009 - Statement - CONSOLIDATED STATEMENTS OF INCOME",
    )
    assert [(found.kind, found.title) for found in read_presentation(text, definitions)] == [
        ("balance", "CONSOLIDATED BALANCE SHEETS"),
        ("income", "CONSOLIDATED STATEMENTS OF INCOME"),
    ]


@pytest.mark.parametrize(
    "name",
    [
        "ConsolidatedBalanceSheetsParenthetical",
        "BalanceSheetComponentsDetails",
        "BalanceSheetComponentsTables",
        "SignificantAccountingPoliciesBalanceSheetPolicies",
        "ScheduleICondensedBalanceSheetsOfParentCompany",
        "ProFormaBalanceSheets",
        "LeasesSupplementalDisclosure",
    ],
)
def test_other_roles_are_no_statements(name: str) -> None:
    assert read_presentation(linkbase(link(ROLE + name, BALANCE))) == ()


def test_a_role_named_like_a_statement_needs_the_tags_of_one() -> None:
    assert read_presentation(linkbase(link(ROLE + "ConsolidatedStatementsOfIncome", BALANCE))) == ()


def test_the_first_role_of_a_kind_wins() -> None:
    other = {"us-gaap_Abstract": ["us-gaap_Assets"]}
    text = linkbase(link(ROLE + "BalanceSheets", BALANCE), link(ROLE + "BalanceSheetsOfTheFund", other))
    assert len(kinds(read_presentation(text))["balance"]) == 4


@pytest.mark.parametrize(
    ("name", "tag", "kind"),
    [
        ("CONSOLIDATEDSTATEMENTSOFCASHFLOWS", "us-gaap_NetCashProvidedByUsedInOperatingActivities", "cashflow"),
        ("ConsolidatedStatementsofShareholdersEquity", "us-gaap_StockholdersEquity", "equity"),
        ("StatementsOfChangesInEquityAndComprehensiveIncome", "us-gaap_StockholdersEquity", "equity"),
        ("ConsolidatedStatementsOfFinancialPosition", "us-gaap_Assets", "balance"),
        ("ConsolidatedStatementsOfComprehensiveIncomeLoss", "us-gaap_ComprehensiveIncomeNetOfTax", "comprehensive"),
        ("ConsolidatedStatementsOfOperations", "us-gaap_ProfitLoss", "income"),
        ("ConsolidatedStatementOfEarnings", "us-gaap_NetIncomeLoss", "income"),
        ("CoverPage", "dei_EntityPublicFloat", "cover"),
        ("DocumentAndEntityInformation", "dei_EntityPublicFloat", "cover"),
    ],
)
def test_a_statement_is_known_by_its_role_name(name: str, tag: str, kind: str) -> None:
    text = linkbase(link(ROLE + name, {"us-gaap_StatementAbstract": [tag]}))
    assert kinds(read_presentation(text)) == {kind: [tag.replace("_", ":")]}


def test_a_statement_of_comprehensive_income_with_earnings_per_share_is_the_income_statement() -> None:
    tree = {
        "us-gaap_IncomeStatementAbstract": ["us-gaap_EarningsPerShareBasic", "us-gaap_ComprehensiveIncomeNetOfTax"]
    }
    assert list(kinds(read_presentation(linkbase(link(ROLE + "StatementsOfComprehensiveIncome", tree))))) == ["income"]


def test_an_opening_and_a_closing_balance_are_two_lines() -> None:
    tree = {
        "us-gaap_StatementOfCashFlowsAbstract": [
            "us-gaap_Cash",
            "us-gaap_NetCashProvidedByUsedInOperatingActivities",
            "us-gaap_Cash",
        ]
    }
    found = kinds(read_presentation(linkbase(link(ROLE + "StatementOfCashFlows", tree))))
    assert found["cashflow"].count("us-gaap:Cash") == 2


def test_an_arc_back_to_its_parent_ends() -> None:
    tree = {"us-gaap_StatementAbstract": ["us-gaap_Assets"], "us-gaap_Assets": ["us-gaap_Goodwill"]}
    looped = link(ROLE + "BalanceSheet", {**tree, "us-gaap_Goodwill": ["us-gaap_Assets"]})
    assert set(kinds(read_presentation(linkbase(looped)))["balance"]) == {"us-gaap:Assets", "us-gaap:Goodwill"}


def test_a_prohibited_arc_is_no_line() -> None:
    text = linkbase(link(ROLE + "BalanceSheet", BALANCE)).replace(
        b'xlink:to="loc_us-gaap_Goodwill"', b'xlink:to="loc_us-gaap_Goodwill" use="prohibited"'
    )
    assert "us-gaap:Goodwill" not in kinds(read_presentation(text))["balance"]


@pytest.mark.parametrize("text", [b"", b"not xml", b"<html><body/></html>", linkbase()])
def test_what_is_no_presentation_linkbase_is_unreadable(text: bytes) -> None:
    with pytest.raises(UnreadableLinkbase):
        read_presentation(text)


PROOF = {
    "cover": "dei:EntityPublicFloat",
    "income": "us-gaap:NetIncomeLoss",
    "comprehensive": "us-gaap:ComprehensiveIncomeNetOfTax",
    "balance": "us-gaap:Assets",
    "cashflow": "us-gaap:NetCashProvidedByUsedInOperatingActivities",
    "equity": "us-gaap:StockholdersEquity",
}
TAGS = st.sampled_from(["us-gaap:Revenues", "nwl:LampOilExpense", "us-gaap:Cash", "srt:Other", "nwl:Oil_Reserve"])


@given(
    st.lists(st.tuples(st.sampled_from(sorted(PROOF)), st.lists(TAGS, max_size=12)), unique_by=lambda pair: pair[0])
)
def test_what_is_written_is_read_back(given_faces: list[tuple[str, list[str]]]) -> None:
    wanted = tuple(
        ParsedStatement(kind, "", tuple(Line(order, tag) for order, tag in enumerate([*tags, PROOF[kind]], 1)))
        for kind, tags in given_faces
    )
    if wanted:
        assert read_presentation(write_presentation(wanted)) == wanted


@pytest.mark.parametrize(
    "stem", ["320193/000032019324000123/aapl-20240928", "1018724/000101872423000004/amzn-20221231"]
)
@pytest.mark.parametrize("kind", ["income", "comprehensive", "cashflow", "balance", "equity"])
def test_a_real_linkbase_and_the_printed_statement_have_the_same_lines(stem: str, kind: str) -> None:
    if not ARCHIVES.is_dir():
        pytest.skip("../shared/edgar is not there")
    files = {end: lzma.decompress((ARCHIVES / f"{stem}{end}.xz").read_bytes()) for end in ("_pre.xml", ".xsd", ".htm")}
    presented = kinds(read_presentation(files["_pre.xml"], files[".xsd"]))[kind]
    by_name = kinds(read_presentation(files["_pre.xml"]))[kind]
    (printed,) = [found for found in read_inline(files[".htm"]).statements if found.kind == kind]
    in_rows = [line.tag for line in printed.lines if not line.aside]
    # Named without a figure on every balance sheet, and so without a fact; figures in labels are presented by some.
    optional = {"us-gaap:CommitmentsAndContingencies", *(line.tag for line in printed.lines if line.aside)}
    assert set(presented) - optional == set(in_rows) - optional
    assert by_name == presented


LABELS = b"""<link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink">
<link:labelLink xlink:type="extended" xlink:role="http://www.xbrl.org/2003/role/link">
<link:loc xlink:type="locator" xlink:href="nwl-20241231.xsd#nwl_HarborLightsSegmentMember" xlink:label="loc_1"/>
<link:label xlink:type="resource" xlink:label="lab_1" xlink:role="http://www.xbrl.org/2003/role/terseLabel">Harbor</link:label>
<link:label xlink:type="resource" xlink:label="lab_1" xlink:role="http://www.xbrl.org/2003/role/label">Harbor
 Lights [Member]</link:label>
<link:labelArc xlink:type="arc" xlink:from="loc_1" xlink:to="lab_1"/>
<link:labelArc xlink:type="arc" xlink:from="nowhere" xlink:to="lab_1"/>
</link:labelLink></link:linkbase>"""


def test_standard_labels_are_read_by_element_without_what_kind_it_is() -> None:
    assert read_labels(LABELS) == {"HarborLightsSegmentMember": "Harbor Lights"}
    assert read_labels(linkbase(link(ROLE + "BalanceSheet", BALANCE))) == {}
    with pytest.raises(UnreadableLinkbase):
        read_labels(b"not xml")
