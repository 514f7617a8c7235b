"""axe-core over every page, in both colour schemes and at two widths; and from a question to its source by keyboard alone."""

from collections.abc import Callable, Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.models import User
from agent import tasks
from agent.models import Run, Share
from diligence.celery import app
from filings.models import Fact, SearchRequest
from tests.browser.axe import check, findings
from tests.browser.test_asking import RUN
from tests.browser.test_looks import ANSWERS, OPEN, make
from tests.support import answers
from tests.support.sample import Sample

pytestmark = pytest.mark.browser

# Answered by the real pipeline, for what the scripted answers do not have.
ASKED = {
    "text": "What supply risks did Northwind disclose in fiscal 2025?",
    "both": "What was Northwind's gross profit in fiscal 2025 and why did service revenue fall?",
    "figure": "What was Apple's R&D spend in FY2024?",
    "shares": "Apple shares outstanding, fiscal 2024",
    "off topic": "What is the weather like?",
    "meta": "What can you do?",
}


def test_an_axe_that_finds_nothing_is_noticed(page: Page) -> None:
    page.goto("/")
    page.evaluate("document.querySelector('#main').innerHTML = '<img src=\"/x.png\"><input><p class=faint>x</p>'")
    assert {line.split(" ")[0] for line in findings(page)} >= {"image-alt", "label"}


def test_every_state_of_a_run(page: Page, signed_in: User) -> None:
    check(page, {name: make(name, signed_in).get_absolute_url() for name in (*ANSWERS, *OPEN)})


def test_answers_of_the_sample_and_where_they_lead(page: Page, signed_in: User, sample: Sample) -> None:
    addresses = {}
    for name, question in ASKED.items():
        run = Run.objects.create(user=signed_in, question=question)
        tasks.answer(str(run.pk))
        addresses[name] = run.get_absolute_url()
    text = Run.objects.get(question=ASKED["text"])
    page.goto(text.get_absolute_url())
    addresses["section reader"] = page.locator('article a[href^="/filings/"]').first.get_attribute("href") or ""
    again = Run.objects.create(user=signed_in, question=ASKED["text"], again_of=text)
    tasks.answer(str(again.pk))
    addresses["compare"] = reverse("run_compare", args=[again.pk, text.pk])
    addresses["shared"] = reverse("shared", args=[Share.objects.create(run=text).token])
    check(page, addresses)


def test_pages_of_companies_and_filings(page: Page, signed_in: User, sample: Sample) -> None:
    filing = sample.filing("NWND", 2025)
    fact = Fact.objects.filter(filing=filing).order_by("pk").first()
    assert fact is not None
    search = SearchRequest.objects.create(user=signed_in, text="supply of wafers")
    check(
        page,
        {
            "companies": "/companies",
            "company": sample["NWND"].get_absolute_url(),
            "filing": reverse("filing", args=[filing.accession]),
            "section": reverse("section", args=[filing.accession, filing.sections.order_by("pk").first().key]),
            "fact": reverse("fact", args=[fact.pk]),
            "search": "/search",
            "search, waiting": reverse("search_results", args=[search.pk]),
            "method": "/method",
        },
    )


def test_pages_of_whoever_asks(page: Page, signed_in: User) -> None:
    starred = answers.run_with(answers.number_answer(), signed_in, starred=True, note="Ask the auditors")
    answers.run_with(answers.refusal_answer(), signed_in)
    check(
        page,
        {
            "ask": "/",
            "history": "/history",
            "history by company": "/history?group=company",
            "history, nothing found": "/history?q=nothing-of-this",
            "answer with a note": starred.get_absolute_url(),
            "API": reverse("api:documentation"),
            "nowhere": "/nowhere",
        },
    )


def test_pages_of_visitors(page: Page) -> None:
    check(page, {"ask": "/", "history": "/history", "nowhere": "/nowhere"})


@pytest.fixture
def eager() -> Iterator[None]:
    """Tasks run where they are sent from."""
    app.conf.task_always_eager = True
    yield
    app.conf.task_always_eager = False


@pytest.fixture
def tab_to(page: Page) -> Callable[[str], None]:
    """Presses Tab until the first element that a selector finds has the focus, which must show."""

    def to(selector: str) -> None:
        wanted = page.locator(selector).first
        expect(wanted).to_be_visible()
        for _ in range(120):
            page.keyboard.press("Tab")
            if wanted.evaluate("node => node === document.activeElement"):
                break
        expect(wanted).to_be_focused()
        shown = wanted.evaluate(
            "node => { const at = getComputedStyle(node); return at.outlineStyle !== 'none' || at.boxShadow !== 'none' }"
        )
        assert shown, f"nothing shows that the focus is on {selector}"

    return to


def test_from_a_question_to_its_passage_and_the_history_by_keyboard_alone(
    page: Page, eager: None, sample: Sample, tab_to: Callable[[str], None]
) -> None:
    page.goto("/")
    tab_to("textarea[name=question]")
    page.keyboard.type(ASKED["text"])
    page.keyboard.press("Enter")
    page.wait_for_url(RUN)
    expect(page.locator("article").first).to_be_visible()
    tab_to('article a[href^="/filings/"]')
    page.keyboard.press("Enter")
    expect(page.locator("mark").first).to_be_visible()
    assert "/filings/" in page.url
    tab_to('.site-nav a[href="/history"]')
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    tab_to(".run a")
    page.keyboard.press("Enter")
    page.wait_for_url(RUN)
    expect(page.get_by_role("heading", name=ASKED["text"])).to_be_visible()
