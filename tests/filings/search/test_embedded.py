"""The embedded index: what it finds, and what it keeps."""

import sqlite3
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from filings.search.embedded import EmbeddedIndex
from filings.search.index import IndexMismatch, Lists, Query, SearchUnavailable
from tests.support import corpus
from tests.support.corpus import chunks, counts_a_phrase, entries, entry, keeps_to_its_scope, one, query, vector
from tests.support.full_disk import disk_full


def test_it_finds_words_whatever_their_ending(index: EmbeddedIndex) -> None:
    index.put(3, [entry(3, 0, "The supplier delivers late."), entry(3, 1, "Our stores are open.")])
    assert chunks(one(index, query("suppliers delivering", [3]))) == [300000]


def test_it_ranks_meaning_by_the_best_window_of_a_chunk(index: EmbeddedIndex) -> None:
    far, near = entry(3, 0, "Nothing of it."), entry(3, 1, "Neither here.")
    asked = vector("tariffs")
    other = np.stack([vector("weather"), asked])
    index.put(3, [far, entry(3, 2, "x"), corpus.Entry(near.chunk, 3, near.cik, "1A", "", near.text, other)])
    lists = one(index, Query("nothing", vector=asked, filings=(3,)))
    assert chunks(lists, "dense")[0] == near.chunk
    assert lists.dense[0].score == pytest.approx(1.0, abs=1e-3)
    assert len(lists.dense) == 3


def test_its_dense_list_is_exact(index: EmbeddedIndex) -> None:
    held = entries(3, 60)
    index.put(3, held)
    asked = query("supplier in Lindau", [3], depth=10)
    assert asked.vector is not None
    best = {one.chunk: float(np.max(one.vectors @ asked.vector)) for one in held if one.vectors is not None}
    expected = sorted(best, key=lambda chunk: -best[chunk])[:10]
    found = one(index, asked).dense
    assert [row.chunk for row in found] == expected
    assert [row.score for row in found] == pytest.approx([best[chunk] for chunk in expected], abs=2e-3)


def test_it_searches_the_filings_and_items_asked_and_no_others(index: EmbeddedIndex) -> None:
    keeps_to_its_scope(index)


def test_it_counts_the_chunks_with_a_phrase(index: EmbeddedIndex) -> None:
    counts_a_phrase(index)


def test_the_list_of_statements_has_statements_only(index: EmbeddedIndex) -> None:
    index.put(3, [entry(3, 0, "Total assets", statement="balance"), entry(3, 1, "Our assets are few.")])
    lists = one(index, query("assets", [3]))
    assert set(chunks(lists)) == {300000, 300001}
    assert chunks(lists, "statements") == [300000]
    assert one(index, query("assets", [3], statements=False)).statements == ()
    assert chunks(one(index, query("assets")), "statements") == [300000]


def test_variants_weigh_less_than_the_words_asked_with(index: EmbeddedIndex) -> None:
    fillers = [entry(3, number, f"Unrelated matter number {number}.") for number in range(2, 12)]
    index.put(3, [entry(3, 0, "A strike is near."), entry(3, 1, "A stoppage is near."), *fillers])
    lists = one(index, Query("strike", variants=("stoppage",), filings=(3,)))
    assert chunks(lists) == [300000, 300001]
    assert lists.lexical[1].score == pytest.approx(0.8 * lists.lexical[0].score)


def test_a_variant_of_several_words_is_found_where_all_of_them_stand(index: EmbeddedIndex) -> None:
    index.put(
        3,
        [
            entry(3, 0, "A loss was recorded."),
            entry(3, 1, "The exclusivity was lost, a loss for us."),
            entry(3, 2, "x"),
        ],
    )
    assert chunks(one(index, Query("", variants=("loss of exclusivity",), filings=(3,)))) == [300001]


def test_without_a_vector_it_searches_by_words_alone(index: EmbeddedIndex) -> None:
    index.put(3, entries(3, 5))
    lists = one(index, Query("supplier", filings=(3,)))
    assert lists.dense == ()


def test_chunks_without_vectors_are_found_by_their_words(index: EmbeddedIndex) -> None:
    bare = entry(3, 0, "The supplier delivers late.")
    index.put(3, [corpus.Entry(bare.chunk, 3, bare.cik, "1A", "", bare.text, None), entry(3, 1, "Weather.")])
    lists = one(index, query("supplier", [3]))
    assert chunks(lists) == [300000]
    assert chunks(lists, "dense") == [300001]


