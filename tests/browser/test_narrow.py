"""What a phone of 360 pixels shows of what is wide: folded, stacked, or with a shadow where it goes on."""

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from agent import tasks
from agent.models import Run
from tests.browser.test_looks import fits
from tests.support.sample import Sample

pytestmark = pytest.mark.browser


@pytest.fixture
def phone(page: Page) -> Page:
    page.set_viewport_size({"width": 360, "height": 740})
    return page


def answered(user: User, question: str) -> Run:
    """A question of somebody's that a worker has answered."""
    run = Run.objects.create(user=user, question=question)
    tasks.answer(str(run.pk))
    return run


def goes_on(region: Locator) -> bool:
    """Whether a region has more than it shows, to the right."""
    return bool(region.evaluate("node => node.scrollWidth > node.clientWidth"))


def test_the_documentation_of_the_api_is_a_list_of_what_opens(phone: Page, sample: Sample) -> None:
    phone.goto(reverse("api:documentation"))
    assert phone.evaluate("document.documentElement.scrollHeight") < 11_000
    assert phone.locator("main details.entry[open]").count() == 0
    # A link to something folded opens it, from within the page and from elsewhere.
    operation, shape = phone.locator("#get_run"), phone.locator("#Run")
    operation.locator("summary").click()
    operation.get_by_role("link", name="Run", exact=True).click()
    expect(shape.get_by_text("Identifier of the run.", exact=True)).to_be_in_viewport()
    phone.goto("about:blank")
    phone.goto(f"{reverse('api:documentation')}#ask")
    expect(phone.locator("#ask").get_by_text("Idempotency-Key", exact=True)).to_be_in_viewport()


def test_what_is_read_first_needs_no_scrolling(phone: Page, signed_in: User, sample: Sample) -> None:
    answered(signed_in, "Apple revenue in fiscal 2024")
    phone.goto("/")
    own = phone.get_by_role("region", name="Table of your companies")
    expect(own.get_by_text("AAPL")).to_be_visible()
    assert not goes_on(own)
    # Restated the year after: the table of later filings stands with the source.
    phone.goto(answered(signed_in, "AMD SG&A in fiscal 2024").get_absolute_url())
    phone.get_by_role("link", name="Restated later").click()
    later = phone.get_by_role("region", name="Table of later filings")
    expect(later.get_by_text("fiscal 2025")).to_be_visible()
    assert not goes_on(later)
    phone.goto(
        answered(signed_in, "compare operating margin of Apple, Microsoft and NVIDIA 2022-2024").get_absolute_url()
    )
    years = phone.get_by_role("region", name="Table: Apple, Microsoft and NVIDIA")
    expect(years.get_by_role("rowheader")).to_have_text(["NVIDIA", "Microsoft", "Apple"])
    assert not goes_on(years)


ASKED = [
    "Apple revenue last 5 years",
    "Apple revenue CAGR 2020-2024",
    "Apple return on invested capital 2024",
    "Nike inventory turnover 2023",
    "Northwind Instruments' balance sheet fiscal 2025",
    "Apple revenue 2012-2016",
    "Apple EBITDA 2024",
]


@pytest.mark.parametrize("question", ASKED)
def test_figures_of_every_shape_fit_a_phone(phone: Page, signed_in: User, sample: Sample, question: str) -> None:
    phone.goto(answered(signed_in, question).get_absolute_url())
    expect(phone.locator("article.card .figure, article.card .readings").first).to_be_visible()
    fits(phone)
    # What is wider than the card scrolls within a region of its own, which a keyboard reaches.
    inside = "node => !node.closest('[role=region][tabindex]') && node.scrollWidth > node.clientWidth + 1"
    for block in phone.locator("article.card p, article.card li, article.card h2, article.card table").all():
        assert not block.evaluate(inside), block.inner_text()


