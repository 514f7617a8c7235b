"""Pages of the whole site that no app owns: errors."""

from datetime import UTC, date, datetime

from django.test import Client, RequestFactory
from django.utils.formats import localize
from django.views.defaults import server_error


def test_the_page_of_a_failure_needs_neither_database_nor_session(rf: RequestFactory) -> None:
    response = server_error(rf.get("/"))
    assert response.status_code == 500
    assert b"Something failed on our side" in response.content
    assert b"csrfmiddlewaretoken" not in response.content


def test_a_forbidden_page_says_for_whom_it_is(as_alice: Client) -> None:
    response = as_alice.post("/companies/add", {"ticker": "AAPL"})
    assert response.status_code == 403
    assert b"This page is not open to this account" in response.content


def test_dates_without_a_format_are_written_as_on_our_pages() -> None:
    assert localize(datetime(2026, 11, 2, 17, 5, tzinfo=UTC)) == "2 Nov 2026, 17:05 UTC"
    assert localize(date(2026, 11, 2)) == "2 Nov 2026"
