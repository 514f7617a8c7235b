"""Earnings per share and share counts of a class of shares."""

from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.verification.verify import verify
from agent.query.companies import statement_names as faces
from agent.query.question import read
from agent.refusals.codes import Code
from agent.state.query import Breakdown, Combined, Concept, Member, Query
from agent.state.tables import Cell
from filings.models import Fact, Filing
from filings.xbrl.axes import CLASSES, class_names
from tests.agent.query.held import REGISTRY, TODAY, WIDER
from tests.support.company_filings import company, face, fact, filing
from tests.support.tables import only, table, years

pytestmark = pytest.mark.django_db
EPS = "EarningsPerShareDiluted"


def of_class(of: Filing, member: str, tag: str, value: str, unit: str = "USD/shares", **fields: object) -> Fact:
    return fact(of, tag, value, unit=unit, source="document", dimensions=f"{CLASSES}={member}", **fields)


def held() -> Filing:
    made = filing(date(2024, 12, 31))
    fact(made, "NetIncomeLoss", "100", source="document")
    face(made, "income", ("NetIncomeLoss", "Net income"))
    of_class(made, "CommonClassAMember", EPS, "9.73")
    of_class(made, "CommonClassB1Member", EPS, "15.45")
    of_class(made, "CommonClassB2Member", EPS, "0")
    of_class(made, "CommonClassAMember", EPS, "8.28", end=date(2023, 12, 31))
    return made


def cell(key: str, label: str, *members: str) -> Cell:
    part = Member(of=Concept(key=key), label=label, members=tuple(f"{CLASSES}={one}" for one in members))
    found = table(company(), years(2024), part)
    assert verify(found) == ()
    return only(found)


def test_a_class_has_its_own_figure_of_the_year() -> None:
    held()
    found = cell("eps_diluted", "Class A", "CommonClassAMember", "CapitalClassAMember")
    assert (found.label, found.value, found.unit) == ("Diluted EPS of Class A", Decimal("9.73"), "USD/shares")
    assert found.fact is not None
    assert found.fact.dimensions == f"{CLASSES}=CommonClassAMember"


def test_a_class_without_a_figure_is_refused_with_those_that_have_one() -> None:
    held()
    for label, member in (("Class C", "CommonClassCMember"), ("Class B-2", "CommonClassB2Member")):
        gap = cell("eps_diluted", label, member).gap
        assert gap is not None
        assert gap.code is Code.DIMENSIONAL_ONLY
        assert gap.detail == "Reported for Class A and Class B-1."


def test_two_figures_of_a_class_are_told() -> None:
    of_class(held(), "CapitalClassAMember", EPS, "9.99")
    gap = cell("eps_diluted", "Class A", "CommonClassAMember", "CapitalClassAMember").gap
    assert gap is not None
    assert gap.code is Code.CONFLICT


def test_no_amount_of_the_company_is_of_a_class() -> None:
    made = held()
    of_class(made, "CommonClassAMember", "NetIncomeLoss", "60", unit="USD")
    gap = cell("net_income", "Class A", "CommonClassAMember").gap
    assert gap is not None
    assert gap.code is Code.DIMENSIONAL_ONLY


def test_a_count_on_the_cover_is_that_of_its_day() -> None:
    made = held()
    day = date(2025, 1, 28)
    of_class(
        made, "CommonClassAMember", "dei:EntityCommonStockSharesOutstanding", "5833", "shares", start=day, end=day
    )
    assert cell("shares_out_cover", "Class A", "CommonClassAMember").value == 5833


def test_classes_are_named_by_their_letters_beside_the_measure() -> None:
    made = held()
    Filing.objects.filter(pk=made.pk).update(is_primary=True)
    for one in ("CommonClassAMember", "CommonClassB1Member", "CommonStockMember"):
        made.members.create(axis=CLASSES, axis_label="Class of Stock", member=one, label="Common shares")
    called = faces._of_company(made.company.cik, "classes")
    names = dict(called.parts)
    assert names["Class A"] == (f"{CLASSES}=CommonClassAMember",)
    assert names["Class B-1"] == names["Class B1"] == (f"{CLASSES}=CommonClassB1Member",)
    assert "Common shares" not in names
    for question in ("Apple class A EPS 2023", "What was Apple's diluted EPS of class A in 2023?"):
        (query,) = read(question, WIDER, REGISTRY, TODAY, lambda ciks: called)
        assert isinstance(query, Query)
        (row,) = query.rows
        assert isinstance(row.measure, Member)
        assert (row.measure.label, row.measure.of) == ("Class A", Concept(key="eps_diluted"))