@pytest.mark.parametrize("words", ["", "   ", "the of and", "?!", '"', "( OR", "a* NEAR b"])
def test_words_that_say_nothing_are_no_error(index: EmbeddedIndex, words: str) -> None:
    index.put(3, entries(3, 5))
    assert isinstance(one(index, Query(words, filings=(3,))), Lists)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(words=st.text(max_size=80), variants=st.lists(st.text(max_size=20), max_size=3))
def test_nothing_typed_is_syntax(index: EmbeddedIndex, words: str, variants: list[str]) -> None:
    if not index.held():
        index.put(3, entries(3, 3))
    for filings in ((3,), ()):
        one(index, Query(words, variants=tuple(variants), filings=filings))


def test_an_operator_is_a_word(index: EmbeddedIndex) -> None:
    index.put(3, [entry(3, 0, "It is near the sea."), entry(3, 1, "Far away.")])
    assert chunks(one(index, Query("NEAR", filings=(3,)))) == [300000]


def test_putting_twice_is_putting_once(index: EmbeddedIndex) -> None:
    index.put(3, entries(3, 20))
    before, lists = index.held(), one(index, query("supplier patent", [3]))
    index.put(3, entries(3, 20))
    assert index.held() == before
    assert one(index, query("supplier patent", [3])) == lists


def test_a_filing_put_again_has_its_new_chunks_only(index: EmbeddedIndex) -> None:
    index.put(3, entries(3, 20))
    one(index, query("supplier", [3]))
    index.put(3, [entry(3, 0, "Only this is left.")])
    lists = one(index, query("supplier patent left", [3]))
    assert chunks(lists) == chunks(lists, "dense") == [300000]
    assert index.held()[3].startswith("1:")


def test_a_dropped_filing_is_gone(index: EmbeddedIndex) -> None:
    for filing in (3, 4):
        index.put(filing, entries(filing, 5))
    index.drop(3)
    assert set(index.held()) == {4}
    assert one(index, query("supplier", [3])) == Lists()
    index.put(4, [])
    assert index.held() == {}


def test_another_process_sees_what_was_written(index: EmbeddedIndex, tmp_path: Path) -> None:
    other = EmbeddedIndex(tmp_path / "search.sqlite3", corpus.MODEL, corpus.DIMENSIONS)
    index.put(3, entries(3, 5))
    assert len(one(other, query("supplier", [3])).dense) == 5
    index.put(3, entries(3, 7))
    assert len(one(other, query("supplier", [3])).dense) == 7
    other.close()


def test_two_writers_and_a_reader_do_not_fail(index: EmbeddedIndex) -> None:
    failed: list[BaseException] = []
    index.put(1, entries(1, 30))

    def write(first: int) -> None:
        try:
            for filing in range(first, first + 5):
                index.put(filing, entries(filing, 30))
            index.close()
        except BaseException as error:  # told to the test, whatever it is
            failed.append(error)

    writers = [Thread(target=write, args=(first,)) for first in (10, 20)]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert len(one(index, query("supplier", [1])).dense) == 30
    assert not failed
    assert len(index.held()) == 11


def test_nothing_indexed_finds_nothing(index: EmbeddedIndex) -> None:
    assert one(index, query("supplier", [3])) == Lists()
    assert index.held() == {}


def test_another_model_is_refused_with_the_command_that_mends_it(index: EmbeddedIndex, tmp_path: Path) -> None:
    index.put(3, entries(3, 2))
    for model, dimensions in (("another", corpus.DIMENSIONS), (corpus.MODEL, 64)):
        other = EmbeddedIndex(tmp_path / "search.sqlite3", model, dimensions)
        for call in (lambda other=other: other.lists([query("x")]), lambda other=other: other.put(3, entries(3, 2))):
            with pytest.raises(IndexMismatch, match=r"manage.py search_index rebuild") as error:
                call()
            assert corpus.MODEL in str(error.value)
        other.close()


def test_an_empty_index_takes_the_model_that_comes(index: EmbeddedIndex, tmp_path: Path) -> None:
    index.put(3, entries(3, 2))
    index.drop(3)
    other = EmbeddedIndex(tmp_path / "search.sqlite3", "another", corpus.DIMENSIONS)
    other.put(3, entries(3, 2))
    assert set(other.held()) == {3}
    other.close()


def test_readers_keep_to_the_old_index_until_the_new_one_is_published(index: EmbeddedIndex) -> None:
    index.put(3, entries(3, 5))
    building = index.build()
    building.put(3, entries(3, 9))
    index.put(4, entries(4, 5))
    assert len(one(index, query("supplier", [3])).dense) == 5
    building.publish()
    assert len(one(index, query("supplier", [3])).dense) == 9
    assert set(index.held()) == {3}


