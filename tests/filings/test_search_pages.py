"""The search page: a search is sent, followed to its end and read; only whoever searched sees it."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from filings.models import Company, SearchRequest, Section
from filings.web.search_views import highlighted_pieces
from tests.support.holdings import NORTHWIND, annual_report, known, northwind
from tests.support.texts import HOSTILE, SUPPLIER, place, ten_k

ACCESSION = f"{NORTHWIND}-26-000012"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def sections(db: None) -> dict[str, Section]:
    return ten_k(northwind().filings.get(fiscal_year=2025))


def result(section: Section, words: str, **fields: Any) -> dict[str, Any]:
    start, end = place(section, words)
    return {
        "chunk": 1,
        "section": section.pk,
        "number": section.number,
        "accession": section.filing.accession,
        "cik": section.filing.company.cik,
        "company": section.filing.company.name,
        "fiscal_year": section.filing.fiscal_year,
        "item": section.item,
        "label": section.label,
        "page": "14",
        "ranges": [[start, end]],
        "start": start,
        "snippet": words,
        "highlights": [[3, 7], [11, 19]],
        "headings": ["We buy several critical components from one supplier each."],
        **fields,
    }


def closed(user: User, **fields: Any) -> SearchRequest:
    return SearchRequest.objects.create(
        **{"user": user, "text": "supplier contract", "status": "done", "index": "embedded", "model": "mini", **fields}
    )


def body(client: Client, path: str, **headers: str) -> str:
    return client.get(path, headers=headers).content.decode()


# --- sending one ---


def test_a_search_is_stored_with_its_limits_and_opened(client: Client, sections: dict[str, Section]) -> None:
    sent = {"q": " supplier  contract ", "company": "nwi", "year": "2025", "item": "1A", "accession": ACCESSION}
    response = client.post("/search", sent)
    found = SearchRequest.objects.get()
    assert response.status_code == 302
    assert response.url == f"/search/{found.pk}"
    limits = found.text, found.cik, found.fiscal_year, found.item, found.accession
    assert limits == ("supplier contract", NORTHWIND, 2025, "1A", ACCESSION)
    assert found.visitor is not None


def test_searching_too_often_is_429_with_what_was_typed(as_alice: Client, settings: Settings) -> None:
    settings.PLANS = {"user": {"requests_per_minute": 1}}
    assert as_alice.post("/search", {"q": "supplier"}).status_code == 302
    response = as_alice.post("/search", {"q": "wafers & more", "year": "2025"})
    page = response.content.decode()
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 60
    assert response["RateLimit-Policy"] == '"requests_per_minute";q=1;w=60'
    assert 'class="toast"' in page
    assert "Your search is kept." in page
    assert 'value="wafers &amp; more"' in page
    assert 'value="2025"' in page
    assert SearchRequest.objects.count() == 1


def test_a_visitor_who_searches_too_often_may_sign_in_and_go_on(client: Client, db: None, settings: Settings) -> None:
    settings.PLANS = {"anon": {"requests_per_minute": 1}}
    client.post("/search", {"q": "supplier"})
    other = Client()
    page = other.post("/search", {"q": "wafers & more", "year": "2025"}).content.decode()
    assert re.search(r"<dialog[^>]* open", page)
    back = re.search(r'name="next" value="([^"]+)"', page)
    assert back
    assert 'value="wafers &amp; more"' in body(client, back[1].replace("&amp;", "&"))
    # Whoever is refused the only thing they asked for has no session.
    assert "sessionid" not in other.cookies


def test_reading_the_page_searches_nothing(client: Client, db: None) -> None:
    page = client.get("/search", {"q": "supplier", "item": "1A", "unknown": "x"}).content.decode()
    assert 'value="supplier"' in page
    assert '<option value="1A" selected>' in page
    assert "This has not been searched yet. Press Search to look for <q>supplier</q>." in page
    assert not SearchRequest.objects.exists()
    assert "This has not been searched yet" not in client.get("/search", {"item": "1A"}).content.decode()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"q": "  "}, "Type words to look for first."),
        ({"q": "x" * 301}, "at most 300 characters"),
        ({"year": "last"}, "Enter a year, such as 2024."),
        ({"year": "99999"}, "less than or equal to 2100"),
        ({"item": "99"}, "not one of the available choices"),
        ({"accession": "12"}, "Enter an accession number"),
        ({"accession": "0000000001-26-000001"}, "No such document is loaded."),
        ({"company": "Nobody Known"}, "No text of a company called “Nobody Known” is loaded."),
        ({"company": "<script>x"}, "&lt;script&gt;x"),
        ({"company": "9999999999999"}, "No text of a company called"),
    ],
)
def test_what_cannot_be_searched_is_told_beside_the_field(
    client: Client, sections: dict[str, Section], sent: dict[str, str], said: str
) -> None:
    companies = Company.objects.count()
    response = client.post("/search", {"q": "supplier", **sent})
    assert response.status_code == 422
    assert said in response.content.decode()
    assert "<script>x" not in response.content.decode()
    assert not SearchRequest.objects.exists()
    assert Company.objects.count() == companies


def test_a_name_that_fits_several_companies_asks_which(client: Client, sections: dict[str, Section]) -> None:
    other = known("Northwind Instruments Holdings", "NWIH", 9_999_988_805)
    ten_k(annual_report(other, 2025))
    response = client.post("/search", {"q": "supplier", "company": "Northwind Instr"})
    assert "More than one company matches:" in response.content.decode()
    assert client.post("/search", {"q": "supplier", "company": "nwih"}).status_code == 302


def test_a_search_needs_its_token(sections: dict[str, Section]) -> None:
    assert Client(enforce_csrf_checks=True).post("/search", {"q": "supplier"}).status_code == 403


# --- following it ---


def test_an_open_search_is_polled_and_a_closed_one_is_not(as_alice: Client, alice: User) -> None:
    waiting, done = closed(alice, status="queued"), closed(alice)
    page = body(as_alice, f"/search/{waiting.pk}")
    assert f'hx-get="/search/{waiting.pk}/progress"' in page
    assert f'<a href="/search/{waiting.pk}">Check for the results</a>' in page
    assert "hx-trigger" not in body(as_alice, f"/search/{done.pk}")
    assert "hx-trigger" not in body(as_alice, f"/search/{done.pk}/progress", **HTMX)


def test_the_fragment_is_no_page_and_says_when_it_is_done(as_alice: Client, alice: User) -> None:
    waiting = closed(alice, status="running")
    fragment = body(as_alice, f"/search/{waiting.pk}/progress", **HTMX)
    assert "<html" not in fragment
    assert "hx-swap-oob" not in fragment
    assert not re.search(r"<(a|button|input|select)\b", fragment)
    waiting.status = "done"
    waiting.save()
    assert "Nothing was found." in body(as_alice, f"/search/{waiting.pk}/progress", **HTMX)


@pytest.mark.parametrize("path", ["", "/progress"])
def test_a_search_is_hidden_from_everybody_else(
    client: Client, alice: User, as_bob: Client, as_charlie: Client, path: str
) -> None:
    found = closed(alice)
    client.post("/ask", {"question": "makes a visitor"})
    for stranger in (client, Client(), as_bob, as_charlie):
        assert stranger.get(f"/search/{found.pk}{path}").status_code == 404
    assert client.get(f"/search/{uuid4()}{path}").status_code == 404


def test_a_poll_without_a_session_reloads_the_whole_page(client: Client, alice: User) -> None:
    found = closed(alice)
    response = client.get(f"/search/{found.pk}/progress", headers=HTMX)
    assert (response.status_code, response.headers["HX-Redirect"]) == (404, f"/search/{found.pk}")


# --- reading it ---


def test_a_passage_shows_where_it_stands_and_opens_marked(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    found = closed(alice, results=[result(sections["1A"], SUPPLIER)])
    page = body(as_alice, f"/search/{found.pk}")
    for words in (
        "1 passage for <q>supplier contract</q>",
        ">Northwind Instruments · FY2025 · Item 1A, Risk Factors</a>",
        '<p class="hint">Page 14',
        'We <mark class="hit">hold</mark> no <mark class="hit">contract</mark> that',
    ):
        assert words in page, words
    link = re.search(r'<h3><a href="([^"#]+)#at"', page)
    assert link
    start, end = place(sections["1A"], SUPPLIER)
    assert link[1] == f"/filings/{ACCESSION}/1A?at={start}-{end}"
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", body(as_alice, link[1])) == [SUPPLIER]


def test_a_passage_under_no_item_is_named_by_its_page(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    found = closed(alice, results=[result(sections["p"], "Notes that stand", page="F-1")])
    page = body(as_alice, f"/search/{found.pk}")
    assert (
        f'<h3><a href="/filings/{ACCESSION}/p24?at=0-16#at">Northwind Instruments · FY2025 · Page F-1</a></h3>' in page
    )


def test_of_co_registrants_the_right_one_is_opened(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    annual_report(Company.objects.create(cik=7, name="Twin Co"), 2025, accession=ACCESSION)
    found = closed(alice, results=[result(sections["1A"], SUPPLIER)])
    assert f"&amp;cik={NORTHWIND}#at" in body(as_alice, f"/search/{found.pk}")


def test_a_snippet_is_never_markup(as_alice: Client, alice: User, sections: dict[str, Section]) -> None:
    row = result(sections["1A"], HOSTILE, company=HOSTILE, headings=[HOSTILE], label=HOSTILE, page=HOSTILE)
    found = closed(alice, results=[row], text=HOSTILE, notes=[HOSTILE])
    page = body(as_alice, f"/search/{found.pk}")
    assert "<script>alert" not in page
    assert "<b onclick" not in page


def test_nothing_found_says_what_was_searched(as_alice: Client, alice: User, sections: dict[str, Section]) -> None:
    found = closed(alice, text="flying cars", cik=NORTHWIND, fiscal_year=2025, item="1A")
    page = body(as_alice, f"/search/{found.pk}")
    assert "Nothing found for <q>flying cars</q>" in page
    assert "documents of Northwind Instruments, fiscal 2025, Item 1A, Risk Factors" in page


def test_a_search_that_failed_says_why_and_keeps_the_words(as_alice: Client, alice: User) -> None:
    found = closed(alice, status="failed", problem="The search of filing text cannot be reached now.")
    page = body(as_alice, f"/search/{found.pk}")
    assert "The search of filing text cannot be reached now." in page
    assert 'value="supplier contract"' in page


def test_a_note_of_the_search_is_shown(as_alice: Client, alice: User, sections: dict[str, Section]) -> None:
    found = closed(alice, results=[result(sections["1A"], SUPPLIER)], notes=["Searched by words alone."], model="")
    page = body(as_alice, f"/search/{found.pk}")
    assert "Searched by words alone." in page


def test_results_cost_the_same_for_one_and_for_many(
    as_alice: Client, alice: User, sections: dict[str, Section], django_assert_max_num_queries: Any
) -> None:
    found = closed(alice, cik=NORTHWIND, results=[result(sections["1A"], SUPPLIER)] * 20)
    with django_assert_max_num_queries(7):
        as_alice.get(f"/search/{found.pk}")


@pytest.mark.parametrize(
    ("highlights", "cut"),
    [
        ([], (("abcdef", False),)),
        ([[0, 2], [4, 6]], (("ab", True), ("cd", False), ("ef", True))),
        ([[1, 4], [2, 5]], (("a", False), ("bcd", True), ("e", True), ("f", False))),
        ([[4, 99]], (("abcd", False), ("ef", True))),
        ([[5, 2], [9, 12]], (("abcdef", False),)),
    ],
)
def test_a_snippet_is_cut_at_its_highlights(highlights: list[list[int]], cut: tuple[tuple[str, bool], ...]) -> None:
    assert highlighted_pieces("abcdef", highlights) == cut
