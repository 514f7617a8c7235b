"""A search for news: what is asked of the service, and what is said when it fails."""

import gzip
import time
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from pytest_django import Settings

from filings.importing import tavily
from filings.importing.news import (
    NewsError,
    NewsItem,
    NewsMisconfigured,
    NewsProvider,
    NewsUnavailable,
    news_provider,
)
from filings.importing.tavily import Tavily
from tests.support.news import KEY, Fault, LocalNews, result


class QuickTavily(Tavily):
    """Retries without waiting for long."""

    first_wait = 0.01


def searched(query: str = "Lantern Paper mills", since: date | None = None, most: int = 20) -> tuple[NewsItem, ...]:
    provider: NewsProvider = QuickTavily()
    return provider.search(query, since, most)


def test_no_service_is_asked_unless_the_settings_name_one(settings: Settings) -> None:
    settings.NEWS_BASE_URL = ""
    assert news_provider() is None


def test_it_finds_articles_with_title_address_date_and_text(service: LocalNews) -> None:
    service.results = [result(7)]
    provider = news_provider()
    assert provider is not None
    (found,) = provider.search("Lantern Paper mills", None, 5)
    assert (found.title, found.address) == ("Lantern opens mill 7", "https://news.example.com/lantern/7")
    assert (found.date, found.extent) == (date(2025, 3, 4), "whole")
    assert found.text == "Lantern Paper opened mill 7 on Tuesday.\n\nIt employs 700 people."


def test_it_asks_in_the_words_of_the_interface(service: LocalNews, settings: Settings) -> None:
    settings.NEWS_DOMAINS = [" Example.com", "news.example.org "]
    searched("  Lantern\n Paper ", date(2025, 3, 1), 4)
    ((headers, body),) = service.requests
    assert headers["authorization"] == f"Bearer {KEY}"
    assert body == {
        "query": "Lantern Paper",
        "topic": "news",
        "max_results": 4,
        "include_raw_content": "text",
        "include_domains": ["example.com", "news.example.org"],
        "start_date": "2025-02-28",
    }


def test_nothing_but_the_query_is_asked_where_nothing_is_limited(service: LocalNews) -> None:
    searched()
    assert service.requests[0][1].keys() == {"query", "topic", "max_results", "include_raw_content"}


@pytest.mark.parametrize("since", [date.min, date.max])
def test_any_day_may_be_asked_for(service: LocalNews, since: date) -> None:
    service.results = [result()]
    assert len(searched(since=since)) == (since == date.min)


def test_no_search_finds_more_than_the_setting_allows(service: LocalNews, settings: Settings) -> None:
    settings.NEWS_RESULTS = 2
    service.results = [result(number) for number in range(5)]
    assert len(searched(most=9)) == 2
    assert service.requests[0][1]["max_results"] == 2
    assert len(searched(most=1)) == 1


@pytest.mark.parametrize(("query", "most"), [("", 5), ("  ", 5), ("x" * 401, 5), ("Lantern", 0)])
def test_a_search_that_the_service_cannot_take_is_refused_before_it_is_asked(
    service: LocalNews, query: str, most: int
) -> None:
    with pytest.raises(NewsError, match="A search for news") as caught:
        searched(query, most=most)
    assert not caught.value.retryable
    assert service.requests == []


@pytest.mark.parametrize("status", [429, 500, 503])
def test_it_asks_again_while_the_service_is_busy(service: LocalNews, status: int) -> None:
    service.results, service.faults = [result()], [Fault(times=2, status=status)]
    assert len(searched()) == 1
    assert len(service.requests) == 3


def test_it_gives_up_in_words_on_a_service_that_stays_busy(service: LocalNews) -> None:
    service.faults = [Fault(times=99, status=500)]
    with pytest.raises(NewsUnavailable, match="answers 500") as caught:
        searched()
    assert caught.value.retryable
    assert len(service.requests) == QuickTavily.attempts


def test_it_waits_as_long_as_the_service_asks(service: LocalNews) -> None:
    service.results, service.faults = [result()], [Fault(status=429, headers={"Retry-After": "1"})]
    begun = time.monotonic()
    assert len(searched()) == 1
    assert time.monotonic() - begun >= 1.0


@pytest.mark.parametrize("written", ["in seconds", "as a date"])
def test_a_longer_wait_is_told_and_not_waited_for(service: LocalNews, written: str) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=120), usegmt=True)
    asked = "120" if written == "in seconds" else later
    service.faults = [Fault(times=99, status=429, headers={"Retry-After": asked})]
    with pytest.raises(NewsUnavailable, match="answers 429") as caught:
        searched()
    assert caught.value.retryable
    assert 100 < (caught.value.retry_after or 0) <= 120
    assert len(service.requests) == 1


