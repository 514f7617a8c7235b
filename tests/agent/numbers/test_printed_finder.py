"""What documents print beside figures of ours, of parts, and in a document that a question names."""

from datetime import date
from decimal import Decimal

import pytest

from agent.numbers.cells.row_expressions import AS_COMPANIES_PRINT
from agent.numbers.printed.printed_rows import read_tables
from agent.state.query import Concept, Metric, Printed
from agent.steps.deps import Deps
from agent.steps.printed_figures import as_documents_print, printed_first
from evals.golden import TODAY
from filings.ingest.store_printed import store_tables
from filings.models import Filing, Member
from filings.models.source_kinds import CURRENT
from filings.tables.cell_meanings import ReadCell, ReadRow
from filings.tables.column_periods import Period
from filings.tables.every_table import ReadTable
from tests.support.company_filings import filing as another
from tests.support.company_filings import filing_figures
from tests.support.tables import query, table, years

pytestmark = pytest.mark.django_db

FLOWS = {"NetCashProvidedByUsedInOperatingActivities": "900", "PaymentsToAcquirePropertyPlantAndEquipment": "200"}


YEAR, YEAR_END = Period(date(2024, 1, 1), date(2024, 12, 31)), Period(date(2024, 12, 31), date(2024, 12, 31))


def printing(
    filing: Filing, label: str, value: str, *, title: str = "", heading: str = "", period: Period = YEAR
) -> None:
    row = ReadRow(label, heading, (ReadCell(10, 13, value, Decimal(value), "USD", 0, 0, period, "2024"),))
    store_tables(filing, [ReadTable(1, "table", 0, 900, title, "4", (row,))])
    read_tables.cache_clear()


@pytest.mark.parametrize(("value", "beside"), [("650", [Decimal(650)]), ("700", [])])
def test_what_a_company_prints_of_its_own_measure_stands_beside_ours(value: str, beside: list[Decimal]) -> None:
    filing = filing_figures(FLOWS)
    printing(filing, "Free cash flow", value)
    cells = table(filing.company, years(2024), Metric(key="fcf")).cells
    assert [one.value for one in cells if one.asked and not one.alternative] == [Decimal(700)]
    assert [one.value for one in cells if one.reading == AS_COMPANIES_PRINT] == beside


def test_in_a_chosen_document_the_companys_own_figure_answers_and_ours_stands_beside_it() -> None:
    filing = filing_figures(FLOWS)
    printing(filing, "Free cash flow", "650")
    asked = query(filing.company, years(2024), Metric(key="fcf"))
    made = table(filing.company, years(2024), Metric(key="fcf"))
    assert printed_first(asked, made) == made
    chosen = printed_first(asked.model_copy(update={"document": filing.pk}), made)
    (own,) = chosen.asserted
    assert (own.value, own.reading) == (Decimal(650), AS_COMPANIES_PRINT)
    assert own.notes[-1] == "The company defines it itself; computed from the statements it is $700, $50 more."
    (ours,) = (one for one in chosen.cells if one.asked and one.alternative)
    assert (ours.value, ours.reading) == (Decimal(700), "computed: cfo - capex")
    # What another document prints is not what the chosen one does.
    other = another(date(2023, 12, 31), filing.company)
    assert printed_first(asked.model_copy(update={"document": other.pk}), made) == made


def orders(filing: Filing, words: str) -> Decimal | None:
    (cell,) = (one for one in table(filing.company, years(2024), Printed(words=words)).cells if one.asked)
    return cell.value


@pytest.mark.parametrize(
    ("label", "asked", "value"),
    [
        ("Core orders/(loss)", "core orders", 120),
        ("Core orders (loss)", "core orders", 120),
        ("Core orders (retail)", "core orders", None),
        ("Core orders (loss)", "core loss", None),
    ],
)
def test_a_label_may_say_in_brackets_that_its_figures_have_either_sign(
    label: str, asked: str, value: int | None
) -> None:
    filing = filing_figures(FLOWS)
    printing(filing, label, "120")
    assert orders(filing, asked) == value


def test_the_exact_figure_of_a_table_answers_before_one_that_is_rounded() -> None:
    filing = filing_figures(FLOWS)
    rounded = ReadCell(10, 13, "$3.6 billion", Decimal(3_600_000_000), "USD", 9, 1, YEAR, "")
    exact = ReadCell(10, 13, "3,627", Decimal(3_627_000_000), "USD", 6, 0, YEAR, "2024")
    sentences = ReadTable(1, "sentences", 0, 900, "", "4", (ReadRow("Core orders", "", (rounded,)),))
    printed = ReadTable(2, "table", 0, 900, "", "5", (ReadRow("Core orders/(loss)", "", (exact,)),))
    store_tables(filing, [sentences, printed])
    read_tables.cache_clear()
    assert orders(filing, "core orders") == exact.value


def test_below_the_name_of_a_part_stand_figures_of_that_part() -> None:
    filing = filing_figures(FLOWS)
    Member.objects.create(filing=filing, axis="StatementBusinessSegmentsAxis", member="OpticsMember", label="Optics")
    printing(filing, "Core orders", "120", title="Optics")
    assert orders(filing, "core orders") is None
    assert orders(filing, "optics core orders") == Decimal(120)


def test_a_document_that_is_named_gives_what_no_fact_does() -> None:
    filing = filing_figures(FLOWS)
    printing(filing, "Goodwill", "55", period=YEAR_END)
    wanted = query(filing.company, years(2024), Concept(key="goodwill"))
    assert as_documents_print(wanted, Deps.current(TODAY)) is None
    named = as_documents_print(wanted.model_copy(update={"sources": (CURRENT.key,)}), Deps.current(TODAY))
    assert named is not None
    assert [cell.value for cell in named.asserted] == [Decimal(55)]


@pytest.mark.parametrize(("period", "value"), [(YEAR, None), (YEAR_END, Decimal(55))])
def test_a_balance_under_the_head_of_a_year_is_no_operand(period: Period, value: Decimal | None) -> None:
    filing = filing_figures({})
    printing(filing, "Goodwill", "55", title="Optics", period=period)
    (cell,) = (one for one in table(filing.company, years(2024), Printed(words="optics goodwill")).cells if one.asked)
    assert cell.value == value
