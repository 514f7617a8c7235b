"""What is said where the server at the address of Elasticsearch is another, refuses, or answers in part."""

import json
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from elasticsearch import Elasticsearch as Client

from filings.search.elastic import ElasticIndex
from filings.search.index import SearchUnavailable
from filings.search.indexed_markers import SHAPE
from tests.support import corpus
from tests.support.corpus import entries
from tests.support.local_server import LocalServer, asked, send


class Stranger(LocalServer):
    """A server at the address of Elasticsearch that answers as the test says: by the last part of the path."""

    def __init__(self, answers: Mapping[str, tuple[int, object]], headers: Mapping[str, str]) -> None:
        super().__init__()
        self.answers, self.headers = answers, {"Content-Type": "application/json", **headers}

    def reply(self, handler: BaseHTTPRequestHandler) -> None:
        asked(handler)
        path = handler.path.partition("?")[0].rpartition("/")[2]
        status, body = self.answers.get(path, self.answers[""])
        send(handler, status, self.headers, json.dumps(body() if callable(body) else body).encode())


def put(answers: Mapping[str, tuple[int, object]], headers: Mapping[str, str]) -> None:
    """Index two chunks at a stranger."""
    with Stranger(answers, headers) as stranger, Client(stranger.url, max_retries=0, request_timeout=5) as client:
        ElasticIndex(client, "t", corpus.MODEL, corpus.DIMENSIONS).put(3, entries(3, 2))


GENUINE = {"x-elastic-product": "Elasticsearch"}


MAPPING = {"t-1": {"mappings": {"_meta": {"model": corpus.MODEL, "dimensions": corpus.DIMENSIONS, "shape": SHAPE}}}}


@pytest.mark.parametrize(
    ("answers", "headers", "said"),
    [
        ({"": (200, {})}, {}, "not Elasticsearch"),
        ({"": (401, {"error": "who"})}, GENUINE, "ELASTICSEARCH_API_KEY"),
        ({"": (403, {"error": {"type": "security_exception"}})}, GENUINE, "ELASTICSEARCH_API_KEY"),
        ({"": (400, {"error": {"type": "odd_exception"}})}, GENUINE, "400 odd_exception"),
    ],
)
def test_what_is_wrong_is_said_in_words(answers: Any, headers: dict[str, str], said: str) -> None:
    with pytest.raises(SearchUnavailable, match=said):
        put(answers, headers)


@pytest.mark.parametrize(
    "answer",
    [
        {"errors": False, "items": [{"index": {"_id": "300000", "status": 201}}]},
        {"errors": False, "items": []},
        {"errors": False},
        {"errors": True, "items": [{"index": {"status": 201}}, {"index": {"status": 400, "error": {"type": "odd"}}}]},
    ],
)
def test_a_bulk_that_acknowledges_a_part_is_not_taken_for_all(answer: object) -> None:
    answers = {
        "": (200, {"_shards": {}}),
        "_mapping": (200, MAPPING),
        "_search": (200, {"hits": {"hits": []}}),
        "_bulk": (200, answer),
    }
    with pytest.raises(SearchUnavailable, match=r"acknowledged|refuses"):
        put(answers, GENUINE)


def test_a_search_that_fails_while_its_index_is_replaced_is_asked_again() -> None:
    failed = {"status": 500, "error": {"type": "search_phase_execution_exception"}}
    hit = {"_id": "300001", "_score": 1.0}
    answered = {"status": 200, "hits": {"hits": [hit]}}
    tries = iter([{"responses": [failed] * 3}, {"responses": [answered] * 3}])
    answers = {"": (200, {}), "_mapping": (200, MAPPING), "_msearch": (200, lambda: next(tries))}
    with Stranger(answers, GENUINE) as stranger, Client(stranger.url, max_retries=0, request_timeout=5) as client:
        index = ElasticIndex(client, "t", corpus.MODEL, corpus.DIMENSIONS)
        found = corpus.one(index, corpus.query("supplier", [3]))
    assert found.lexical
    assert next(tries, None) is None
