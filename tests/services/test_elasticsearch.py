"""A real Elasticsearch: the same passages as the embedded index, and nothing lost when it is down, hung or full."""

import json
import random
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import Elasticsearch as Client
from pytest_django import Settings

from filings.models import Company, Filing
from filings.search import current, indexing, maintenance
from filings.search.elastic import ElasticIndex
from filings.search.elastic_calls import client
from filings.search.embedded import EmbeddedIndex
from filings.search.fusion import fuse
from filings.search.index import Entry, IndexMismatch, Lists, Query, SearchUnavailable
from filings.search.passages import Focus, find
from tests.services.servers import Elasticsearch
from tests.support import corpus
from tests.support.corpus import entries, entry, query
from tests.support.holdings import annual_report, known
from tests.support.searchable import MadeUp, made, made_up, store

FILINGS = 20
CHUNKS = 150


@pytest.fixture
def index(elastic: str, settings: Settings) -> Iterator[ElasticIndex]:
    found = ElasticIndex.of_settings(corpus.MODEL, corpus.DIMENSIONS)
    yield found
    found.elasticsearch.close()


def of(settings: Settings, model: str = corpus.MODEL, dimensions: int = corpus.DIMENSIONS) -> ElasticIndex:
    """The index as another process sees it."""
    return ElasticIndex(client(), settings.ELASTICSEARCH_INDEX, model, dimensions)


def one(index: ElasticIndex, asked: Query) -> Lists:
    return index.lists([asked])[0]


def chunks(lists: Lists, name: str = "lexical") -> list[int]:
    return [row.chunk for row in getattr(lists, name)]


def asked() -> Iterator[tuple[Query, int]]:
    """200 searches by rule: words of one chunk in another order, and meaning; the chunk that they are of.

    They are scoped to its filing, or to two, every third to its Item as well, every fourth with a variant.
    """
    source = random.Random(29)  # noqa: S311 - made up by rule
    for number in range(200):
        filing, place = source.randint(1, FILINGS), source.randrange(CHUNKS)
        words = source.sample(corpus.text(filing, place).split(), 7)
        scope = [filing] if number % 2 else [filing, filing % FILINGS + 1]
        items = (corpus.ITEMS[place % 5],) if number % 3 == 0 else ()
        variants = ("work stoppage", "litigation") if number % 4 == 0 else ()
        yield query(" ".join(words), scope, items=items, variants=variants), Chunk(filing, place)


def Chunk(filing: int, place: int) -> int:
    return filing * 100_000 + place


def test_both_indexes_find_the_same(index: ElasticIndex, tmp_path: Path) -> None:
    embedded = EmbeddedIndex(tmp_path / "search.sqlite3", corpus.MODEL, corpus.DIMENSIONS)
    for filing in range(1, FILINGS + 1):
        for each in (index, embedded):
            each.put(filing, entries(filing, CHUNKS))
    assert index.held() == embedded.held()
    overlaps, dense, found = [], [], {"elasticsearch": 0, "embedded": 0}
    for search, chunk in asked():
        lists = {each.name: each.lists([search])[0] for each in (index, embedded)}
        tops = {name: [hit.chunk for hit in fuse(each)] for name, each in lists.items()}
        overlaps.append(len(set(tops["elasticsearch"][:8]) & set(tops["embedded"][:8])) / len(tops["embedded"][:8]))
        nearest = [set(chunks(each, "dense")[:20]) for each in lists.values()]
        dense.append(len(nearest[0] & nearest[1]) / len(nearest[0]))
        for name in found:
            found[name] += chunk in tops[name][:5]
    embedded.close()
    told = f"mean overlap {sum(overlaps) / 200:.3f}, dense alone {sum(dense) / 200:.3f}, evidence among five {found}"
    assert len(overlaps) == 200
    assert sum(overlaps) / 200 >= 0.9, told
    # No worse: of 200 questions, two are chance.
    assert found["elasticsearch"] >= found["embedded"] - 2, told
    assert found["embedded"] > 50, told
    # Exact on both: what differs are vectors that float16 cannot tell apart.
    assert sum(dense) / 200 >= 0.99, told


