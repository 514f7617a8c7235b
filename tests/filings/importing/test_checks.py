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
