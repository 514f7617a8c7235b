"""A real Elasticsearch and the database: nothing lost and nothing doubled when it is down, hung, full or rebuilt."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from accounts.identity import Identity
from accounts.models import Meter, Reservation
from agent import tasks
from agent.runs import create_run
from filings.models import Company, Filing, Health
from filings.search import active_indexes, health, indexing, maintenance
from filings.search.elastic import ElasticIndex
from filings.search.elastic_calls import client
from filings.search.embedded import EmbeddedIndex
from filings.search.index import Entry, SearchUnavailable
from filings.search.passages import find
from tests.services.conftest import holds_the_node
from tests.services.door import Door, door
from tests.services.indexed_filings import again_and_again, filings, focus, nothing_lost_nothing_doubled, waiting
from tests.services.search_node import Elasticsearch
from tests.support import corpus
from tests.support.corpus import one, query
from tests.support.holdings import known
from tests.support.killed_run import VISITOR, shown
from tests.support.searchable import MadeUp, made_up


@pytest.fixture
def model(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MadeUp]:
    settings.DATA_DIR = settings.VECTORS_DIR = tmp_path
    with made_up(monkeypatch) as found:
        yield found
    for each in (index for both in active_indexes._made.values() for index in both):
        if isinstance(each, EmbeddedIndex):
            each.close()
        else:
            each.elasticsearch.close()  # type: ignore[attr-defined]
    active_indexes._made.clear()


@pytest.fixture
def way(elastic: str, settings: Settings) -> Iterator[Door]:
    """The way to Elasticsearch, for tests to which it is down: a start of the node takes twenty seconds."""
    with door(int(elastic.rpartition(":")[2])) as found:
        settings.ELASTICSEARCH_URL = found.url
        yield found
        settings.ELASTICSEARCH_URL = elastic


@pytest.fixture
def company(db: None) -> Company:
    Filing.objects.update(chunks_stored=0, indexed="")
    return known("Halden Optics, Inc.", "ZZHLD", 9_999_999_911)


@holds_the_node
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
    way: Door,
    model: MadeUp,
    company: Company,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.PAUSES", (0.1,))
    way.shut()
    held = filings(company, 2)
    with pytest.raises(SearchUnavailable, match="cannot be reached"):
        indexing.index_filing(held[0].pk)
    assert indexing.index_waiting() == 0
    assert "wait for the search index" in caplog.text
    assert waiting() == {filing.pk for filing in held}
    way.open()
    nothing_lost_nothing_doubled()


@holds_the_node
def test_hung_it_is_given_up_in_time_and_nothing_is_lost(
    node: Elasticsearch, model: MadeUp, company: Company, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = filings(company, 2)
    indexing.index_filing(held[0].pk)  # by a node that has just begun, which takes its time
    monkeypatch.setattr("filings.search.elastic_calls.BULK_PATIENCE", 1.0)
    settings.ELASTICSEARCH_TIMEOUT = 1.0
    active_indexes._made.clear()
    find(focus("supplier"), [held[0].pk])
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
    active_indexes._made.clear()
    settings.ELASTICSEARCH_TIMEOUT = 10.0
    nothing_lost_nothing_doubled()


@pytest.mark.parametrize("hung", [pytest.param(True, marks=holds_the_node), False])
def test_a_question_asked_while_it_is_hung_or_down_ends_and_its_page_says_why(
    request: pytest.FixtureRequest,
    model: MadeUp,
    company: Company,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    hung: bool,
) -> None:
    server = request.getfixturevalue("node" if hung else "way")
    monkeypatch.setattr("filings.search.elastic_calls.PAUSES", (0.1,))
    (filing,) = filings(company, 1)
    indexing.index_filing(filing.pk)
    settings.ELASTICSEARCH_TIMEOUT = 1.0
    server.run("pause") if hung else server.shut()
    asked = "What does Halden Optics say about its suppliers in fiscal 2024?"
    run = create_run.start(Identity(visitor=VISITOR, address="192.0.2.1"), asked)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    assert (run.status, run.refusal_code) == ("done", "search_unavailable")
    assert shown(run) == {"status": 200, "answer": True, "polls": False, "open": False}
    assert list(Reservation.objects.values_list("state", "answered")) == [("settled", False)]
    assert list(Meter.objects.values_list("questions", "answers")) == [(1, 0)]


def test_with_a_fallback_the_embedded_index_answers_while_it_is_down(
    way: Door, model: MadeUp, company: Company, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.PAUSES", (0.1,))
    settings.SEARCH_FALLBACK = True
    before, after = filings(company, 2)
    indexing.index_filing(before.pk)
    assert find(focus("supplier"), [before.pk]).index == "elasticsearch"
    way.shut()
    found = find(focus("supplier"), [before.pk])
    assert found.index == "embedded"
    assert found.passages
    # Ingested while it is down: the embedded index has it at once, and Elasticsearch when it is back.
    with pytest.raises(SearchUnavailable):
        indexing.index_filing(after.pk)
    assert find(focus("supplier"), [after.pk]).index == "embedded"
    assert waiting() == {after.pk}
    way.open()
    assert find(focus("supplier"), [after.pk]).index == "embedded"
    nothing_lost_nothing_doubled()
    assert find(focus("supplier"), [after.pk]).index == "elasticsearch"


def test_named_after_the_embedded_index_it_is_filled_from_it_and_taken_away_that_one_answers_again(
    way: Door, model: MadeUp, company: Company, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.PAUSES", (0.1,))
    url, settings.ELASTICSEARCH_URL = settings.ELASTICSEARCH_URL, ""
    first, second = filings(company, 2)
    nothing_lost_nothing_doubled()
    # From here on nothing can be embedded any more.
    model.down = True
    active_indexes.embedder().cache.path.unlink()
    settings.ELASTICSEARCH_URL = url
    assert waiting() == {first.pk, second.pk}
    way.shut()
    assert indexing.index_waiting() == 0
    assert find(focus("supplier"), [first.pk]).index == "embedded"
    assert health.check_index().state == Health.State.DEGRADED
    way.open()
    assert indexing.index_waiting(budget=0.0) == 1
    assert [find(focus("supplier"), [one.pk]).index for one in (first, second)] == ["elasticsearch", "embedded"]
    nothing_lost_nothing_doubled()
    assert health.check_index().state == Health.State.OK
    # Taken away, with rows that forget what the file holds, as those written before do.
    settings.ELASTICSEARCH_URL = ""
    Filing.objects.filter(pk__in=[first.pk, second.pk]).update(indexed="elasticsearch:0:0")
    assert find(focus("supplier"), [first.pk]).index == "embedded"
    assert waiting() == {second.pk}
    nothing_lost_nothing_doubled()
    # And named again, what it holds is seen and not written anew.
    settings.ELASTICSEARCH_URL = url
    assert waiting() == {first.pk, second.pk}
    monkeypatch.setattr(active_indexes.indexes()[0], "put", None)
    nothing_lost_nothing_doubled()
    assert find(focus("supplier"), [second.pk]).index == "elasticsearch"


def test_full_it_refuses_writes_answers_searches_and_loses_nothing(
    elastic: str, model: MadeUp, company: Company, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.PAUSES", (0.1,))
    before, after = filings(company, 2)
    indexing.index_filing(before.pk)
    with client() as found:
        block = "index.blocks.read_only_allow_delete"
        # Every half minute a node looks whether its disk has room again, and takes such a block away.
        found.cluster.put_settings(transient={"cluster.info.update.interval": "1h"})
        found.indices.put_settings(index=settings.ELASTICSEARCH_INDEX, settings={block: True})
        try:
            with pytest.raises(SearchUnavailable, match="429"):
                indexing.index_filing(after.pk)
            assert find(focus("supplier"), [before.pk]).passages
            assert waiting() == {after.pk}
        finally:
            found.indices.put_settings(index=settings.ELASTICSEARCH_INDEX, settings={block: None})
            found.cluster.put_settings(transient={"cluster.info.update.interval": None})
    nothing_lost_nothing_doubled()


@holds_the_node
def test_short_of_memory_it_is_unavailable_and_not_empty(
    alone: None, elastic: str, model: MadeUp, company: Company, monkeypatch: pytest.MonkeyPatch
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


def test_verify_mends_what_was_changed_behind_its_back(
    elastic: str, model: MadeUp, company: Company, settings: Settings
) -> None:
    first, second = filings(company, 2)
    for filing in (first, second):
        indexing.index_filing(filing.pk)
    index = active_indexes.indexes()[0]
    with client() as found:
        found.delete(index=settings.ELASTICSEARCH_INDEX, id=str(first.pk * 100_000 + 3), refresh=True)
    index.put(77, [Entry(7_700_001, 77, 1, "1A", "", "Of a company that is gone.", None)])
    differences = maintenance.compare(index)
    assert (differences.differ, differences.unknown) == ((first.pk,), (77,))
    maintenance.mend(differences)
    assert not maintenance.compare(index)


def lose(what: str, alias: str) -> None:
    """Take away the index that is searched, or its alias alone."""
    with client() as found:
        (name,) = found.indices.get_alias(name=alias).body
        if what == "index":
            found.indices.delete(index=name)
        else:
            found.indices.delete_alias(index=name, name=alias)
    # For ten seconds it would be taken as known which index has the alias.
    for index in active_indexes.indexes():
        index.known_until = 0.0  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("lost", "rebuilt"),
    [
        ("alias", False),
        ("index", True),
        pytest.param("alias", True, marks=pytest.mark.soak),
        pytest.param("index", False, marks=pytest.mark.soak),
    ],
)
def test_a_lost_alias_or_index_is_told_and_made_again(
    elastic: str, model: MadeUp, company: Company, settings: Settings, lost: str, rebuilt: bool
) -> None:
    first, _ = filings(company, 2)
    nothing_lost_nothing_doubled()
    if rebuilt:
        maintenance.rebuild()
    assert health.check_index().state == Health.State.OK
    lose(lost, settings.ELASTICSEARCH_INDEX)
    with pytest.raises(SearchUnavailable):
        find(focus("supplier"), [first.pk])
    told = health.check_index()
    assert (told.state, told.data["waiting"], told.data["lost"]) == (Health.State.DOWN, 2, 2)
    nothing_lost_nothing_doubled()
    assert find(focus("supplier"), [first.pk]).passages
    assert health.check_index().state == Health.State.OK


def test_the_index_that_a_write_makes_after_a_loss_hides_nothing_of_what_was_there(
    elastic: str, model: MadeUp, company: Company, settings: Settings
) -> None:
    first, second, later = filings(company, 3)
    for filing in (first, second):
        indexing.index_filing(filing.pk)
    lose("index", settings.ELASTICSEARCH_INDEX)
    indexing.index_filing(later.pk)
    assert find(focus("supplier"), [later.pk]).passages
    with pytest.raises(SearchUnavailable, match="has lost"):
        find(focus("supplier"), [first.pk])
    told = health.check_index()
    assert (told.state, told.data["lost"]) == (Health.State.DEGRADED, 2)
    assert waiting() == {first.pk, second.pk}
    nothing_lost_nothing_doubled()
    assert find(focus("supplier"), [first.pk]).passages


def test_a_server_that_is_down_has_lost_nothing(
    way: Door, model: MadeUp, company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.PAUSES", (0.1,))
    filings(company, 1)
    nothing_lost_nothing_doubled()
    way.shut()
    told = health.check_index()
    assert (told.state, told.data) == (Health.State.DOWN, {"waiting": 0, "elasticsearch": False})
    way.open()
    assert health.check_index().state == Health.State.OK


def test_a_rebuild_changes_the_model_and_readers_are_answered_all_the_time(
    elastic: str, model: MadeUp, company: Company, settings: Settings
) -> None:
    held = filings(company, 3)
    assert maintenance.rebuild() == 3
    asked: list[int] = []
    stop = threading.Event()
    reader = ElasticIndex.of_settings(corpus.MODEL, corpus.DIMENSIONS)

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
