"""Figures of parts that no fact holds: those of a printed row, or a quoted table, or refused."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Literal

import pytest

from agent.numbers import registry as registry_file
from agent.prose.divided_tables import dividing_tables
from agent.prose.section_text import SectionText
from agent.runs.answer_json import row
from agent.state import Answer, FilingRef, Period, PeriodForm, QuestionType, Target
from agent.state.query import Breakdown, Concept, Member
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.fetch import reference
from agent.steps.printed_rows import division_of
from filings.ingest.store_printed import store_tables
from filings.models import Filing, Section
from filings.tables.column_periods import Period as PrintedPeriod
from filings.tables.every_table import ReadTable
from filings.tables.reading import ReadCell, ReadRow
from tests.support.sample import Sample
from tests.support.tables import table, years

pytestmark = pytest.mark.django_db


def answer(question: str) -> Answer:
    return pipeline.answer(question, Deps.current())


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


def test_a_figure_that_a_fact_holds_is_not_quoted(sample: Sample) -> None:
    (block,) = answer("Calder turbines revenue 2024").blocks
    assert block.table
    assert not block.claims


def of(filing: Filing) -> FilingRef:
    company = Deps.current().companies.get(filing.company.cik)
    return reference(Target(id=0, company=company, period=Period(form=PeriodForm.LATEST)), filing)


# --- a part's own row ---

MEMBER = ("ProductOrServiceAxis=SoftwareMember",)


def row_of(label: str, value: str, *, heading: str = "", start: int = 10) -> ReadRow:
    year = PrintedPeriod(date(2024, 1, 1), date(2024, 12, 31))
    return ReadRow(label, heading, (ReadCell(start, start + 5, value, Decimal(value), "USD", 3, 0, year, "2024"),))


def cost_of(sample: Sample, label: str, rows: Sequence[ReadRow], title: str = "Cost of sales") -> Decimal | None:
    """The cost of sales of a part in 2024, where a table prints these rows."""
    filing = sample.filing("NWND", 2024)
    store_tables(filing, [ReadTable(1, "table", 0, 900, title, "33", tuple(rows))])
    measure = Member(of=Concept(key="cost_of_revenue"), label=label, members=MEMBER)
    (cell,) = (one for one in table(filing.company, years(2024), measure).cells if one.asked)
    return cell.value


def test_a_part_without_a_fact_has_the_figure_of_its_row(sample: Sample) -> None:
    assert cost_of(sample, "Software", [row_of("Software", "3420000")]) == Decimal(3_420_000)
    assert cost_of(sample, "Software", [row_of("Cost of sales", "3420000", heading="Software")], "") == 3_420_000


@pytest.mark.parametrize(
    ("label", "rows", "title"),
    [
        ("Software", [row_of("Software", "3420000"), row_of("Software", "3430000", start=40)], "Cost of sales"),
        ("Software", [row_of("Software services", "3420000")], "Cost of sales"),
        ("Software", [row_of("Software", "3420000")], "Gross profit"),
        ("Other", [row_of("Other", "3420000")], "Cost of sales"),
        ("Total", [row_of("Total", "3420000")], "Cost of sales"),
    ],
)
def test_where_its_row_is_not_certain_it_has_none(sample: Sample, label: str, rows: list[ReadRow], title: str) -> None:
    assert cost_of(sample, label, rows, title) is None
