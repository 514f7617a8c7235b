"""Charts in a browser: read without a mouse, at any width, on paper, and what each point leads to."""

from datetime import date
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from filings.models import Fact
from tests.browser.axe import check
from tests.browser.test_looks import fits
from tests.support.sample import Sample

pytestmark = pytest.mark.browser

# A long tag, a long value, one a share, a loss, a quarter, one that later filings changed, a printed row.
FACTS: tuple[dict[str, object], ...] = (
    {"tag__startswith": "OtherComprehensiveIncomeLossAmortizationAdjustmentFromAOCI"},
    {"tag": "Assets", "company__name__startswith": "JPMorgan"},
    {"unit": "USD/shares", "tag": "EarningsPerShareDiluted"},
    {"raw__startswith": "-", "tag": "NetIncomeLoss"},
    {"start": date(2013, 6, 30), "end": date(2013, 9, 28)},
    {"tag": "AdvertisingExpense", "start": date(2014, 1, 27)},
    {"source": Fact.Source.DOCUMENT, "statement": "income"},
)


@pytest.fixture
def charts(page: Page, settings: Settings) -> Page:
    """A page with a chart of each kind."""
    settings.ROOT_URLCONF = "tests.support.chart_pages"
    page.goto("/charts")
    return page


def test_charts_of_every_kind_have_no_grave_finding(charts: Page) -> None:
    check(charts, {"charts": "/charts"}, widths=(1280, 360, 320))


def test_the_keyboard_goes_through_the_columns_and_enter_opens_what_one_is(charts: Page) -> None:
    trend = charts.get_by_role("group", name="Revenue of Larkspur by fiscal year")
    tip = trend.get_by_text("Larkspur, fiscal 2016: $215639 million").last
    skip = charts.get_by_role("link", name="Skip the chart").first
    skip.focus()
    expect(skip).to_be_in_viewport()
    charts.keyboard.press("Tab")
    expect(tip).to_be_hidden()
    charts.keyboard.press("Tab")
    second = trend.get_by_role("link", name="Larkspur, fiscal 2016: $215639 million")
    expect(second).to_be_focused()
    expect(tip).to_be_visible()
    assert second.locator(".chart__hit").evaluate("node => getComputedStyle(node).strokeWidth") == "3px"
    charts.keyboard.press("Enter")
    charts.wait_for_url("**/method?2016")


def test_the_table_is_one_step_away(charts: Page) -> None:
    charts.get_by_role("link", name="Skip the chart").first.focus()
    charts.keyboard.press("Enter")
    assert charts.url.endswith("#values")
    charts.keyboard.press("Tab")
    expect(charts.locator("#values").get_by_role("link")).to_be_focused()


def test_what_is_pointed_at_is_said_above_the_chart(charts: Page) -> None:
    lines = charts.get_by_role("group", name="Margins of eight companies by fiscal year")
    unit = lines.get_by_text("US$ millions")
    expect(unit).to_be_visible()
    lines.get_by_role("link", name="Pell, fiscal 2019").hover()
    expect(lines.locator(".chart__tip").filter(has_text="Pell, fiscal 2019")).to_be_visible()
    expect(unit).to_be_hidden()


def test_small_columns_lead_on_without_being_stops_of_the_keyboard(charts: Page) -> None:
    small = charts.get_by_role("group", name="Ten years of Larkspur")
    expect(small).to_be_visible()
    assert small.locator("a:not([tabindex='-1'])").count() == 0
    small.locator("a").nth(3).click()
    charts.wait_for_url("**/method?2018")


# The words that can be seen, by the chart they are of and by how far down they stand, with both of their ends.
WORDS = """() => [...document.querySelectorAll(".chart__plot")].flatMap((plot, at) =>
  [...plot.querySelectorAll(".chart__label, .chart__tick")]
    .map(node => [node.getBoundingClientRect(), node])
    .filter(([box]) => box.width)
    .map(([box, node]) => [at + " " + Math.round(box.top), box.left, box.right, parseFloat(getComputedStyle(node).fontSize)]))"""


@pytest.mark.parametrize("width", [320, 360, 560, 1280])
def test_words_keep_their_size_and_do_not_touch_at_any_width(charts: Page, width: int) -> None:
    charts.set_viewport_size({"width": width, "height": 800})
    words = charts.evaluate(WORDS)
    assert len(words) > 40
    assert all(size >= 11 for *_, size in words)
    assert all(0 <= left <= right <= width for _, left, right, _ in words)
    for (row, _, right, _), (next_row, left, _, _) in pairwise(sorted(words)):
        assert row != next_row or right < left, (row, right, left)


def test_on_paper_a_chart_is_light_and_whole(charts: Page) -> None:
    charts.emulate_media(media="print", color_scheme="dark")
    column = charts.locator(".chart__column").last
    assert column.evaluate("node => getComputedStyle(node).fill") == "rgb(23, 74, 132)"
    chart = charts.locator("figure.chart").first
    assert chart.evaluate("node => getComputedStyle(node).breakInside") == "avoid"


def fact(**fields: object) -> Fact:
    """The oldest report of a stored fact."""
    return Fact.objects.filter(**fields).order_by("filed", "end", "pk")[0]


def test_no_fact_sticks_out_of_a_narrow_page(page: Page, sample: Sample) -> None:
    long = fact(tag="Assets")
    Fact.objects.filter(pk=long.pk).update(
        label="Receivablesfromcontractswithcustomers " * 9, dimensions="us-gaap:LongAxis=nwi:LongMember;" * 15
    )
    for one in (long, *(fact(**fields) for fields in FACTS)):
        page.goto(one.get_absolute_url())
        for width in (320, 360, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            fits(page)


def test_from_a_fact_by_its_chart_to_another_and_back_without_a_mouse(page: Page, sample: Sample) -> None:
    one = fact(tag="AdvertisingExpense", start=date(2014, 1, 27))
    page.goto(one.get_absolute_url())
    restated = page.get_by_role("group", name="This period, by date of filing")
    expect(restated.get_by_role("link")).to_have_count(3)
    restated.get_by_role("link", name="differs").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("article")).to_contain_text("15,000,000 US dollars")
    page.go_back()
    expect(page.locator("article")).to_contain_text("14,600,000 US dollars")
    check(page, {"fact, restated": one.get_absolute_url()}, widths=(1280, 320))


def test_a_chart_is_saved_as_svg_and_as_png(charts: Page) -> None:
    files = charts.locator(".chart__files").first
    with charts.expect_download() as saved:
        files.get_by_role("link", name="SVG").click()
    assert saved.value.suggested_filename == "revenue-of-larkspur-by-fiscal-year.svg"
    assert saved.value.path().read_text().startswith("<svg ")
    with charts.expect_download() as saved:
        files.get_by_role("button", name="PNG").click()
    content = saved.value.path().read_bytes()
    assert saved.value.suggested_filename == "revenue-of-larkspur-by-fiscal-year.png"
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[16:20]) == 2 * 960
