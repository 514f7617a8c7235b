"""A real Elasticsearch: the same passages as the embedded index, and what it keeps."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from filings.search.elastic import ElasticIndex
from filings.search.elastic_calls import client
from filings.search.embedded import EmbeddedIndex
from filings.search.fusion import fuse
from filings.search.index import Entry, IndexMismatch, Lists, Query, SearchUnavailable
from filings.search.indexed_markers import SHAPE
from tests.support import corpus
from tests.support.corpus import chunks, counts_a_phrase, entries, entry, keeps_to_its_scope, one, query

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
    keeps_to_its_scope(index)


TYPED = ("", "?!", '"', "text:(a OR", "a* AND NOT b", "{}", "the of", "\\", "\u2603" * 90, "a " * 300)


def test_nothing_typed_is_syntax(index: ElasticIndex) -> None:
    index.put(3, entries(3, 3))
    for words in TYPED:
        assert isinstance(one(index, Query(words, variants=(words,), filings=(3,))), Lists), words


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
    monkeypatch.setattr("filings.search.elastic_calls.PAGE", 7)
    index.put(3, entries(3, 25))
    assert index.held()[3].startswith("25:")
    index.put(3, entries(3, 1))
    assert index.held()[3].startswith("1:")


def test_it_counts_the_chunks_of_all_filings_or_of_those_asked_for(
    index: ElasticIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert index.counts() == {}
    for filing in range(3, 8):
        index.put(filing, entries(filing, filing))
    monkeypatch.setattr("filings.search.elastic_calls.PAGE", 2)
    assert index.counts() == {filing: filing for filing in range(3, 8)}
    assert index.counts([4, 6, 77]) == {4: 4, 6: 6}


def test_it_counts_the_chunks_with_a_phrase(index: ElasticIndex) -> None:
    counts_a_phrase(index)


def test_a_large_filing_goes_in_several_requests(index: ElasticIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("filings.search.elastic_calls.BULK_BYTES", 20_000)
    index.put(3, entries(3, 60))
    assert index.held()[3].startswith("60:")


def test_its_mapping_refuses_a_field_it_does_not_know(index: ElasticIndex, settings: Settings) -> None:
    index.put(3, entries(3, 1))
    found = index.elasticsearch.indices.get_mapping(index=settings.ELASTICSEARCH_INDEX).body
    mapping = next(iter(found.values()))["mappings"]
    assert mapping["dynamic"] == "strict"
    assert mapping["_meta"] == {"model": corpus.MODEL, "dimensions": corpus.DIMENSIONS, "shape": SHAPE}
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
    assert index.counts([3]) == {}
    index.drop(3)


def test_readers_keep_to_the_old_index_until_the_alias_moves(index: ElasticIndex, settings: Settings) -> None:
    index.put(3, entries(3, 5))
    reader = of(settings)
    assert len(one(reader, query("supplier", [3])).dense) == 5
    building = index.build()
    building.put(3, entries(3, 9))
    # One knows the name of the index by heart, the other asks for it.
    for who in (reader, of(settings)):
        assert len(one(who, query("supplier", [3])).dense) == 5
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


def test_a_closed_index_is_unavailable_and_not_empty(index: ElasticIndex, settings: Settings) -> None:
    index.put(3, entries(3, 2))
    index.elasticsearch.indices.close(index=settings.ELASTICSEARCH_INDEX)
    with pytest.raises(SearchUnavailable):
        one(index, query("supplier", [3]))
