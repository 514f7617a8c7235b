"""Chunks into the index: what waits, what is said on the row, and what a change at the same moment does."""

from pathlib import Path

import pytest

from filings.models import Chunk, Company, Filing, Ticker
from filings.search import active_indexes, indexed_markers, indexing, maintenance
from filings.search.index import Entry, Query, SearchUnavailable
from filings.tasks import index_waiting
from filings.text import embeddings
from tests.support.holdings import annual_report
from tests.support.searchable import MadeUp, made, store


def chunks_held(filing: Filing) -> int:
    return int(active_indexes.indexes()[0].held().get(filing.pk, "0:").partition(":")[0])


def test_it_indexes_a_filing_and_says_so_on_its_row(model: MadeUp, filing: Filing) -> None:
    store(filing, made(3, 6))
    assert list(indexing.waiting()) == [filing]
    indexing.index_filing(filing.pk)
    filing.refresh_from_db()
    assert filing.indexed.startswith("embedded:")
    assert chunks_held(filing) == 6
    assert not indexing.waiting().exists()


def test_indexing_twice_changes_nothing(model: MadeUp, filing: Filing) -> None:
    store(filing, made(3, 6))
    indexing.index_filing(filing.pk)
    filing.refresh_from_db()
    before = (filing.indexed, active_indexes.indexes()[0].held())
    indexing.index_filing(filing.pk)
    filing.refresh_from_db()
    assert (filing.indexed, active_indexes.indexes()[0].held()) == before


def test_the_sweep_indexes_what_waits(model: MadeUp, filing: Filing) -> None:
    other = annual_report(filing.company, 2024)
    for one in (filing, other):
        store(one, made(one.pk, 4))
    index_waiting()
    assert not indexing.waiting().exists()
    assert chunks_held(filing) == chunks_held(other) == 4


def test_the_sweep_ends_in_time_and_the_next_goes_on(model: MadeUp, filing: Filing) -> None:
    other = annual_report(filing.company, 2024)
    for one in (filing, other):
        store(one, made(one.pk, 4))
    assert indexing.index_waiting(budget=0.0) == 1
    assert indexing.index_waiting(budget=0.0) == 1
    assert not indexing.waiting().exists()


def test_without_an_embedding_words_are_indexed_and_the_filing_waits(model: MadeUp, filing: Filing) -> None:
    store(filing, made(3, 6))
    model.down = True
    indexing.index_filing(filing.pk)
    filing.refresh_from_db()
    assert filing.indexed.endswith(":words")
    assert chunks_held(filing) == 6
    assert indexing.waiting().exists()
    indexing.index_waiting()
    model.down = False
    active_indexes.embedder().rests_until = 0.0
    indexing.index_waiting()
    filing.refresh_from_db()
    assert not filing.indexed.endswith(":words")
    assert not indexing.waiting().exists()


def test_an_embedding_that_fails_is_not_asked_for_each_filing(
    model: MadeUp, filing: Filing, monkeypatch: pytest.MonkeyPatch
) -> None:
    for year in (2021, 2022, 2023):
        one = annual_report(filing.company, year)
        store(one, made(one.pk, 3))
    model.down = True
    asked = []
    monkeypatch.setattr(model, "answer", lambda answer=model.answer: (asked.append(1), answer()))
    assert indexing.index_waiting() == 3
    assert len(asked) == 1


def test_chunks_that_change_while_they_are_indexed_wait_again(
    model: MadeUp, filing: Filing, monkeypatch: pytest.MonkeyPatch
) -> None:
    store(filing, made(3, 3))
    index = active_indexes.indexes()[0]

    def meanwhile(pk: int, found: list[Entry], put: object = index.put) -> None:
        put(pk, found)  # type: ignore[operator]
        if Chunk.objects.filter(filing=filing).count() == 3:
            store(filing, made(4, 2), item="7")

    monkeypatch.setattr(index, "put", meanwhile)
    indexing.index_filing(filing.pk)
    filing.refresh_from_db()
    assert filing.indexed == ""
    indexing.index_waiting()
    filing.refresh_from_db()
    assert indexed_markers.holds(filing.indexed, *next(iter(active_indexes.keys((index,)).items())))
    assert chunks_held(filing) == 5