def test_scores_speak_the_same(index: ElasticIndex, tmp_path: Path) -> None:
    embedded = EmbeddedIndex(tmp_path / "search.sqlite3", corpus.MODEL, corpus.DIMENSIONS)
    held = [entry(1, number, f"Matter {number} is told here in nine plain words altogether.") for number in range(60)]
    for each in (index, embedded):
        each.put(1, [*held, entry(1, 60, "Zeppelins are told of here in nine words altogether.")])
    scores = [each.lists([query("zeppelins", [1])])[0] for each in (index, embedded)]
    embedded.close()
    assert scores[0].lexical[0].score == pytest.approx(scores[1].lexical[0].score, rel=0.1)
    assert scores[0].dense[0].score == pytest.approx(scores[1].dense[0].score, abs=2e-3)


def test_it_keeps_to_its_scope(index: ElasticIndex) -> None:
    for filing in (3, 4, 7):
        index.put(filing, entries(filing, 40))
    for filings, items in (((4,), ()), ((3, 7), ()), ((3, 7), ("1",)), ((), ("7", "8")), ((99,), ())):
        lists = one(index, query("supplier components weather patent estate", filings, items=items))
        for name in ("lexical", "dense", "statements"):
            found = chunks(lists, name)
            assert all(not filings or chunk // 100_000 in filings for chunk in found)
            assert all(not items or corpus.ITEMS[chunk % 100_000 % 5] in items for chunk in found)
            assert bool(found) is (filings != (99,)), (name, filings, items)


@pytest.mark.parametrize(
    "words", ["", "?!", '"', "text:(a OR", "a* AND NOT b", "{}", "the of", "\\", "\u2603" * 90, "a " * 300]
)
def test_nothing_typed_is_syntax(index: ElasticIndex, words: str) -> None:
    index.put(3, entries(3, 3))
    assert isinstance(one(index, Query(words, variants=(words,), filings=(3,))), Lists)


def test_putting_twice_is_putting_once_and_putting_less_removes_the_rest(
    index: ElasticIndex, settings: Settings
) -> None:
    index.put(3, entries(3, 20))
    before = index.held()
    of(settings).put(3, entries(3, 20))
    assert index.held() == before
    index.put(3, entries(3, 4))
    assert len(one(index, query("supplier", [3])).dense) == 4
    assert index.held()[3].startswith("4:")
    index.drop(3)
    assert index.held() == {}


def test_chunks_without_vectors_are_found_by_their_words(index: ElasticIndex) -> None:
    index.put(3, [Entry(300_000, 3, 1, "1A", "", "The supplier delivers late.", None), entry(3, 1, "Weather.")])
    lists = one(index, query("supplier", [3]))
    assert (chunks(lists), chunks(lists, "dense")) == ([300_000], [300_001])


def test_more_chunks_than_a_page_of_results_are_counted_and_removed(
    index: ElasticIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filings.search.elastic.PAGE", 7)
    index.put(3, entries(3, 25))
    assert index.held()[3].startswith("25:")
    index.put(3, entries(3, 1))
    assert index.held()[3].startswith("1:")


def test_a_large_filing_goes_in_several_requests(index: ElasticIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.BULK_BYTES", 20_000)
    index.put(3, entries(3, 60))
    assert index.held()[3].startswith("60:")


def test_its_mapping_refuses_a_field_it_does_not_know(index: ElasticIndex, settings: Settings) -> None:
    index.put(3, entries(3, 1))
    found = index.elasticsearch.indices.get_mapping(index=settings.ELASTICSEARCH_INDEX).body
    mapping = next(iter(found.values()))["mappings"]
    assert mapping["dynamic"] == "strict"
    assert mapping["_meta"] == {"model": corpus.MODEL, "dimensions": corpus.DIMENSIONS, "shape": 1}
    stored = index.elasticsearch.get(index=settings.ELASTICSEARCH_INDEX, id="300000").body["_source"]
    assert {"text", "windows"}.isdisjoint(stored)


def test_another_model_is_refused_with_the_command_that_mends_it(index: ElasticIndex, settings: Settings) -> None:
    index.put(3, entries(3, 1))
    other = of(settings, "another")
    for call in (lambda: other.lists([query("x")]), lambda: other.put(3, entries(3, 1)), other.held):
        with pytest.raises(IndexMismatch, match=r"manage.py search_index rebuild"):
            call()
    building = other.build()
    building.put(3, entries(3, 1))
    building.publish()
    assert set(other.held()) == {3}


def test_without_an_index_it_says_so(index: ElasticIndex) -> None:
    with pytest.raises(SearchUnavailable, match=r"manage.py search_index rebuild"):
        one(index, query("x"))
    assert index.held() == {}
    index.drop(3)


def test_readers_keep_to_the_old_index_until_the_alias_moves(index: ElasticIndex, settings: Settings) -> None:
    index.put(3, entries(3, 5))
    reader = of(settings)
    assert len(one(reader, query("supplier", [3])).dense) == 5
    building = index.build()
    building.put(3, entries(3, 9))
    assert len(one(reader, query("supplier", [3])).dense) == 5
    building.publish()
    # It still has the old name in memory, and that index is gone.
    assert len(one(reader, query("supplier", [3])).dense) == 9
    names = list(index.elasticsearch.indices.get(index=f"{settings.ELASTICSEARCH_INDEX}*").body)
    assert names == [building.name]


def test_what_is_put_while_the_alias_moves_is_in_the_new_index(
    index: ElasticIndex, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.put(3, entries(3, 5))
    building = of(settings).build()
    building.put(3, entries(3, 5))
    write = index.write

    def meanwhile(name: str, filing: int, found: list[Entry]) -> None:
        write(name, filing, found)
        monkeypatch.setattr(index, "write", write)
        building.publish()

    monkeypatch.setattr(index, "write", meanwhile)
    index.put(4, entries(4, 5))
    assert set(index.held()) == {3, 4}


def test_a_rebuild_removes_no_index_of_another(index: ElasticIndex, settings: Settings) -> None:
    alias = settings.ELASTICSEARCH_INDEX
    others = [f"{alias}-notes", f"{alias}-staging-0123abcd-first", f"{alias}-0123abcd-first"]
    for name in others:
        index.elasticsearch.indices.create(index=name)
    index.elasticsearch.indices.put_alias(index=others[2], name="elsewhere")
    index.put(3, entries(3, 1))
    index.build().publish()
    assert set(others) <= set(index.elasticsearch.indices.get(index=f"{alias}*").body)


def test_a_deleted_index_is_not_made_up_again_by_a_write(index: ElasticIndex, settings: Settings) -> None:
    index.put(3, entries(3, 1))
    (name,) = index.elasticsearch.indices.get(index=f"{settings.ELASTICSEARCH_INDEX}*").body
    writable = index.writable
    index.writable = lambda: (writable(), index.elasticsearch.indices.delete(index=name))[0]  # type: ignore[method-assign]
    with pytest.raises(SearchUnavailable):
        index.put(4, entries(4, 1))
    assert not index.elasticsearch.indices.get(index=f"{settings.ELASTICSEARCH_INDEX}*").body


# --- when it is down, hung, full or not Elasticsearch ---


@pytest.fixture
def model(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MadeUp]:
    settings.DATA_DIR = settings.VECTORS_DIR = tmp_path
    with made_up(monkeypatch) as found:
        yield found
    for each in (index for both in current._made.values() for index in both):
        if isinstance(each, EmbeddedIndex):
            each.close()
        else:
            each.elasticsearch.close()  # type: ignore[attr-defined]
    current._made.clear()


@pytest.fixture
def company(db: None) -> Company:
    Filing.objects.update(chunks_stored=0, indexed="")
    return known("Halden Optics, Inc.", "ZZHLD", 9_999_999_911)


def filings(company: Company, count: int, length: int = 12) -> list[Filing]:
    """Filings with text that wait to be indexed."""
    found = []
    for year in range(2025 - count, 2025):
        filing = annual_report(company, year)
        store(filing, made(year, length))
        found.append(filing)
    return found


def waiting() -> set[int]:
    return set(indexing.waiting().values_list("pk", flat=True))


def nothing_lost_nothing_doubled() -> None:
    """The index has what the database has, each chunk once."""
    while indexing.index_waiting():
        pass
    assert not waiting()
    for index in current.indexes():
        index.rests_until = 0.0  # type: ignore[attr-defined]
        assert not maintenance.compare(index)


def focus(text: str) -> list[Focus]:
    return [Focus(text, tuple(text.split()))]


def again_and_again(pk: int) -> None:
    """Index a filing until the server is gone."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        indexing.index_filing(pk)


def test_killed_in_the_midst_of_a_bulk_nothing_is_lost(
    node: Elasticsearch, model: MadeUp, company: Company, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.BULK_BYTES", 20_000)
    monkeypatch.setattr("filings.search.elastic_calls.PAUSES", (0.1,))
    held = filings(company, 3, 40)
    indexing.index_filing(held[0].pk)
    from filings.search import elastic_calls

    sent, real = [], elastic_calls.send

    def send(*arguments: Any) -> None:
        sent.append(1)
        if len(sent) == 3:
            threading.Thread(target=node.run, args=("kill",)).start()
        real(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(elastic_calls, "send", send)
        with pytest.raises(SearchUnavailable):
            again_and_again(held[1].pk)
    assert {held[2].pk} <= waiting()
    with pytest.raises(SearchUnavailable):
        find(focus("supplier"), [held[0].pk])
    node.run("start")
    nothing_lost_nothing_doubled()
    assert find(focus("supplier licence"), [held[1].pk]).index == "elasticsearch"


def test_down_at_ingestion_chunks_wait_and_are_indexed_when_it_is_back(
    node: Elasticsearch,
    model: MadeUp,
    company: Company,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.PAUSES", (0.1,))
    node.run("kill")
    held = filings(company, 2)
    with pytest.raises(SearchUnavailable, match="cannot be reached"):
        indexing.index_filing(held[0].pk)
    assert indexing.index_waiting() == 0
    assert "wait for the search index" in caplog.text
    assert waiting() == {filing.pk for filing in held}
    node.run("start")
    nothing_lost_nothing_doubled()


def test_hung_it_is_given_up_in_time_and_nothing_is_lost(
    node: Elasticsearch, model: MadeUp, company: Company, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.BULK_PATIENCE", 1.0)
    settings.ELASTICSEARCH_TIMEOUT = 1.0
    held = filings(company, 2)
    indexing.index_filing(held[0].pk)
    node.run("pause")
    started = time.monotonic()
    with pytest.raises(SearchUnavailable, match="in time"):
        indexing.index_filing(held[1].pk)
    with pytest.raises(SearchUnavailable, match="in time"):
        find(focus("supplier"), [held[0].pk])
    # A timeout is not tried again.
    assert time.monotonic() - started < 10
    once = time.monotonic()
    with pytest.raises(SearchUnavailable, match="a moment ago"):
        find(focus("supplier"), [held[0].pk])
    assert time.monotonic() - once < 1
    assert waiting() == {held[1].pk}
    node.run("resume")
    current._made.clear()
    settings.ELASTICSEARCH_TIMEOUT = 10.0
    nothing_lost_nothing_doubled()


def test_with_a_fallback_the_embedded_index_answers_while_it_is_down(
    node: Elasticsearch, model: MadeUp, company: Company, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.PAUSES", (0.1,))
    settings.SEARCH_FALLBACK = "embedded"
    before, after = filings(company, 2)
    indexing.index_filing(before.pk)
    assert find(focus("supplier"), [before.pk]).index == "elasticsearch"
    node.run("kill")
    found = find(focus("supplier"), [before.pk])
    assert found.index == "embedded"
    assert found.passages
    # Ingested while it is down: the embedded index has it at once, and Elasticsearch when it is back.
    with pytest.raises(SearchUnavailable):
        indexing.index_filing(after.pk)
    assert find(focus("supplier"), [after.pk]).index == "embedded"
    assert waiting() == {after.pk}
    node.run("start")
    assert find(focus("supplier"), [after.pk]).index == "embedded"
    nothing_lost_nothing_doubled()
    assert find(focus("supplier"), [after.pk]).index == "elasticsearch"


def test_full_it_refuses_writes_answers_searches_and_loses_nothing(
    elastic: str, model: MadeUp, company: Company, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.PAUSES", (0.1,))
    before, after = filings(company, 2)
    indexing.index_filing(before.pk)
    with client() as found:
        block = "index.blocks.read_only_allow_delete"
        found.indices.put_settings(index=settings.ELASTICSEARCH_INDEX, settings={block: True})
        with pytest.raises(SearchUnavailable, match="429"):
            indexing.index_filing(after.pk)
        assert find(focus("supplier"), [before.pk]).passages
        assert waiting() == {after.pk}
        found.indices.put_settings(index=settings.ELASTICSEARCH_INDEX, settings={block: None})
    nothing_lost_nothing_doubled()


def test_short_of_memory_it_is_unavailable_and_not_empty(
    elastic: str, model: MadeUp, company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.PAUSES", (0.1,))
    (filing,) = filings(company, 1)
    indexing.index_filing(filing.pk)
    with client() as found:
        found.cluster.put_settings(transient={"indices.breaker.total.limit": "1%"})
        try:
            with pytest.raises(SearchUnavailable):
                find(focus("supplier"), [filing.pk])
        finally:
            found.cluster.put_settings(transient={"indices.breaker.total.limit": None})
    assert find(focus("supplier"), [filing.pk]).passages


def test_a_closed_index_is_unavailable_and_not_empty(index: ElasticIndex, settings: Settings) -> None:
    index.put(3, entries(3, 2))
    index.elasticsearch.indices.close(index=settings.ELASTICSEARCH_INDEX)
    with pytest.raises(SearchUnavailable):
        one(index, query("supplier", [3]))


def test_verify_mends_what_was_changed_behind_its_back(
    elastic: str, model: MadeUp, company: Company, settings: Settings
) -> None:
    first, second = filings(company, 2)
    for filing in (first, second):
        indexing.index_filing(filing.pk)
    index = current.indexes()[0]
    with client() as found:
        found.delete(index=settings.ELASTICSEARCH_INDEX, id=str(first.pk * 100_000 + 3), refresh=True)
    index.put(77, [Entry(7_700_001, 77, 1, "1A", "", "Of a company that is gone.", None)])
    differences = maintenance.compare(index)
    assert (differences.differ, differences.unknown) == ((first.pk,), (77,))
    maintenance.mend(differences)
    assert not maintenance.compare(index)


def test_a_rebuild_changes_the_model_and_readers_are_answered_all_the_time(
    elastic: str, model: MadeUp, company: Company, settings: Settings
) -> None:
    held = filings(company, 3)
    assert maintenance.rebuild() == 3
    asked: list[int] = []
    stop = threading.Event()
    reader = of(settings)

    def read() -> None:
        while not stop.is_set():
            asked.append(len(one(reader, query("supplier", [held[0].pk])).dense))

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for _ in range(3):
            maintenance.rebuild()
    finally:
        stop.set()
        thread.join()
        reader.elasticsearch.close()
    assert asked
    assert set(asked) == {12}
    nothing_lost_nothing_doubled()


class Stranger:
    """A server at the address of Elasticsearch that answers as the test says."""

    def __init__(self, answers: dict[str, tuple[int, object]], headers: dict[str, str]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                path = self.path.partition("?")[0].rpartition("/")[2]
                status, body = answers.get(path, answers[""])
                content = json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"content-type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = answer

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def index(self) -> ElasticIndex:
        url = f"http://127.0.0.1:{self.server.server_port}"
        return ElasticIndex(Client(url, max_retries=0, request_timeout=5), "t", corpus.MODEL, corpus.DIMENSIONS)


GENUINE = {"x-elastic-product": "Elasticsearch"}
MAPPING = {"t-1": {"mappings": {"_meta": {"model": corpus.MODEL, "dimensions": corpus.DIMENSIONS, "shape": 1}}}}


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
    stranger = Stranger(answers, headers)
    index = stranger.index()
    with pytest.raises(SearchUnavailable, match=said):
        index.put(3, entries(3, 2))
    index.elasticsearch.close()
    stranger.server.shutdown()
    stranger.server.server_close()


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
    stranger = Stranger(answers, GENUINE)
    index = stranger.index()
    with pytest.raises(SearchUnavailable, match=r"acknowledged|refuses"):
        index.put(3, entries(3, 2))
    index.elasticsearch.close()
    stranger.server.shutdown()
    stranger.server.server_close()
