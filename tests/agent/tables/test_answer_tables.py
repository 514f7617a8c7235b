"""What a page says of figures: titles, tables for eyes and for screen readers, formulas whose operands are links."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from django.template.loader import render_to_string
from django.utils.html import strip_tags

from agent.refusals.codes import Code
from agent.state import Block, Cell, QuestionType
from agent.web.cards.answer_card import AnswerPart
from agent.web.tables.table_card import TableCard
from tests.agent.tables.cells import APPLE, MICROSOFT, card, cell, growth, margin, result
from tests.support import answers

MARGINS = [margin(year, cik) for cik in (APPLE, MICROSOFT) for year in (2023, 2024)]
CARDS = {
    "single": card(cell("383285000000", 2023, asked=False), cell()),
    "computed": card(
        margin(2023, asked=False), margin(reading="average"), margin(reading="year-end", alternative=True)
    ),
    "readings": card(margin(reading="average"), margin(reading="year-end"), cell(None, measure="x", reading="third")),
    "trend": card(*(cell(str(year * 10**6), year) for year in range(2021, 2026))),
    "companies": card(*MARGINS, results=(result("cagr", formula="100 * revenue"), result("cagr"))),
    "measures": card(*MARGINS, *(cell("1", year, cik, row=1) for cik in (APPLE, MICROSOFT) for year in (2023, 2024))),
    "moved": card(cell("383285000000", 2023, asked=False), cell(), growth("2.02")),
    "gap": card(cell(), cell(None, 2023), margin(reading="year-end", alternative=True)),
}


def html(found: TableCard) -> str:
    block = Block(target=0, type=QuestionType.NUMERIC, outcome="answered", table=found.table)
    return render_to_string(
        "agent/_answer_part.html", {"part": AnswerPart(block, None, found), "id": 1, "joined": False}
    )


def text(page: str) -> str:
    return " ".join(strip_tags(re.sub(r"</?(td|th|tr|p|h2|li|br)\b[^>]*>", " ", page)).split())


def table(page: str) -> str:
    found = re.search(r'<table class="table table--years"[^>]*>.*?</table>', page, re.DOTALL)
    assert found is not None
    return found.group()


@pytest.mark.parametrize("name", CARDS)
def test_every_place_is_there_once_and_every_link_within_the_page_leads_to_one(name: str) -> None:
    page = html(CARDS[name])
    places = Counter(re.findall(r'\sid="([^"]+)"', page))
    assert set(places.values()) <= {1}
    linked = re.findall(r'(?:href="#|aria-labelledby=")([^"]+)"', page)
    assert set(linked) <= set(places)


@pytest.mark.parametrize("name", CARDS)
def test_no_table_leaves_a_screen_reader_without_its_name_and_its_headings(name: str) -> None:
    page = html(CARDS[name])
    assert "<th" in page
    assert not re.findall(r"<th\b(?![^>]*\sscope=)[^>]*>", page)
    for one in re.findall(r"<table.*?</table>", page, re.DOTALL):
        assert "<caption" in one or re.search(r'aria-label="Table[^"]*" tabindex="0">\s*' + re.escape(one[:30]), page)
    for scrolled in re.findall(r'<div class="scroll\b[^>]*>', page):
        assert 'role="region"' in scrolled
        assert 'tabindex="0"' in scrolled


@pytest.mark.parametrize("name", CARDS)
def test_no_formula_shows_code(name: str) -> None:
    assert not re.search(r"avg\(|\* 100|100 \*|_|\[FY", text(html(CARDS[name])))


def test_one_figure_stands_out_among_its_years_which_link_to_their_facts() -> None:
    page = html(CARDS["single"])
    assert '<h2 class="eyebrow" id="answer-1">Apple, total revenue, fiscal 2024</h2>' in page
    assert "391,035,000,000 US dollars, for the year ended 28 September 2024" in text(page)
    before, asked = re.findall(r'<td class="([^"]*)"><a href="/facts/(\d+)">', table(page))
    assert before == ("num", str(APPLE + 2023))
    assert asked == ("num is-asked", str(APPLE + 2024))
    assert "Apple, total revenue, fiscal 2024 Measure US$ millions" in text(table(page))
    assert "Related figures" not in page


def test_one_figure_says_what_it_moved_by_and_where_it_comes_from_in_a_line() -> None:
    assert "figure__moved" not in html(CARDS["single"])
    page = html(CARDS["moved"])
    assert "391,035 million +2.0% on fiscal 2023" in text(page)
    assert [text(row) for row in re.findall(r'<th scope="row">(.*?)</th>', table(page))] == ["Total revenue", "Growth"]
    summary = text(re.search(r'id="source-1">\s*<summary[^>]*>(.*?)</summary>', page, re.DOTALL)[1])
    fact = CARDS["moved"].asserted[0].dated
    assert "Research and development" in summary
    assert summary.startswith(f"Source {fact.form} filed 20 Feb 2025")
    assert fact.tag not in summary
    assert summary.endswith(fact.accession)
    # Everything else that is known of it is behind that line.
    source = page[page.index('id="source-1"') :]
    assert "Where it comes from" in source
    assert "Where it comes from" not in page[: page.index('id="source-1"')]


def test_a_computed_figure_shows_its_formula_with_a_link_for_each_operand() -> None:
    page = html(CARDS["computed"])
    assert "Gross margin (average) is gross profit \u00f7 total revenue." in text(page)
    assert re.search(
        r'FY2024:</span> <span><a href="/facts/1">180,683</a> \u00f7 <a href="/facts/1">391,035</a>\s*</span>'
        r"\s*<span>= <strong>46\.2%</strong>", page,
    )  # fmt: skip
    assert "Computed, for the year ended 31 December 2024" in text(page)
    # What stands beside the answer is no row of its years.
    assert "year-end" not in table(page)
    assert page.index("See also") < page.index("Gross margin (year-end), fiscal 2024")
    # A figure around the answer is shown, and not answered for.
    assert f'<td class="num"><a href="/figures/{APPLE}/2023/gross_margin">46.2%</a></td>' in table(page)
    # What was asked leads to its formula above.
    (asked,) = re.findall(r'<td class="num is-asked"><a href="#([^"]+)">46\.2%</a></td>', table(page))
    assert page.count(f'id="{asked}"') == 1


def test_millions_are_not_said_where_figures_are_in_full() -> None:
    shares = answers.operand("shares", "Shares", answers.fact_ref(value="1000", unit="shares"))
    equity = answers.operand("equity", "Equity", answers.fact_ref(value="5000"))
    value = margin(unit="USD/shares", value="5", formula="equity / shares", operands=(equity, shares))
    page = text(html(card(value)))
    assert "5,000 \u00f7 1,000 = $5.00 per share" in page
    assert "in millions" not in page
    assert "Money in millions, from one filing." in text(html(CARDS["computed"]))
    assert "in one filing" not in text(html(card(value.model_copy(update={"seams": ("another",)}))))


def test_readings_stand_side_by_side_with_what_is_missing_and_how_they_are_computed() -> None:
    page = text(html(CARDS["readings"]))
    assert page.index("Average 46.2%") < page.index("Year-end 46.2%") < page.index("No figure for 1 of 3")
    assert "Total revenue (third): Apple reports none. Look elsewhere." in page
    assert page.index("Where they come from") < page.index("How it was computed")
    assert "can be read in" not in page
    ambiguous = TableCard(CARDS["readings"].table, ambiguous=True)
    assert "The question has 2 readings. Each figure answers one." in text(html(ambiguous))


def test_a_company_over_the_years_has_one_row_and_a_source_for_each_year() -> None:
    page = html(CARDS["trend"])
    assert "Apple, total revenue, fiscal 2021 to 2025" in page
    rows = re.findall(r"<tr>.*?</tr>", table(page), re.DOTALL)
    assert [text(row) for row in rows] == [
        "Measure US$ millions FY2021 Sep 2021 FY2022 Sep 2022 FY2023 Sep 2023 FY2024 Sep 2024 FY2025 Sep 2025",
        "Total revenue 2,021 2,022 2,023 2,024 2,025",
    ]
    # Nothing stands around them, so that nothing need stand out.
    assert "is-asked" not in page
    assert len(re.findall(r"Apple, 10-K for fiscal 20\d\d", page)) == 5


def test_companies_are_rows_and_their_measure_is_told_once() -> None:
    page = table(html(CARDS["companies"]))
    assert "Apple and Microsoft: gross margin, fiscal 2023 and 2024" in page
    assert re.findall(r'<th scope="row">([^<]*)</th>', page) == ["Apple", "Microsoft"]
    assert "Company" in page
    both = table(html(CARDS["measures"]))
    assert re.findall(r'<th[^>]*scope="row(?:group)?"[^>]*>(.*?)</th>', both) == [
        "<span>Gross margin</span>", "Apple", "Microsoft", "<span>Total revenue</span>", "Apple", "Microsoft",
    ]  # fmt: skip
    # Each is a group of rows, which its heading names.
    assert both.count("<tbody>") == both.count('scope="rowgroup"') == 2


def test_a_cell_without_a_figure_tells_its_reason_in_place_and_below() -> None:
    page = html(CARDS["gap"])
    reason = Code.CONCEPT_NOT_REPORTED.row.title
    (gap,) = re.findall(r'<td class="num years__gap">(.*?)</td>', table(page))
    assert gap == f'\u2013<span class="vh"> {reason}</span>'
    assert "No figure for 1 of 2" in text(page)
    assert "Fiscal 2023: Apple reports none. Look elsewhere." in text(page)
    assert "See also" in table(page)


def test_a_row_without_any_figure_tells_its_reason_across_its_years() -> None:
    found = card(*MARGINS[:2], *(cell(None, year, row=1) for year in (2023, 2024)))
    (gap,) = re.findall(r'<td class="years__gap" colspan="2">(.*?)</td>', table(html(found)))
    assert Code.CONCEPT_NOT_REPORTED.row.title in gap


def test_the_same_figures_open_as_a_grid_and_printed_lines_do_not() -> None:
    address = f"/grid?companies={APPLE}&amp;measures=revenue&amp;from=2021&amp;to=2025"
    assert f'<a href="{address}">Open as grid</a>' in html(CARDS["trend"])
    assert "Open as grid" not in html(card(cell(measure="us-gaap:Cash"), cell("1", 2023, measure="us-gaap:Cash")))


def test_of_companies_compared_the_first_is_told_above_them() -> None:
    page = text(html(card(cell(), cell("1", cik=MICROSOFT))))
    assert page.index("Apple Highest total revenue in fiscal 2024: $391,035 million") < page.index(
        "Company US$ millions FY2024"
    )


def test_of_one_row_over_the_years_its_ends_are_told_above_it() -> None:
    page = text(html(CARDS["trend"]))
    assert page.index("$2,021 million to $2,025 million") < page.index("Measure US$ millions FY2021")
    assert " to $" not in text(html(CARDS["measures"]))


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [("12.34", "percent", "+12.3%"), ("-5.1", "points", "−5.1 points"), ("0.25", "ratio", "+0.25x")],  # noqa: RUF001
)
def test_beside_the_ends_of_a_row_stands_what_it_moved_by(value: str, unit: str, said: str) -> None:
    one = result("growth", value, unit, fiscal_years=(2021, 2025))
    whole = CARDS["trend"].table.model_copy(update={"moved": (one,)})
    page = text(html(replace(CARDS["trend"], table=whole)))
    assert f"$2,025 million {said} from fiscal 2021 to 2025" in page
    part = whole.model_copy(update={"moved": (one.model_copy(update={"fiscal_years": (2020, 2025)}),)})
    # What it moved by over other years is not told; of which years its ends are, is.
    assert "$2,025 million from fiscal 2021 to 2025" in text(html(replace(CARDS["trend"], table=part)))


def test_what_an_operation_makes_is_the_headline_and_its_formula_is_below() -> None:
    revenue = answers.operand("revenue", "Total revenue", answers.fact_ref(value="2000000"))
    one = result("cagr", formula="100 * revenue", operands=(revenue,))
    page = html(card(cell(), cell("1", 2023), results=(one,)))
    heading = "Apple, compound annual growth rate of total revenue, fiscal 2020 to 2024"
    assert f'<h2 class="eyebrow" id="answer-1">{heading}</h2>' in page
    assert '<p class="figure__value">9.2% ' in page
    assert re.search(r'<a href="/facts/1">2</a>\s*= <strong>9\.2% </strong>', page)
    # Two of them are told in sentences below what they are of.
    page = html(CARDS["companies"])
    assert 'id="answer-1">Apple and Microsoft: gross margin, fiscal 2023 and 2024</h2>' in page
    assert page.count("<li>Compound annual growth rate of total revenue, Apple, fiscal 2020 to 2024: 9.2") == 2


def rows(page: str, heading: str) -> list[str]:
    """The rows of the table that stands under a heading."""
    body = page[page.index(f">{heading}</h2>") :].split("<tbody>")[1].split("</tbody>")[0]
    return [text(row) for row in body.split("<tr>")[1:]]


def restated(value: str, year: int) -> tuple[object, ...]:
    used = answers.fact_ref()
    return (answers.later("rnd", used, answers.fact_ref(value=value, fact=2), year),)


def test_the_filing_used_comes_first_and_a_later_one_that_differs_is_named() -> None:
    later = (*restated("9380000", 2025), *restated("9500000", 2026))
    found = answers.cell(answers.fact_ref(printed=""), restated=later)
    page = html(card(found))
    assert "Restated later: $9.38 million in the fiscal 2025 10-K" in text(page)
    assert rows(page, "Later filings") == [
        "10-K fiscal 2024, used 20 Feb 2025 9.412 first",
        "10-K fiscal 2025 20 Feb 2025 9.38 \u22120.032",
        "10-K fiscal 2026 20 Feb 2025 9.5 +0.088",
    ]


@pytest.mark.parametrize("cells", [(margin(),), (margin(), cell("1", 2023)), (margin(), margin(2023))])
def test_a_fact_that_was_restated_after_it_was_computed_with_is_told(cells: tuple[Cell, ...]) -> None:
    rnd = answers.operand("rnd", "R&D", answers.fact_ref())
    first = cells[0].model_copy(update={"operands": (rnd,), "formula": "rnd", "restated": restated("9380000", 2025)})
    assert rows(html(card(first, *cells[1:])), "Later filings") == [
        "R&amp;D, fiscal 2024 $9.412 million $9.38 million 10-K fiscal 2025, 20 Feb 2025"
    ]
