"""axe-core over every page, in both colour schemes and at two widths; and from a question to its source by keyboard alone."""

import re
from collections.abc import Callable, Iterable, Iterator

import pytest
from django.urls import reverse
from django.utils.timezone import now
from playwright.sync_api import Page, expect

from accounts.identity import Identity
from accounts.models import User
from agent import tasks
from agent import urls as of_agent
from agent.models import Digest, Run, Share, Standing, Watchlist, WatchlistAlert, unguessable
from agent.web.api import urls as of_api
from diligence.celery import app
from filings import urls as of_filings
from filings.models import Company, Fact, Import, SearchRequest
from tests.browser.axe import check, findings, names
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
    "computed": "Apple return on equity 2024",
    "companies": "compare operating margin of Apple, Microsoft and NVIDIA 2022-2024",
    "growth": "Apple revenue CAGR 2013-2024",
    "statement": "Northwind's balance sheet in fiscal 2025",
    "off topic": "What is the weather like?",
    "meta": "What can you do?",
}

# Pages by the name of their address, which the tests below open; what of it is shown stands behind a comma.
OF_ANSWERS = {"run", "section", "run_compare", "shared"}
OF_COMPANIES = {
    "companies",
    "company",
    "company_documents",
    "restatements",
    "filing",
    "section",
    "captions",
    "redline",
    "fact",
    "search",
    "search_results",
    "method",
    "how_we_know",
}
OF_STAFF = {"import_documents"}
OF_WHOEVER_ASKS = {
    "ask",
    "company",
    "company_by_ticker",
    "figure",
    "grid",
    "digest_unsubscribe",
    "history",
    "run",
    "screener",
    "watchlist_unsubscribe",
    "watchlists",
    "api:documentation",
    "nowhere",
}
# Shown where a form is wrong: test_accessibility_states.
BY_A_FORM = {"ask_question", "add_company", "import_confirm"}
# They lead on, are polled parts of a page, or are sent by a button of one.
NO_PAGES = {
    "grid_file",
    "grid_save",
    "screener_file",
    "screen_save",
    "screen_delete",
    "redline_by_ticker",
    "redline_file",
    "run_certificate",
    "shared_certificate",
    "certificate_key",
    "certificate_script",
    "certificate_schema",
    "printed_table",
    "history_file",
    "run_table",
    "shared_table",
    "suggest",
    "run_progress",
    "run_verify",
    "run_ask_again",
    "run_search_deeper",
    "run_delete",
    "run_star",
    "run_note",
    "run_feedback",
    "run_share",
    "run_unshare",
    "history_selected",
    "watchlist_add",
    "watchlist_remove",
    "watchlist_rename",
    "watchlist_up",
    "watchlist_delete",
    "watchlist_feed_address",
    "watchlist_mail",
    "watchlist_feed",
    "digest",
    "restatements_file",
    "restatements_by_ticker",
    "watch",
    "company_progress",
    "import_progress",
    "original",
    "page_file",
    "page_picture",
    "read_reports",
    "cancel_ingestion",
    "search_progress",
}
# Of an answer that a later filing changed.
CHANGE = {
    "reason": "restated",
    "said": "Revenue, fiscal 2024",
    "cik": answers.CIK,
    "unit": "USD",
    "used": "86214000",
    "now": "85702000",
    "used_accession": "9999988801-25-000012",
    "accession": "9999988801-26-000012",
    "form": "10-K",
    "fiscal_year": 2025,
}
# Those of the API that are no operation of it, which answers programs.
LEADS_ON, NOWHERE = "root", "nowhere"


def pages(addresses: Iterable[str]) -> set[str]:
    """The names without what of them is shown."""
    return {name.partition(",")[0] for name in addresses}


def test_every_address_of_questions_and_filings_has_its_place_here() -> None:
    known = (OF_ANSWERS | OF_COMPANIES | OF_STAFF | OF_WHOEVER_ASKS | BY_A_FORM) - {"nowhere", "api:documentation"}
    assert {*names(of_agent.urlpatterns), *names(of_filings.urlpatterns)} == known | NO_PAGES


def test_the_api_has_one_page() -> None:
    operations = set(names(of_api.api.urls[0]))
    assert set(names(of_api.urlpatterns)) - operations == {"documentation", LEADS_ON, NOWHERE}


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
        addresses[f"run, {name}"] = run.get_absolute_url()
    text = Run.objects.get(question=ASKED["text"])
    page.goto(text.get_absolute_url())
    addresses["section"] = page.locator('article a[href^="/filings/"]').first.get_attribute("href") or ""
    again = Run.objects.create(user=signed_in, question=ASKED["text"], again_of=text)
    tasks.answer(str(again.pk))
    addresses["run_compare"] = reverse("run_compare", args=[again.pk, text.pk])
    addresses["shared"] = reverse("shared", args=[Share.objects.create(run=text).token])
    assert pages(addresses) == OF_ANSWERS
    check(page, addresses)


