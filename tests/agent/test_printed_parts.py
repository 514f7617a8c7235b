"""Figures of parts that no fact holds: quoted as a table of the text prints them, or refused."""

from decimal import Decimal
from typing import Literal

import pytest

from agent.numbers import registry as registry_file
from agent.prose.divided_tables import dividing_tables
from agent.prose.section_text import SectionText
from agent.prose.units import texts
from agent.runs.answer_json import row
from agent.state import Answer, FilingRef, Period, PeriodForm, QuestionType, Target
from agent.state.query import Breakdown, Concept
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.fetch import reference
from agent.steps.printed_rows import division_of, part_rows
from filings.models import Fact, Filing, Section
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


def answer(question: str) -> Answer:
    return pipeline.answer(question, Deps.current())


def test_a_printed_row_is_quoted_with_its_column_and_no_figure_is_asserted(sample: Sample) -> None:
    (block,) = (found := answer("Northwind software cost of sales 2024")).blocks
    assert (block.outcome, block.type, block.table) == ("answered", QuestionType.PROSE, None)
    (claim,) = block.claims
    assert claim.quote == "Software\t3,420\t2,905\t2,410"
    assert claim.row
    assert (claim.row.figure, claim.row.column) == ("3,420", "2024")
    assert (
        block.notes[0] == "Northwind reports no cost of revenue for Software in fiscal 2024. Its 10-K prints this row."
    )
    told = row("x", found, 0)
    assert told["values"] == []
    assert [(one["value"], one["unit"], one["printed"]) for one in told["table"]] == [
        ("3,420", "(in thousands)", True)
    ]


def test_a_breakdown_that_is_only_printed_is_quoted_as_its_table(sample: Sample) -> None:
    (block,) = (found := answer("Northwind cost of sales by segment 2024")).blocks
    assert (block.outcome, block.type, block.table) == ("answered", QuestionType.PROSE, None)
    (claim,) = block.claims
    assert [one.split("\t")[:2] for one in claim.quote.split("\n")] == [
        ["Instruments", "$ 50,460"],
        ["Software", "3,420"],
        ["Service and calibration", "13,910"],
        ["Total", "$ 67,790"],
    ]
    assert claim.row
    assert claim.row.rows[0] == (("Cost of sales (in thousands)", 1), ("2024", 1), ("2023", 1), ("2022", 1))
    assert claim.as_printed == "As printed, not computed."
    assert all(one.ok for one in block.checks)
    assert block.notes == (
        "Northwind reports no tagged cost of revenue by segment for fiscal 2024. Its 10-K prints this table.",
    )
    assert row("x", found, 0)["values"] == []


@pytest.mark.parametrize(
    ("old", "new", "kinds"),
    [
        ("", "", ["segment"]),
        ("Software\t3,420", "Software\t3,430", []),  # its rows do not come to the figure
        ("Service and calibration\t13,910", "Interest expense       \t13,910", []),  # a line, and no part
        ("Note 8. Segments", "Note 8. Overview", []),
        ("Note 8. Segments", "8. Geographic   ", ["region"]),
        ("Note 8. Segments", "Segment, Product", ["product"]),  # of two, what its rows are called
        ("Cost of sales (in thousands)", "Sales by product, thousands ", ["product"]),  # what stands nearest
    ],
)
def test_a_table_divides_a_figure_where_its_rows_come_to_it_and_its_heading_names_their_kind(
    sample: Sample, old: str, new: str, kinds: list[str]
) -> None:
    section = Section.objects.get(filing__company__name__startswith="Northwind", text__contains="Software\t3,420")
    assert len(old) == len(new)
    section.text = section.text.replace(old, new) if old else section.text
    text, filing, registry = SectionText(section), of(section.filing), registry_file.load()
    found = []
    axes: tuple[Literal["segment", "product", "region"], ...] = ("segment", "product", "region")
    for kind in axes:
        measure = Breakdown(of=Concept(key="cost_of_revenue"), axis=kind)
        asked = division_of(Decimal(67_790_000), measure, "cost_of_revenue", registry)
        found += [kind for _ in dividing_tables([text], asked, filing)]
    assert found == kinds