@pytest.mark.parametrize("measures", ["revenue,operating_margin,net_income", "revenue,net_income,fcf"])
def test_the_band_of_a_grid_covers_no_row_and_no_heading(page: Page, sample: Sample, measures: str) -> None:
    page.set_viewport_size({"width": 390, "height": 500})
    page.goto(f"/grid?companies=AAPL,NVDA,MSFT,META&measures={measures}&from=2020&to=2024")
    region = page.locator(".years--sticky")
    heading, band, row = region.locator("thead tr"), region.locator(".years__group").first, region.locator("tr").nth(2)
    bottom, top, first = (one.bounding_box() for one in (heading, band, row))
    assert bottom
    assert top
    assert first
    assert top["y"] == pytest.approx(bottom["y"] + bottom["height"], abs=2)
    assert first["y"] == pytest.approx(top["y"] + top["height"], abs=2)
    region.evaluate("node => { node.scrollTop = 60; node.scrollLeft = 70 }")
    bottom, top = heading.locator("th").first.bounding_box(), band.bounding_box()
    assert bottom
    assert top
    assert top["y"] == pytest.approx(bottom["y"] + bottom["height"], abs=2)


def test_of_several_figures_asked_the_newest_stands_over_its_column(
    phone: Page, signed_in: User, sample: Sample
) -> None:
    phone.goto(answered(signed_in, "Apple revenue last 5 years").get_absolute_url())
    shown = phone.locator("article.card .chart__value:visible")
    expect(shown).to_have_count(1)
    last = phone.locator("article.card .table--years tbody tr").first.locator("td.num").last
    expect(shown).to_have_text(last.inner_text())


def test_a_computed_figure_of_a_table_leads_to_its_formula(phone: Page, signed_in: User, sample: Sample) -> None:
    phone.goto(answered(signed_in, "Apple gross margin 2023 and 2024").get_absolute_url())
    formula = phone.get_by_text("180,683 \u00f7 391,035 = 46.2%")
    expect(formula).to_be_hidden()
    phone.get_by_role("region", name="Table: Apple, gross margin").get_by_role("link", name="46.2%").click()
    expect(formula).to_be_in_viewport()
    phone.get_by_role("link", name="180,683").click()
    expect(phone.locator("main")).to_contain_text("us-gaap:GrossProfit")


EMPTY_REGION = """() => {
  document.querySelector("main").innerHTML = "<div class='card'><div class='scroll'><div></div></div></div>";
  const region = document.querySelector(".scroll");
  region.firstChild.style.cssText = "width: 900px; height: 40px";
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_shadow_stands_where_a_table_goes_on_and_nowhere_else(phone: Page, scheme: str) -> None:
    phone.emulate_media(color_scheme=scheme)
    phone.goto("/method")
    phone.evaluate(EMPTY_REGION)
    region = phone.locator(".scroll")
    box = region.bounding_box()
    assert box is not None

    def shaded(scrolled: int) -> tuple[bool, bool]:
        region.evaluate("(node, to) => { node.scrollLeft = to }", scrolled)
        size = {"y": box["y"] + 10, "width": 8, "height": 8}
        left, middle, right = (
            phone.screenshot(clip={"x": box["x"] + at, **size}) for at in (0, box["width"] / 2, box["width"] - 8)
        )
        return left != middle, right != middle

    assert [shaded(scrolled) for scrolled in (0, 100, 900)] == [(False, True), (True, True), (True, False)]


def test_a_closest_passage_begins_at_its_mark_and_shows_its_context_at_a_key(
    phone: Page, signed_in: User, sample: Sample
) -> None:
    run = answered(signed_in, "How does Northwind keep its laboratory instruments clean?")
    phone.goto(run.get_absolute_url())
    passage = phone.locator(".claim").first
    text = passage.locator("blockquote").first.inner_text().removeprefix("\u2026 ")
    assert text.startswith(passage.locator("mark").first.inner_text())
    passage.locator("summary").press("Enter")
    expect(passage.locator("details blockquote")).to_be_visible()
    fits(phone)
    passage.get_by_role("link", name="Search this Item").press("Enter")
    expect(phone.get_by_label("Words to look for")).to_have_value("keep laboratory instruments clean")
    phone.goto(run.get_absolute_url())
    phone.get_by_role("link", name="Ask with other words").press("Enter")
    expect(phone.locator("#question")).to_have_value(run.question)
