"""An index that has lost what the rows say it holds: nothing is refused for it, it is told, and it comes back."""

from pathlib import Path

import pytest
from pytest_django import Settings

from agent.refusals.codes import Code
from agent.state import Block
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals.golden import TODAY
from filings.models import Filing, Health, SearchRequest
from filings.search import active_indexes, health, indexing, maintenance
from filings.search.browsing import browse
from filings.search.embedded import EmbeddedIndex
from filings.search.index import Index, SearchUnavailable
from filings.search.passages import Focus, find
from tests.support.holdings import annual_report
from tests.support.sample import Sample
from tests.support.searchable import MadeUp, made, store

SUPPLIER = [Focus("supplier", ("supplier",))]


def index() -> EmbeddedIndex:
    found = active_indexes.indexes()[0]
    assert isinstance(found, EmbeddedIndex)
    return found


def delete_file(*suffixes: str) -> None:
    for suffix in suffixes:
        index().path.with_name(index().path.name + suffix).unlink(missing_ok=True)


def passages(*filings: Filing) -> int:
    return len(find(SUPPLIER, [filing.pk for filing in filings]).passages)


@pytest.mark.parametrize("suffixes", [("", "-wal", "-shm"), ("",)])
def test_a_file_deleted_between_two_searches_is_told_and_made_again(
    filings: list[Filing], suffixes: tuple[str, ...]
) -> None:
    before = passages(filings[0])
    delete_file(*suffixes)
    with pytest.raises(SearchUnavailable, match="has lost"):
        passages(filings[0])
    told = health.check_index()
    assert (told.state, told.data["waiting"], told.data["lost"]) == (Health.State.DOWN, 2, 2)
    assert "The embedded index is empty." in told.detail
    # It is down until something is there again, and not until it is looked at once more.
    assert health.check_index().state == Health.State.DOWN
    assert indexing.index_waiting(budget=0.0) == 1
    told = health.check_index()
    assert (told.state, told.data["lost"]) == (Health.State.DEGRADED, 1)
    assert indexing.index_waiting() == 1
    assert health.check_index().state == Health.State.OK
    assert passages(filings[0]) == before
    assert not maintenance.compare(index())


def test_what_was_indexed_after_the_loss_hides_nothing_of_it(filings: list[Filing]) -> None:
    delete_file("", "-wal", "-shm")
    indexing.index_filing(filings[1].pk)
    assert passages(filings[1])
    for scope in ([filings[0]], filings):
        with pytest.raises(SearchUnavailable, match="has lost"):
            passages(*scope)
    told = health.check_index()
    assert (told.state, told.data["lost"]) == (Health.State.DEGRADED, 1)
    assert list(indexing.waiting()) == [filings[0]]
    indexing.index_waiting()
    assert passages(*filings)


def test_a_filing_that_is_held_in_part_is_indexed_again(filings: list[Filing]) -> None:
    with index().writing() as database:
        database.execute("DELETE FROM passage_1 WHERE id = ?", (filings[0].pk * 100_000 + 3,))
    assert health.check_index().data["lost"] == 1
    assert list(indexing.waiting()) == [filings[0]]
    indexing.index_waiting()
    assert index().counts() == {filing.pk: 6 for filing in filings}


def test_a_search_of_everything_says_what_it_did_not_search(filings: list[Filing]) -> None:
    everything, one = SearchRequest(text="supplier"), SearchRequest(text="supplier", accession=filings[1].accession)
    assert browse(everything)["notes"] == browse(one)["notes"] == []
    other = annual_report(filings[0].company, 2023)
    store(other, made(other.pk, 4))
    assert browse(everything)["notes"] == ["1 filing is not in this search yet: still waiting to be indexed."]
    assert browse(one)["notes"] == []
    delete_file("", "-wal", "-shm")
    found = browse(everything)
    assert (found["results"], found["notes"]) == (
        [],
        ["3 filings are not in this search yet: still waiting to be indexed."],
    )


def test_nothing_is_lost_where_all_is_held_or_waits(filings: list[Filing], model: MadeUp) -> None:
    other = annual_report(filings[0].company, 2023)
    store(other, made(other.pk, 4))
    assert indexing.give_up_lost(index()) == 0
    model.down = True
    indexing.index_filing(other.pk)
    assert indexing.give_up_lost(index()) == 0
    assert health.check_index().state == Health.State.OK


def test_a_row_that_changes_while_the_index_is_asked_is_left_alone(
    filings: list[Filing], monkeypatch: pytest.MonkeyPatch
) -> None:
    def meanwhile(counts: object = index().counts) -> dict[int, int]:
        store(filings[0], made(9, 2), item="7")
        indexing.index_filing(filings[0].pk)
        return counts()  # type: ignore[operator,no-any-return]

    monkeypatch.setattr(index(), "counts", meanwhile)
    assert indexing.give_up_lost(index()) == 0
    assert not indexing.waiting().exists()


def test_an_index_is_asked_what_it_holds_only_of_filings_in_which_it_found_nothing(
    filings: list[Filing], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[int]] = []
    counts = index().counts

    def heard(of: list[int]) -> dict[int, int]:
        asked.append(of)
        return counts(of)

    monkeypatch.setattr(index(), "counts", heard)
    assert passages(*filings)
    assert asked == []
    assert find(SUPPLIER, [filings[0].pk], ["16"]).passages == ()
    assert asked == [[filings[0].pk]]


def test_where_another_index_holds_it_that_one_answers(
    filings: list[Filing], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Other(EmbeddedIndex):
        name = "other"

    other = Other(tmp_path / "other.sqlite3", index().model, index().dimensions)
    both: tuple[Index, ...] = (index(), other)
    monkeypatch.setattr(active_indexes, "indexes", lambda: both)
    indexing.index_waiting()
    delete_file("", "-wal", "-shm")
    assert find(SUPPLIER, [filings[0].pk]).index == "other"
    told = health.check_index()
    assert (told.state, told.data["embedded"], told.data["other"]) == (Health.State.DEGRADED, False, True)
    # What the other holds is not given up with it.
    assert find(SUPPLIER, [filings[0].pk]).index == "other"
    assert indexing.index_waiting() == 2
    assert find(SUPPLIER, [filings[0].pk]).index == "embedded"
    other.close()


def test_a_question_is_unavailable_while_the_index_is_lost_and_answered_after_the_sweep(
    sample: Sample, db: None, settings: Settings, tmp_path: Path
) -> None:
    def ask() -> Block:
        asked = "Were Northwind's disclosure controls effective in fiscal 2025?"
        (block,) = pipeline.answer(asked, Deps.current(TODAY)).blocks
        return block

    before = ask()
    assert before.claims
    settings.DATA_DIR = tmp_path
    refusal = ask().refusal
    assert refusal
    assert refusal.code is Code.SEARCH_UNAVAILABLE
    assert health.check_index().state == Health.State.DOWN
    while indexing.index_waiting():
        pass
    assert ask().claims == before.claims
    assert health.check_index().state == Health.State.OK
    index().close()


def test_all_is_counted_and_what_is_asked_for(filings: list[Filing]) -> None:
    assert index().counts() == {filing.pk: 6 for filing in filings}
    assert index().counts([filings[0].pk, 77]) == {filings[0].pk: 6}
