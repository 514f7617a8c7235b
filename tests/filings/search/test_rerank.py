"""A reranker, its answers and its failures, against a server on this machine."""

import json
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from pytest_django import Settings

from filings.models import Filing
from filings.search.indexing import index_filing
from filings.search.passages import Focus, FoundPassages, find
from filings.search.rerank import FAILED
from tests.support.local_server import LocalServer, asked, send
from tests.support.searchable import MadeUp, store

PARAGRAPHS = [f"Steel {word} steel." for word in ["plates", "coils", "bars", "tubes", "wires"]]


class Reranker(LocalServer):
    """Answers /rerank as `answer` says, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answer: Callable[[list[str]], tuple[int, object]] = lambda documents: (200, {"results": []})

    def ranks(self, word: str, key: str = "results", score: str = "relevance_score") -> None:
        """The document with this word first, the others not at all."""

        def answer(documents: list[str]) -> tuple[int, object]:
            rows = [{"index": place, score: 0.9} for place, text in enumerate(documents) if word in text]
            return 200, {key: rows} if key else rows

        self.answer = answer

    def reply(self, handler: BaseHTTPRequestHandler) -> None:
        told = json.loads(asked(handler))
        self.asked.append(told)
        self.headers.append({name.lower(): value for name, value in handler.headers.items()})
        status, body = self.answer(told["documents"])
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        send(handler, status, {"Location": "http://127.0.0.1:9/elsewhere"} if status == 302 else {}, content)


@pytest.fixture
def reranker(settings: Settings) -> Iterator[Reranker]:
    with Reranker() as found:
        settings.RERANK_URL = f"{found.url}/v1/rerank"
        yield found


@pytest.fixture
def steel(model: MadeUp, filing: Filing) -> Filing:
    store(filing, PARAGRAPHS)
    index_filing(filing.pk)
    return filing


def search(filing: Filing) -> FoundPassages:
    return find([Focus("steel bars", ("steel", "bars"))], [filing.pk])


@pytest.mark.parametrize(
    ("key", "score"),
    [("results", "relevance_score"), ("data", "relevance_score"), ("", "score"), ("results", "score")],
)
def test_it_reorders_by_any_of_the_common_shapes(steel: Filing, reranker: Reranker, key: str, score: str) -> None:
    reranker.ranks("tubes", key, score)
    found = search(steel)
    assert found.passages[0].chunk % 100_000 == 3
    assert len(found.passages) == len(PARAGRAPHS)
    assert found.notes == ()


def test_it_is_asked_the_question_and_the_texts(steel: Filing, reranker: Reranker, settings: Settings) -> None:
    settings.RERANK_MODEL, settings.RERANK_API_KEY = "judge-1", "secret"
    reranker.ranks("tubes")
    search(steel)
    assert reranker.asked[0]["query"] == "steel bars"
    assert reranker.asked[0]["model"] == "judge-1"
    assert sorted(reranker.asked[0]["documents"]) == sorted(PARAGRAPHS)
    assert reranker.headers[0]["authorization"] == "Bearer secret"


def test_without_one_nothing_is_asked(steel: Filing, reranker: Reranker, settings: Settings) -> None:
    settings.RERANK_URL = ""
    assert search(steel).passages[0].chunk % 100_000 == 2
    assert reranker.asked == []


BAD: dict[str, tuple[int, object]] = {
    "an error": (500, {}),
    "a refusal": (401, {"detail": "no"}),
    "a redirect": (302, b""),
    "no JSON": (200, b"<html>"),
    "another shape": (200, {"ranking": [1, 2]}),
    "nothing": (200, {"results": []}),
    "a place that is not there": (200, {"results": [{"index": 99, "relevance_score": 1.0}]}),
    "a negative place": (200, {"results": [{"index": -1, "relevance_score": 1.0}]}),
    "no number": (200, {"results": [{"index": 0, "relevance_score": "high"}]}),
    "no score": (200, {"results": [{"index": 0}]}),
    "not a number": (200, b'{"results": [{"index": 0, "relevance_score": NaN}]}'),
    "a list of words": (200, ["steel"]),
    "null": (200, None),
}


@pytest.mark.parametrize("what", BAD)
def test_its_failure_costs_the_reordering_and_nothing_else(steel: Filing, reranker: Reranker, what: str) -> None:
    reranker.answer = lambda documents: BAD[what]
    found = search(steel)
    assert found.passages[0].chunk % 100_000 == 2
    assert len(found.passages) == len(PARAGRAPHS)
    assert found.notes == (FAILED,)


def test_it_is_not_waited_for(steel: Filing, reranker: Reranker, settings: Settings) -> None:
    settings.RERANK_TIMEOUT = 0.2

    def slow(documents: list[str]) -> tuple[int, object]:
        time.sleep(1.0)
        return 200, {"results": []}

    reranker.answer = slow
    assert search(steel).notes == (FAILED,)


def test_one_that_is_not_there_is_a_note(steel: Filing, settings: Settings) -> None:
    settings.RERANK_URL = "http://127.0.0.1:9/rerank"
    assert search(steel).notes == (FAILED,)
