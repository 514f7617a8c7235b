"""A model's judgement in the browser: above the figures, within the page at every width, and told to a screen reader."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browser.test_looks import fits
from tests.support import answers

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 360])
def test_it_stands_apart_above_the_figures(page: Page, signed_in: User, width: int) -> None:
    run = answers.run_with(answers.judged(answers.number_answer()), signed_in)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(run.get_absolute_url())
    reading = page.get_by_role("region", name="A model\u2019s reading")
    expect(reading).to_contain_text("Yes")
    above, figure = reading.bounding_box(), page.locator(".figure").first.bounding_box()
    assert above
    assert figure
    assert above["y"] + above["height"] <= figure["y"]
    fits(page)