def test_classes_put_together_are_added_up_on_each_day_alone() -> None:
    made = counted(CommonClassAMember="80", CommonClassBMember="20")
    Filing.objects.filter(pk=made.pk).update(is_primary=True)
    called = faces._of_company(made.company.cik, "summed")
    (query,) = read("Apple class A plus class B shares outstanding 2023", WIDER, REGISTRY, TODAY, lambda ciks: called)
    assert isinstance(query, Query)
    assert [{part.of for part in row.measure.parts} for row in query.rows if isinstance(row.measure, Combined)] == [
        {Concept(key="shares_out")},
        {Concept(key="shares_out_cover")},
    ]


def test_a_member_without_a_letter_is_no_class_by_name() -> None:
    assert class_names("CapitalClassCMember") == ("Class C",)
    assert class_names("CommonStockMember") == ()


def test_by_class_every_class_has_a_row_and_there_is_no_whole() -> None:
    held()
    found = table(company(), years(2024), Breakdown(of=Concept(key="eps_diluted"), axis="class"))
    assert verify(found) == ()
    assert [(one.label, one.value) for one in found.cells] == [
        ("Diluted EPS of Class A", Decimal("9.73")),
        ("Diluted EPS of Class B-1", Decimal("15.45")),
    ]
    gap = only(table(company(), years(2024), Breakdown(of=Concept(key="net_income"), axis="class"))).gap
    assert gap is not None
    assert gap.code is Code.DIMENSIONAL_ONLY


@pytest.mark.parametrize("question", ["Apple EPS by class 2023", "Apple's diluted EPS by share class in 2023"])
def test_classes_are_asked_as_other_kinds_of_parts(question: str) -> None:
    (query,) = read(question, WIDER, REGISTRY, TODAY)
    assert isinstance(query, Query)
    assert query.rows[0].measure == Breakdown(of=Concept(key="eps_diluted"), axis="class")


# --- share counts that are given by class alone ---


def counted(**values: str) -> Filing:
    """A filing whose balance sheet counts shares by class: member -> shares."""
    made = filing(date(2024, 12, 31))
    fact(made, "Assets", "1000", instant=True, source="document")
    face(made, "balance", ("Assets", "Total assets"), ("CommonStockSharesOutstanding", "Shares outstanding"))
    for member, value in values.items():
        of_class(made, member, "CommonStockSharesOutstanding", value, "shares", instant=True, statement="balance")
        made.members.create(axis=CLASSES, axis_label="Class of Stock", member=member, label="")
    return made


def shares() -> list[tuple[str, Decimal | None]]:
    found = table(company(), years(2024), Concept(key="shares_out"))
    assert verify(found) == ()
    called = "Common shares outstanding (balance-sheet date)"
    return [(one.label.removeprefix(called), one.value) for one in found.cells]


def test_shares_outstanding_are_each_class_and_their_sum() -> None:
    counted(CommonClassAMember="80", CommonClassBMember="20")
    assert shares() == [(" of Class A", 80), (" of Class B", 20), (", all classes", 100)]


def test_a_count_of_all_classes_is_no_class() -> None:
    counted(CommonClassAMember="80", CommonClassBMember="20", CommonStockMember="100")
    assert shares() == [(" of Class A", 80), (" of Class B", 20), (", all classes", 100)]


def test_a_count_of_some_classes_together_is_no_class() -> None:
    counted(CommonClassAMember="80", CommonClassB1Member="5", CommonClassB2Member="15", CommonClassB1AndB2Member="20")
    assert [value for _, value in shares()] == [80, 5, 15, 100]


def test_a_class_without_a_letter_is_one_of_them() -> None:
    counted(CommonStockMember="80", CommonClassBMember="20")
    assert shares() == [(" of Class B", 20), (" of Common Stock", 80), (", all classes", 100)]


def test_a_company_with_one_count_has_it_alone() -> None:
    made = counted(CommonClassAMember="80", CommonClassBMember="20")
    fact(made, "CommonStockSharesOutstanding", "100", instant=True, unit="shares")
    assert [label for label, _ in shares()] == [""]


def test_nothing_is_said_of_classes_that_are_not_loaded() -> None:
    filing(date(2024, 12, 31))
    gap = cell("shares_out", "Class A", "CommonClassAMember").gap
    assert gap is not None
    assert gap.text == "No figures by class of shares are loaded from the fiscal 2024 10-K of Northwind Instruments."