def test_a_wrong_key_names_the_setting_and_is_not_tried_again(service: LocalNews, settings: Settings) -> None:
    settings.NEWS_API_KEY = "tvly-other"
    with pytest.raises(NewsMisconfigured, match=r"refuses the key \(401\): check NEWS_API_KEY") as caught:
        searched()
    assert not caught.value.retryable
    assert "tvly-other" not in str(caught.value)
    assert len(service.requests) == 1


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (403, NewsMisconfigured, "NEWS_API_KEY"),
        (404, NewsMisconfigured, "NEWS_BASE_URL"),
        (307, NewsMisconfigured, "NEWS_BASE_URL"),
        (400, NewsError, "refuses the request"),
        (432, NewsError, "limit of the account is used up"),
        (433, NewsError, "limit of the account is used up"),
    ],
)
def test_what_a_later_try_cannot_help_is_said_once(
    service: LocalNews, status: int, kind: type[NewsError], words: str
) -> None:
    with LocalNews(result()) as other:
        service.faults = [Fault(times=99, status=status, headers={"Location": f"{other.url}/search"})]
        with pytest.raises(kind, match=words) as caught:
            searched()
        assert other.requests == []
    assert not caught.value.retryable
    assert len(service.requests) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"<html>Too many visitors</html>",
        b'{"results": [',
        b"[" * 100_000,
        b"\xff\xfe",
        b'["results"]',
        b'{"results": "none"}',
        b'{"answer": "Nothing was found."}',
    ],
)
def test_a_reply_that_cannot_be_read_is_tried_again_and_then_said(service: LocalNews, body: bytes) -> None:
    service.faults = [Fault(times=99, status=200, body=body)]
    with pytest.raises(NewsUnavailable, match="cannot be read"):
        searched()
    assert len(service.requests) == QuickTavily.attempts


def test_a_reply_that_breaks_off_is_tried_again(service: LocalNews) -> None:
    service.results, service.faults = [result()], [Fault(truncate=40)]
    assert len(searched()) == 1
    assert len(service.requests) == 2


def test_a_reply_with_too_many_bytes_is_refused(service: LocalNews, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tavily, "MOST_BYTES", 10_000)
    service.results = [result(raw_content="Lantern. " * 2_000)]
    with pytest.raises(NewsError, match=r"more than 10,000 bytes: ask for fewer articles") as caught:
        searched()
    assert not caught.value.retryable
    assert len(service.requests) == 1


def test_a_reply_counts_as_it_is_unpacked(service: LocalNews, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tavily, "MOST_BYTES", 10_000)
    packed = gzip.compress(b" " * 1_000_000)
    assert len(packed) < 10_000
    service.faults = [Fault(status=200, body=packed, headers={"Content-Encoding": "gzip"})]
    with pytest.raises(NewsError, match="bytes"):
        searched()


def test_a_reply_that_says_it_is_packed_and_is_not_cannot_be_read(service: LocalNews) -> None:
    service.faults = [Fault(times=99, status=200, body=b"{}", headers={"Content-Encoding": "gzip"})]
    with pytest.raises(NewsUnavailable, match="cannot be read"):
        searched()


def test_a_service_that_hangs_and_one_that_is_not_there_are_given_up(service: LocalNews, settings: Settings) -> None:
    settings.NEWS_TIMEOUT = 0.1
    service.faults = [Fault(times=99, delay=1.0)]
    with pytest.raises(NewsUnavailable, match=r"did not answer within 0\.1 s"):
        searched()
    assert len(service.requests) == 1, "whoever waits has waited as long as was said"
    settings.NEWS_BASE_URL = "http://127.0.0.1:9"
    with pytest.raises(NewsUnavailable, match="cannot be reached"):
        searched()


def test_a_reply_that_trickles_in_is_given_up(service: LocalNews, settings: Settings) -> None:
    settings.NEWS_TIMEOUT = 0.3
    service.results, service.faults = [result()], [Fault(times=99, trickle="body")]
    with pytest.raises(NewsUnavailable, match=r"did not answer within 0\.3 s"):
        searched()


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"NEWS_BASE_URL": "ftp://news.example.com"}, "NEWS_BASE_URL"),
        ({"NEWS_BASE_URL": "http://["}, "NEWS_BASE_URL"),
        ({"NEWS_API_KEY": ""}, "NEWS_API_KEY"),
    ],
)
def test_wrong_settings_are_named(service: LocalNews, settings: Settings, changes: dict[str, Any], named: str) -> None:
    for name, value in changes.items():
        setattr(settings, name, value)
    with pytest.raises(NewsMisconfigured, match=named):
        news_provider()


def test_a_key_that_cannot_be_sent_is_an_error_in_words(service: LocalNews, settings: Settings) -> None:
    settings.NEWS_API_KEY = "schlüssel-😀"
    with pytest.raises(NewsMisconfigured, match="NEWS_API_KEY") as caught:
        searched()
    assert "schlüssel" not in str(caught.value)


def test_logs_and_errors_tell_neither_key_nor_query(service: LocalNews, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    service.results = [result(), result(url="nowhere")]
    searched("Lantern whispers")
    assert "1 of 2 results are kept" in caplog.text
    assert KEY not in caplog.text
    assert "whispers" not in caplog.text