def test_pages_of_companies_and_filings(page: Page, signed_in: User, sample: Sample) -> None:
    filing = sample.filing("NWND", 2025)
    fact = Fact.objects.filter(filing=filing).order_by("pk").first()
    assert fact is not None
    search = SearchRequest.objects.create(user=signed_in, text="supply of wafers")
    addresses = {
        "companies": "/companies",
        "company": sample["NWND"].get_absolute_url(),
        "company, with parts": Company.objects.get(cik=9999999903).get_absolute_url(),
        "company_documents": f"/companies/{sample['NWND'].cik}/documents?kind=10-K",
        "restatements": reverse("restatements", args=[sample["NVDA"].cik]),
        "filing": reverse("filing", args=[filing.accession]),
        "section": reverse("section", args=[filing.accession, filing.sections.order_by("pk").first().key]),
        "captions": reverse("captions", args=[filing.accession, "1A"]),
        "redline": f"/companies/{sample['NWND'].cik}/redline?item=1A&from=2024&to=2025",
        "redline, side by side": f"/companies/{sample['CLDP'].cik}/redline?item=7&from=2024&to=2025&view=side",
        "fact": reverse("fact", args=[fact.pk]),
        "fact, of a part": Fact.objects.filter(dimensions__contains="TurbinesMember").first().get_absolute_url(),
        "search": "/search",
        "search_results, waiting": reverse("search_results", args=[search.pk]),
        "method": "/method",
        "how_we_know": "/how-we-know",
    }
    assert pages(addresses) == OF_COMPANIES
    check(page, addresses)


def test_pages_of_staff(page: Page, staff: User) -> None:
    for status in Import.Status.values:
        Import.objects.create(filename=f"{status}.txt", size=2_000, sha256="5e" * 32, user=staff, status=status)
    Import.objects.filter(status=Import.Status.FAILED).update(problem="The file has no text that can be searched.")
    check(page, {"import_documents": reverse("import_documents")})


def test_pages_of_whoever_asks(page: Page, signed_in: User, sample: Sample) -> None:
    starred = answers.run_with(answers.number_answer(), signed_in, starred=True, note="Ask the auditors")
    answers.run_with(answers.refusal_answer(), signed_in)
    watched = Watchlist.objects.make(Identity(user=signed_in), "Chips")
    watched.add([sample["NVDA"].cik, sample["AAPL"].cik])
    alert = WatchlistAlert.objects.create(watchlist=watched, feed=unguessable(), mail=True)
    digest = Digest.objects.create(user=signed_in, mail=True)
    Standing.objects.create(run=starred, state="superseded", checked=now(), since=now(), changes=[CHANGE])
    addresses = {
        "ask": "/",
        "watchlists": f"/watchlists#alerts-{watched.pk}",
        "watchlist_unsubscribe": reverse("watchlist_unsubscribe", args=[alert.unsubscribe]),
        "digest_unsubscribe": reverse("digest_unsubscribe", args=[digest.unsubscribe]),
        "company_by_ticker": "/companies/AAPPL",
        "company, watched": sample["AAPL"].get_absolute_url(),
        "figure": reverse("figure", args=[sample["AAPL"].cik, 2024, "gross_margin"]),
        "grid": "/grid",
        "grid, shown": "/grid?companies=AAPL,MSFT,JPM&measures=revenue,gross_margin&from=2020&to=2024",
        "grid, of parts": "/grid?companies=9999999903&measures=revenue,operating_margin&members=Turbines,Grid&from=2024&to=2025",
        "screener": "/screener",
        "screener, shown": "/screener?measures=operating_margin,revenue&year=2024",
        "history": "/history",
        "history, by company": "/history?group=company",
        "history, nothing found": "/history?q=nothing-of-this",
        "run, with a note": starred.get_absolute_url(),
        "api:documentation": reverse("api:documentation"),
        "nowhere": "/nowhere",
    }
    assert pages(addresses) == OF_WHOEVER_ASKS
    check(page, addresses)


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
            "node => { const at = getComputedStyle(node.closest('.ask__box') ?? node); return at.outlineStyle !== 'none' || at.boxShadow !== 'none' }"
        )
        assert shown, f"nothing shows that the focus is on {selector}"

    return to


def test_from_a_question_to_its_passage_and_the_history_by_keyboard_alone(
    page: Page, eager: None, sample: Sample, tab_to: Callable[[str], None]
) -> None:
    page.goto("/")
    tab_to("input#question")
    page.keyboard.type(ASKED["text"])
    page.keyboard.press("Enter")
    page.wait_for_url(RUN)
    expect(page.locator("article").first).to_be_visible()
    tab_to('article a[href^="/filings/"]')
    page.keyboard.press("Enter")
    expect(page.locator("mark").first).to_be_visible()
    expect(page).to_have_url(re.compile("/filings/"))
    tab_to('.site-nav a[href="/history"]')
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    tab_to(".run a")
    page.keyboard.press("Enter")
    page.wait_for_url(RUN)
    expect(page.get_by_role("heading", name=ASKED["text"])).to_be_visible()