def test_what_is_asked_of_other_years_too_is_said(sample: Sample) -> None:
    (block,) = answer("Northwind software cost of sales 2022 to 2024").blocks
    assert {one.accession for one in block.claims} == {one.accession for one in block.filings}
    assert any("2022" in note for note in block.notes)


def test_a_figure_that_a_fact_holds_is_not_quoted(sample: Sample) -> None:
    (block,) = answer("Calder turbines revenue 2024").blocks
    assert block.table
    assert not block.claims


def test_without_the_fact_the_row_of_the_same_figure_is_found(sample: Sample) -> None:
    """Not "New orders" or the margin of the same segment, which stand in tables of the same Item."""
    for part, figure in (("TurbinesMember", "$ 768"), ("ServicesMember", "471"), ("GridMember", "377")):
        Fact.objects.filter(dimensions__contains=part, end__year=2024).delete()
        word = part.removesuffix("Member").lower()
        (block,) = answer(f"Calder {word} revenue 2024").blocks
        assert [one.row.figure for one in block.claims if one.row] == [figure]


def test_beside_the_years_that_have_facts_stand_the_rows_of_those_that_have_none(sample: Sample) -> None:
    Fact.objects.filter(dimensions__contains="TurbinesMember", end__year=2024).delete()
    figures, rows = (found := answer("Calder turbines revenue 2024 and 2025")).blocks
    assert figures.table
    assert {one.fiscal_year: one.value is None for one in figures.table.cells if one.asked} == {
        2024: True,
        2025: False,
    }
    assert [one.row.figure for one in rows.claims if one.row] == ["$ 768"]
    assert rows.notes == (
        "Calder reports no tagged total revenue of Turbines for fiscal 2024. Its 10-K prints this row.",
    )
    assert [len(one.checks) for one in (figures, rows)] == [1, 1]
    told = row("x", found, 0)
    assert len(told["values"]) == 1
    assert [one["value"] for one in told["table"] if one.get("printed")] == ["$ 768"]


def test_a_row_that_is_stored_otherwise_leaves_the_figures_beside_it(sample: Sample) -> None:
    Fact.objects.filter(dimensions__contains="TurbinesMember", end__year=2024).delete()

    def changes(node: str, *_: object) -> None:
        if node == "retrieve":
            for section in Section.objects.filter(text__contains="$ 768"):
                Section.objects.filter(pk=section.pk).update(text=section.text.replace("$ 768", "$ 769"))

    (block,) = pipeline.answer("Calder turbines revenue 2024 and 2025", Deps.current(), changes).blocks
    assert block.table
    assert all(one.ok for one in block.checks)


def test_two_figures_under_one_name_are_refused(sample: Sample) -> None:
    filing = Filing.objects.get(company__name__startswith="Calder", fiscal_year=2024, form="10-K")
    rows = part_rows("Grid", "revenue", of(filing), registry_file.load())
    section = Section.objects.get(filing=filing, item="8")
    assert [row.label for row in rows.found([SectionText(section)])] == ["grid"]
    other = Section.objects.get(filing=filing, item="8")
    other.text = section.text.replace("Grid\t377\t312", "Grid\t378\t312")
    assert rows.found([SectionText(section), SectionText(other)]) == []


def of(filing: Filing) -> FilingRef:
    company = Deps.current().companies.get(filing.company.cik)
    return reference(Target(id=0, company=company, period=Period(form=PeriodForm.LATEST)), filing)


def test_a_part_with_no_name_of_its_own_has_no_row(sample: Sample) -> None:
    """ "Other income" and "Total other" would be rows of it."""
    registry = registry_file.load()
    filing = Filing.objects.get(company__name__startswith="Northwind", fiscal_year=2024, form="10-K")
    ref = of(filing)
    read = texts(Section.objects.filter(filing=filing).values_list("pk", flat=True)).values()

    def rows(part: str, key: str) -> list[str]:
        return [row.label for row in part_rows(part, key, ref, registry).found(read)]

    assert rows("Software", "cost_of_revenue") == ["software"]
    assert rows("Other", "cost_of_revenue") == []
    assert rows("Software", "net_income") == []  # operating income is not
    names = part_rows("Software", "revenue", ref, registry).unlike()
    assert "sales" in names
    assert "net sales" not in names
