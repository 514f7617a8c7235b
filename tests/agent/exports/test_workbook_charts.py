"""The charts of the Excel file."""

import io
import re
import zipfile

from agent.web.exports.file_formats import Format, written
from agent.web.tables.table_card import TableCard
from tests.agent.exports.written_files import ABOUT, YEARS, book, site
from tests.agent.tables.cells import MICROSOFT, card, cell, margin


def test_one_row_over_years_has_a_chart_and_one_figure_has_none() -> None:
    assert book(card(cell("383285000000", 2023), cell()))["Figures"].charts == 1
    assert book(card(cell()))["Figures"].charts == 0
    assert book(YEARS)["Figures"].charts == 0


def test_a_statement_has_its_headings_and_no_chart() -> None:
    found = book(card(cell("1", 2023, heading="Sales"), cell("2", heading="Sales"), statement="income statement"))
    assert found["Figures"].rows()[5] == ["Sales"]
    assert found["Figures"].charts == 0


def chart_of(*tables: TableCard) -> str:
    """The chart of a workbook, as XML."""
    content = zipfile.ZipFile(io.BytesIO(written(tables, Format.XLSX, ABOUT, site)))
    return content.read("xl/charts/chart1.xml").decode()


def series_of(*tables: TableCard) -> list[tuple[str, str]]:
    """The cells of names and values that the chart of a workbook draws."""
    chart = chart_of(*tables)
    return list(
        zip(
            re.findall(r"<c:cat>.*?<c:f>(.*?)</c:f>", chart),
            re.findall(r"<c:val>.*?<c:f>(.*?)</c:f>", chart),
            strict=True,
        )
    )


def test_a_chart_draws_the_cells_of_its_rows_under_the_years() -> None:
    years = [cell("383285000000", 2023), cell()]
    assert series_of(card(*years)) == [("Figures!$D$5:$E$5", "Figures!$D$6:$E$6")]
    both = card(*years, cell("1", 2023, cik=MICROSOFT), cell("2", cik=MICROSOFT))
    assert [values for _, values in series_of(both)] == ["Figures!$D$6:$E$6", "Figures!$D$7:$E$7"]


def test_the_axis_of_a_chart_has_the_unit_of_its_figures() -> None:
    _, money = re.findall(r'<c:numFmt formatCode="(.*?)"', chart_of(card(cell("383285000000", 2023), cell())))
    assert money == "#,##0,,"
    shares = [margin(year=2023), margin(year=2024)]
    _, percent = re.findall(r'<c:numFmt formatCode="(.*?)"', chart_of(card(*shares)))
    assert percent == "0.0%"
