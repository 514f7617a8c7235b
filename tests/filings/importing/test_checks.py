"""Every wrong news setting is a message with an id and a hint."""

from typing import Any

import pytest
from django.core.checks import CheckMessage
from pytest_django import Settings

from filings.importing import checks


def ids(messages: list[CheckMessage]) -> list[str]:
    assert all(message.hint for message in messages)
    return [str(message.id) for message in messages]


@pytest.mark.parametrize(
    ("url", "key", "found"),
    [
        ("", "", []),
        ("https://api.example.com", "key", []),
        ("http://localhost:8080", "key", []),
        ("http://[::1]:8080/v1", "key", []),
        ("http://news:8080", "key", ["filings.W007"]),
        ("api.example.com", "key", ["filings.E007"]),
        ("ftp://api.example.com", "key", ["filings.E007"]),
        ("http://api.example.com:port", "key", ["filings.E007"]),
        ("https://api.example.com", "", ["filings.E008"]),
        ("http://localhost:8080", "", ["filings.E008"]),
        ("", "key", ["filings.E008"]),
    ],
)
def test_it_wants_the_address_and_the_key_together(settings: Settings, url: str, key: str, found: list[str]) -> None:
    settings.NEWS_BASE_URL, settings.NEWS_API_KEY = url, key
    assert ids(checks.news_service()) == found


@pytest.mark.parametrize(("most", "found"), [(0, 1), (1, 0), (5, 0), (20, 0), (21, 1), (-3, 1)])
def test_it_bounds_the_articles_of_one_search(settings: Settings, most: int, found: int) -> None:
    settings.NEWS_RESULTS = most
    assert ids(checks.news_results()) == ["filings.E009"] * found


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
def test_it_refuses_a_time_limit_of_nothing_or_of_no_end(settings: Settings, seconds: float) -> None:
    settings.NEWS_TIMEOUT = seconds
    assert ids(checks.news_timeout()) == ["filings.E010"]
    settings.NEWS_TIMEOUT = 20.0
    assert checks.news_timeout() == []


@pytest.mark.parametrize(
    ("entries", "named"),
    [
        ([], ""),
        (["example.com", " News.Example.ORG. ", "xn--bcher-kva.example"], ""),
        (["https://example.com"], "https://example.com"),
        (["example.com/markets"], "example.com/markets"),
        (["example.com", "com"], "com"),
        (["*.example.com"], "*.example.com"),
        (["10.0.0.1", "localhost"], "10.0.0.1, localhost"),
        (["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
    ],
)
def test_it_names_entries_that_are_no_domain(settings: Settings, entries: list[Any], named: str) -> None:
    settings.NEWS_DOMAINS = entries
    found = checks.news_domains()
    assert ids(found) == ["filings.E011"] * bool(named)
    assert not named or found[0].msg.endswith(f"no domain: {named}.")
