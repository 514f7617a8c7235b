"""One reading of a filing's faces out of its linkbase and its printed tables."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from filings.edgar.edgar_files import Container, ContainerDocument
from filings.xbrl.faces import Places, merge, read_filing
from filings.xbrl.linkbase import write_presentation
from filings.xbrl.parsed_xbrl import Line, ParsedFact, ParsedStatement
from tests.support.edgar import filer


@dataclass(frozen=True)
class Content:
    content: bytes


def statement(kind: str, *lines: tuple[str, str], title: str = "") -> ParsedStatement:
    return ParsedStatement(kind, title, tuple(Line(order, tag, label) for order, (tag, label) in enumerate(lines, 1)))


LINKBASE = statement("income", ("us-gaap:Revenues", ""), ("us-gaap:CostOfRevenue", ""), ("us-gaap:NetIncomeLoss", ""))
PRINTED = statement(
    "income", ("us-gaap:CostOfRevenue", "Cost"), ("us-gaap:Revenues", "Net sales"), title="Statements of Earnings"
)


def test_the_linkbase_gives_the_order_and_the_table_the_words() -> None:
    (face,) = merge([LINKBASE], [PRINTED])
    assert face.basis == "linkbase"
    assert face.statement.title == "Statements of Earnings"
    assert [(line.order, line.tag, line.label) for line in face.statement.lines] == [
        (1, "us-gaap:Revenues", "Net sales"),
        (2, "us-gaap:CostOfRevenue", "Cost"),
        (3, "us-gaap:NetIncomeLoss", ""),
    ]


def test_each_of_them_alone_is_taken_as_it_is() -> None:
    assert [face.statement for face in merge([LINKBASE], [])] == [LINKBASE]
    (face,) = merge([], [PRINTED])
    assert (face.statement, face.basis) == (PRINTED, "inline")


def test_a_kind_that_the_linkbase_lacks_is_taken_from_the_tables() -> None:
    balance = statement("balance", ("us-gaap:Assets", "Total assets"))
    faces = merge([LINKBASE], [balance, PRINTED])
    assert [(face.statement.kind, face.basis) for face in faces] == [("income", "linkbase"), ("balance", "inline")]


def test_a_linkbase_face_of_another_company_than_the_printed_one_is_not_used() -> None:
    parent = statement("income", ("us-gaap:DividendIncomeOperating", ""), ("us-gaap:CostOfRevenue", ""))
    printed = statement(
        "income", ("us-gaap:Revenues", "Sales"), ("us-gaap:CostOfRevenue", "Cost"), ("us-gaap:GrossProfit", "Profit")
    )
    (face,) = merge([parent], [printed])
    assert (face.statement, face.basis) == (printed, "inline")


def test_opening_and_closing_balances_take_their_labels_in_turn() -> None:
    cash = "us-gaap:CashAndCashEquivalentsAtCarryingValue"
    order = statement("cashflow", (cash, ""), ("us-gaap:NetCashProvidedByUsedInOperatingActivities", ""), (cash, ""))
    printed = statement(
        "cashflow",
        (cash, "Beginning"),
        ("us-gaap:NetCashProvidedByUsedInOperatingActivities", "Operations"),
        (cash, "End"),
    )
    (face,) = merge([order], [printed])
    assert [line.label for line in face.statement.lines] == ["Beginning", "Operations", "End"]


def fact(tag: str, statement: str = "", label: str = "") -> ParsedFact:
    return ParsedFact(
        "us-gaap",
        tag,
        "USD",
        date(2024, 1, 1),
        date(2024, 12, 31),
        "1",
        Decimal(1),
        -6,
        statement=statement,
        label=label,
    )


def test_a_fact_keeps_the_label_of_its_own_row_and_takes_the_order_of_the_face() -> None:
    placed = Places([LINKBASE]).put(fact("CostOfRevenue", "income", "Cost of widgets"))
    assert (placed.statement, placed.order, placed.label) == ("income", 2, "Cost of widgets")


def test_a_fact_printed_elsewhere_moves_to_the_face_that_has_its_tag() -> None:
    assert Places([LINKBASE]).put(fact("NetIncomeLoss", "cashflow")).statement == "income"


def test_a_fact_on_no_face_stands_on_none() -> None:
    placed = Places([LINKBASE]).put(fact("AdvertisingExpense", "income"))
    assert (placed.statement, placed.order) == ("", None)


def test_a_tag_on_several_faces_belongs_to_the_income_statement_first() -> None:
    places = Places([statement("cashflow", ("us-gaap:NetIncomeLoss", "Net income")), LINKBASE])
    assert places.find("us-gaap:NetIncomeLoss") == ("income", 3, "")
    assert places.find("us-gaap:Unheard") == ("", None, "")


def test_it_reads_a_container_with_a_linkbase() -> None:
    made = filer(2024)
    document = made.document(made.reports[0]).encode()
    parent = statement("income", ("us-gaap:Revenues", ""), ("us-gaap:NetIncomeLoss", ""))
    container = Container(
        "9000000001-25-000001",
        "10-K",
        (
            ContainerDocument(1, "EX-101.PRE", "twi_pre.xml", Content(write_presentation([parent]))),
            ContainerDocument(2, "10-K", "twi.htm", Content(document)),
        ),
    )
    read = read_filing(container)
    assert read.primary is not None
    assert read.primary.filename == "twi.htm"
    assert [(face.statement.kind, face.basis) for face in read.faces] == [("income", "inline"), ("balance", "inline")]
    # Two of the six printed tags are too few for the same statement; a linkbase that has them all decides.
    whole = statement("income", *((line.tag, "") for line in reversed(read.faces[0].statement.lines)))
    again = read_filing(
        Container(
            container.accession,
            "10-K",
            (
                ContainerDocument(1, "EX-101.PRE", "twi_pre.xml", Content(write_presentation([whole]))),
                container.documents[1],
            ),
        )
    )
    assert (again.faces[0].basis, again.faces[0].statement.lines[0].label) == ("linkbase", "Net income")
    net_income = next(found for found, _ in again.facts if found.tag == "NetIncomeLoss")
    assert (net_income.statement, net_income.order) == ("income", 1)


def test_a_broken_linkbase_is_a_problem_and_the_tables_are_read() -> None:
    made = filer(2024)
    read = read_filing(
        Container(
            "9000000001-25-000001",
            "10-K",
            (
                ContainerDocument(1, "10-K", "twi.htm", Content(made.document(made.reports[0]).encode())),
                ContainerDocument(2, "EX-101.PRE", "twi_pre.xml", Content(b"<html>no linkbase</html>")),
            ),
        )
    )
    assert read.problem.startswith("twi_pre.xml")
    assert {face.basis for face in read.faces} == {"inline"}
    assert (read.fiscal_year_focus, read.period_end) == (2024, date(2024, 12, 31))


def test_a_line_printed_by_class_only_stays_apart_from_the_companys_own() -> None:
    order = statement("income", ("us-gaap:Revenues", ""), ("us-gaap:SalesByClass", ""), ("us-gaap:NetIncomeLoss", ""))
    printed = ParsedStatement(
        "income",
        "",
        (Line(4, "us-gaap:Revenues", "Total", heading="Sales:"), Line(9, "us-gaap:NetIncomeLoss", "Profit")),
        dimensional=(Line(2, "us-gaap:SalesByClass", "Widgets"),),
    )
    (face,) = merge([order], [printed])
    assert [(line.order, line.tag, line.heading) for line in face.statement.lines] == [
        (1, "us-gaap:Revenues", "Sales:"),
        (3, "us-gaap:NetIncomeLoss", ""),
    ]
    assert face.statement.dimensional == printed.dimensional
    assert Places([face.statement]).find("us-gaap:SalesByClass") == ("", None, "")
