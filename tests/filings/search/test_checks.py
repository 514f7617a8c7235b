"""Every wrong search setting is a message with an id and a hint."""

from pathlib import Path
from typing import Any

import pytest
from django.core.checks import CheckMessage

from filings.search import checks


def ids(messages: list[CheckMessage]) -> list[str]:
    assert all(message.hint for message in messages)
    return [str(message.id) for message in messages]


@pytest.mark.parametrize(
    ("url", "key", "found"),
    [
        ("", "", []),
        ("", "key", []),
        ("http://127.0.0.1:9200", "key", []),
        ("https://search.example.com:9200", "key", []),
        ("http://search:9200", "", []),
        ("http://search:9200", "key", ["filings.W001"]),
        ("search:9200", "", ["filings.E001"]),
        ("ftp://search", "", ["filings.E001"]),
        ("http://search:port", "", ["filings.E001"]),
        ("http://[", "", ["filings.E001"]),
    ],
)
def test_it_looks_at_the_address_of_elasticsearch(settings: Any, url: str, key: str, found: list[str]) -> None:
    settings.ELASTICSEARCH_URL, settings.ELASTICSEARCH_API_KEY = url, key
    assert ids(checks.elasticsearch_url()) == found


def test_it_refuses_a_certificate_that_is_not_there(settings: Any, tmp_path: Path) -> None:
    settings.ELASTICSEARCH_CA = str(tmp_path / "ca.pem")
    assert ids(checks.elasticsearch_ca()) == ["filings.E002"]
    (tmp_path / "ca.pem").write_text("")
    assert checks.elasticsearch_ca() == []


@pytest.mark.parametrize("name", ["Diligence", "_all", "-x", "a*", "a,b", "", "a b", "x" * 101])
def test_it_refuses_what_is_no_name_of_an_index(settings: Any, name: str) -> None:
    settings.ELASTICSEARCH_INDEX = name
    assert ids(checks.elasticsearch_index()) == ["filings.E003"]


def test_a_fallback_without_elasticsearch_is_a_warning(settings: Any) -> None:
    settings.SEARCH_FALLBACK, settings.ELASTICSEARCH_URL = True, ""
    assert ids(checks.search_fallback()) == ["filings.W005"]
    settings.ELASTICSEARCH_URL = "http://127.0.0.1:9200"
    assert checks.search_fallback() == []


@pytest.mark.parametrize(
    ("url", "key", "found"),
    [
        ("", "", []),
        ("https://api.example.com/v1/rerank", "key", []),
        ("http://localhost:8080/rerank", "key", []),
        ("http://rerank/rerank", "key", ["filings.W006"]),
        ("rerank", "", ["filings.E006"]),
    ],
)
def test_it_looks_at_the_address_of_the_reranker(settings: Any, url: str, key: str, found: list[str]) -> None:
    settings.RERANK_URL, settings.RERANK_API_KEY = url, key
    assert ids(checks.rerank_url()) == found
