"""No line of a phone breaks within a word: a form, a number of a filing, a date, an amount with its unit."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from agent import tasks
from agent.models import Run
from filings.models import SearchRequest
from filings.search import requests
from tests.browser.test_narrow import answered
from tests.support import answers
from tests.support.sample import Sample

pytestmark = pytest.mark.browser

# What stands on more than one line of all that is seen. Tags break at capitals by intent, compounds of words at a
# hyphen, and a hash where it must.
BROKEN = r"""() => {
  const months = "January|February|March|April|May|June|July|August|September|October|November|December";
  const word = new RegExp([
    String.raw`[\u2212-]?[$€£]?\d[\d,.]*\s(?:thousand|million|billion|trillion)\b`,
    String.raw`\b\d{1,2} (?:${months}|[A-Z][a-z]{2}) \d{4}\b`,
    String.raw`[\w.]*\d[\w.]*(?:[-/][\w.]+)+`, String.raw`\b[A-Z]+-[A-Z]+\b`, String.raw`\b[a-z]+-[A-Z]+\b`, String.raw`\b\w{1,40}\b`,
  ].join("|"), "g");
  const broken = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, parent = node.parentElement;
    if (!parent.checkVisibility({visibilityProperty: true}) || parent.closest("wbr, .vh, option, .sample")) continue;
    if (parent.querySelector("wbr")) continue;
    for (const match of node.data.matchAll(word)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 0.5);
      if (new Set(boxes.map((box) => Math.round(box.top))).size > 1) broken.push(match[0]);
    }
  }
  return broken;
}"""

QUESTIONS = [
    "What was Apple's R&D spend in FY2024?",
    "Compare the operating margins of Apple and Microsoft, 2022 to 2024",
    "rank Apple, Microsoft and Visa by net income 2024",
    "JPMorgan gross profit in fiscal 2024",
    "Amazon R&D FY2024",
    "AMD SG&A in fiscal 2024",
    "Microsoft adjusted EBITDA 2024",
    "What risks does Apple disclose about China in 2024?",
    "What supply risks did Northwind Instruments disclose in fiscal 2025?",
]


def whole(page: Page) -> None:
    """No word of a page stands on two lines, folded parts included."""
    for fold in page.locator("details").all():
        fold.evaluate("node => { node.open = true }")
    assert page.evaluate(BROKEN) == [], page.url


@pytest.fixture(params=[360, 320])
def phone(page: Page, request: pytest.FixtureRequest) -> Page:
    page.set_viewport_size({"width": request.param, "height": 740})
    return page


def test_a_break_within_a_word_is_seen(page: Page) -> None:
    """The test of the others: what they look for can be found."""
    page.goto("/method")
    page.evaluate("document.querySelector('main').innerHTML = '<p>a 10-K</p>'")
    page.evaluate("document.querySelector('main p').style.width = '1.5em'")
    assert page.evaluate(BROKEN) == ["10-K"]


def test_words_of_answers_and_of_history_are_whole(phone: Page, signed_in: User, sample: Sample) -> None:
    for question in QUESTIONS:
        phone.goto(answered(signed_in, question).get_absolute_url())
        whole(phone)
    phone.goto(answers.open_run(signed_in).get_absolute_url())
    whole(phone)
    for address in ("/history", "/history?group=company"):
        phone.goto(address)
        whole(phone)


def test_words_of_pages_are_whole(phone: Page, signed_in: User, sample: Sample) -> None:
    filing = sample["NWND"].filings.get(fiscal_year=2025)
    fact = sample["AAPL"].facts.filter(tag="ResearchAndDevelopmentExpense").latest("end")
    pages = ["/", "/companies", "/search", "/method", "/history", "/account", "/watchlists", "/api/v1/docs"]
    pages += [sample[symbol].get_absolute_url() for symbol in ("AAPL", "NWND")]
    pages += [filing.get_absolute_url(), filing.sections.get(item="1A").get_absolute_url(), fact.get_absolute_url()]
    for address in pages:
        phone.goto(address)
        whole(phone)


def test_words_that_come_later_are_whole_and_are_copied_as_they_are(phone: Page, signed_in: User) -> None:
    run = Run.objects.create(user=signed_in, question="Amazon R&D FY2024")
    phone.goto(run.get_absolute_url())
    tasks.answer(str(run.pk))
    phone.get_by_role("heading", name="What was looked for").click()
    expect(phone.get_by_text("Measure not reported").first).to_be_visible()
    whole(phone)
    text = phone.locator("#run").evaluate("node => node.textContent")
    assert "10-K" in text
    assert not set("\u2011\u2060\u00ad") & set(text)


def test_words_of_a_search_are_whole(phone: Page, signed_in: User, sample: Sample) -> None:
    for words in ("supply of wafers", "purple giraffe"):
        search = SearchRequest.objects.create(user=signed_in, text=words)
        requests.run(search.pk)
        phone.goto(reverse("search_results", args=[search.pk]))
        whole(phone)