def test_a_rebuild_given_up_leaves_no_trace(index: EmbeddedIndex) -> None:
    index.put(3, entries(3, 5))
    before = index.held()
    building = index.build()
    building.put(3, entries(3, 9))
    building.abandon()
    assert index.held() == before
    with sqlite3.connect(index.path) as database:
        assert database.execute("SELECT count(*) FROM generation").fetchone() == (1,)
    database.close()


def test_what_a_killed_rebuild_has_left_goes_with_the_next(index: EmbeddedIndex) -> None:
    index.put(3, entries(3, 5))
    index.build().put(3, entries(3, 9))
    building = index.build()
    building.put(3, entries(3, 5))
    building.publish()
    with sqlite3.connect(index.path) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE name LIKE 'passage_%'")}
    database.close()
    assert names == {f"passage_{building.generation.number}"}


def test_a_rebuild_changes_the_model(index: EmbeddedIndex, tmp_path: Path) -> None:
    index.put(3, entries(3, 5))
    other = EmbeddedIndex(tmp_path / "search.sqlite3", "another", corpus.DIMENSIONS)
    building = other.build()
    building.put(3, entries(3, 5))
    building.publish()
    assert len(one(other, query("supplier", [3])).dense) == 5
    with pytest.raises(IndexMismatch):
        index.held()
    other.close()


def test_a_damaged_file_is_said_and_mended_by_a_rebuild(index: EmbeddedIndex) -> None:
    index.put(3, entries(3, 5))
    index.close()
    for suffix in ("-wal", "-shm"):
        index.path.with_name(index.path.name + suffix).unlink(missing_ok=True)
    index.path.write_bytes(b"This is no database. " * 500)
    with pytest.raises(IndexMismatch, match=r"damaged.*manage.py search_index rebuild"):
        one(index, query("supplier", [3]))
    building = index.build()
    building.put(3, entries(3, 5))
    building.publish()
    assert len(one(index, query("supplier", [3])).dense) == 5


def test_a_deleted_file_is_an_empty_index_that_says_so(index: EmbeddedIndex) -> None:
    index.put(3, entries(3, 5))
    for suffix in ("", "-wal", "-shm"):
        index.path.with_name(index.path.name + suffix).unlink(missing_ok=True)
    assert index.counts([3]) == {}
    assert index.held() == {}
    index.put(3, entries(3, 4))
    assert len(one(index, query("supplier", [3])).dense) == 4


def test_a_full_disk_is_said_and_changes_nothing(index: EmbeddedIndex) -> None:
    for room in (3_000, 40_000):
        with disk_full(room), pytest.raises(SearchUnavailable, match=r"\(disk I/O error\)"):
            index.put(3, entries(3, 50))
    assert index.counts() == {}
    index.put(3, entries(3, 50))
    with disk_full(40_000), pytest.raises(SearchUnavailable, match=r"\(disk I/O error\)"):
        index.put(4, entries(4, 500))
    assert index.counts() == {3: 50}
    index.put(4, entries(4, 500))
    assert index.counts() == {3: 50, 4: 500}
    # As a file that was made with room: what a rebuild frees goes back to the disk.
    assert index.connection().execute("PRAGMA auto_vacuum").fetchone() == (2,)


def test_what_it_holds_tells_a_chunk_whose_words_are_gone(index: EmbeddedIndex) -> None:
    index.put(3, entries(3, 5))
    before = index.held()
    with sqlite3.connect(index.path) as database:
        database.execute("DELETE FROM words_1 WHERE rowid = 300002")
    database.close()
    assert index.held() != before


@pytest.mark.parametrize("change", ["text", "item", "statement", "windows"])
def test_what_it_holds_tells_another_chunk(index: EmbeddedIndex, change: str) -> None:
    held = entry(3, 0, "The supplier delivers late.", item="1A")
    index.put(3, [held])
    before = index.held()
    changed = {
        "text": entry(3, 0, "The supplier delivers later.", item="1A"),
        "item": entry(3, 0, "The supplier delivers late.", item="7"),
        "statement": entry(3, 0, "The supplier delivers late.", item="1A", statement="income"),
        "windows": corpus.Entry(held.chunk, 3, held.cik, held.item, held.statement, held.text, None),
    }[change]
    index.put(3, [changed])
    assert index.held() != before


def test_a_chunk_of_another_filing_is_an_error(index: EmbeddedIndex) -> None:
    with pytest.raises(ValueError, match="outside of filing 3"):
        index.put(3, entries(4, 1))


def test_its_file_is_for_its_owner_only(index: EmbeddedIndex) -> None:
    index.put(3, entries(3, 1))
    assert index.path.stat().st_mode & 0o077 == 0