def test_an_index_that_is_down_leaves_the_filing_waiting(
    model: MadeUp, filing: Filing, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store(filing, made(3, 3))

    def down(*args: object) -> None:
        raise SearchUnavailable("It is down.")

    with monkeypatch.context() as patched:
        patched.setattr(active_indexes.indexes()[0], "put", down)
        with pytest.raises(SearchUnavailable):
            indexing.index_filing(filing.pk)
        assert indexing.index_waiting() == 0
        assert "Filings wait for the search index: It is down." in caplog.text
    filing.refresh_from_db()
    assert filing.indexed == ""
    assert indexing.index_waiting() == 1


def test_a_filing_whose_text_is_gone_leaves_the_index(model: MadeUp, filing: Filing) -> None:
    store(filing, made(3, 3))
    indexing.index_filing(filing.pk)
    Chunk.objects.filter(filing=filing).delete()
    Filing.objects.filter(pk=filing.pk).update(chunks_stored=0)
    indexing.index_filing(filing.pk)
    filing.refresh_from_db()
    assert filing.indexed == ""
    assert active_indexes.indexes()[0].held() == {}


def test_a_filing_that_is_not_there_is_no_error(model: MadeUp, db: None) -> None:
    indexing.index_filing(123456)
    assert active_indexes.indexes()[0].held() == {}


def test_it_beats_while_it_indexes(model: MadeUp, filing: Filing) -> None:
    store(filing, made(3, 6))
    beats: list[int] = []
    indexing.index_filing(filing.pk, beats.append)
    assert beats


def test_another_model_makes_every_filing_wait(model: MadeUp, filing: Filing) -> None:
    store(filing, made(3, 6))
    indexing.index_filing(filing.pk)
    model.model = "another"
    active_indexes._made.clear()
    embeddings.forget()
    assert list(indexing.waiting()) == [filing]


def test_verify_finds_and_mends_what_differs(model: MadeUp, filing: Filing, tmp_path: Path) -> None:
    other = annual_report(filing.company, 2024)
    for one in (filing, other):
        store(one, made(one.pk, 4))
        indexing.index_filing(one.pk)
    index = active_indexes.indexes()[0]
    assert not maintenance.compare(index)
    index.drop(filing.pk)
    index.put(77, [Entry(7_700_001, 77, 1, "1A", "", "Of a company that is gone.", None)])
    Filing.objects.filter(pk=other.pk).update(fiscal_year=2019)
    found = maintenance.compare(index)
    assert set(found.differ) == {filing.pk, other.pk}
    assert found.unknown == (77,)
    maintenance.mend(found)
    assert not maintenance.compare(index)


@pytest.mark.parametrize("rename", [{"name": "Aldworth Lenses, Inc."}, {"symbol": "ALDWORTH"}])
def test_verify_finds_and_mends_a_company_that_was_renamed(
    model: MadeUp, filing: Filing, rename: dict[str, str]
) -> None:
    store(filing, made(3, 4))
    indexing.index_filing(filing.pk)
    index = active_indexes.indexes()[0]
    renamed = Company.objects if "name" in rename else Ticker.objects
    renamed.filter(**{"pk" if "name" in rename else "company": filing.company_id}).update(**rename)
    new = Query("Aldworth", filings=(filing.pk,))
    assert not index.lists([new])[0].lexical
    found = maintenance.compare(index)
    assert found.differ == (filing.pk,)
    assert maintenance.mend(found) == 1
    assert not maintenance.compare(index)
    assert len(index.lists([new])[0].lexical) == 4


def test_a_rebuild_holds_what_the_database_holds(model: MadeUp, filing: Filing) -> None:
    store(filing, made(3, 4))
    active_indexes.indexes()[0].put(77, [Entry(7_700_001, 77, 1, "1A", "", "Of a company that is gone.", None)])
    assert maintenance.rebuild() == 1
    assert set(active_indexes.indexes()[0].held()) == {filing.pk}
    assert not indexing.waiting().exists()
    assert not maintenance.compare(active_indexes.indexes()[0])


def test_a_rebuild_without_an_embedding_leaves_the_old_index(model: MadeUp, filing: Filing) -> None:
    store(filing, made(3, 4))
    indexing.index_filing(filing.pk)
    before = active_indexes.indexes()[0].held()
    model.down = True
    active_indexes.embedder().cache.path.unlink()
    with pytest.raises(SearchUnavailable, match="embedding endpoint"):
        maintenance.rebuild()
    assert active_indexes.indexes()[0].held() == before
