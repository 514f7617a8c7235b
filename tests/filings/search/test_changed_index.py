"""Another index named in the settings than the one that the rows tell of: nothing is refused that either holds."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from filings.models import Chunk, Filing, Health, SearchRequest
from filings.search import active_indexes, health, indexing, maintenance
from filings.search.browsing import browse
from filings.search.elastic import ElasticIndex
from filings.search.embedded import EmbeddedIndex
from filings.search.index import Index, SearchUnavailable
from filings.search.passages import Focus, find
from filings.tasks import index_waiting
from tests.support.searchable import MadeUp, made, store

SUPPLIER = [Focus("supplier", ("supplier",))]


class Node(EmbeddedIndex):
    """What stands at ELASTICSEARCH_URL, in a file."""

    name = "elasticsearch"


@pytest.fixture(autouse=True)
def node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A node that can be named in the settings."""
    path = tmp_path / "node.sqlite3"
    monkeypatch.setattr(ElasticIndex, "of_settings", lambda model, dimensions: Node(path, model, dimensions))
    yield path
    active_indexes._made.clear()


def name_node(settings: Settings) -> Index:
    settings.ELASTICSEARCH_URL = "http://127.0.0.1:9"
    return active_indexes.indexes()[0]


def take_node_away(settings: Settings) -> Index:
    settings.ELASTICSEARCH_URL = ""
    return active_indexes.indexes()[0]


def answers(filing: Filing) -> str:
    """The index that finds passages of a filing."""
    found = find(SUPPLIER, [filing.pk])
    assert found.passages
    return found.index


def waiting() -> set[int]:
    return set(indexing.waiting().values_list("pk", flat=True))


def without_embedding(model: MadeUp) -> None:
    """Nothing can be embedded any more, and what was is remembered in an index alone."""
    model.down = True
    active_indexes.embedder().cache.path.unlink()


def as_before(*filings: Filing) -> None:
    """Rows as they were written when each told of one index only."""
    for filing in filings:
        filing.refresh_from_db()
        told = [word for word in filing.indexed.split() if not word.startswith("embedded:")]
        Filing.objects.filter(pk=filing.pk).update(indexed=" ".join(told))


def said(*arguments: str) -> str:
    out = StringIO()
    call_command("search_index", *arguments, stdout=out)
    return out.getvalue()


def test_a_node_named_anew_is_filled_without_an_embedding_and_the_file_answers_until_then(
    filings: list[Filing], model: MadeUp, settings: Settings
) -> None:
    file = active_indexes.indexes()[0]
    without_embedding(model)
    node = name_node(settings)
    assert waiting() == {filing.pk for filing in filings}
    assert answers(filings[0]) == "embedded"
    assert indexing.index_waiting(budget=0.0) == 1
    assert [answers(filing) for filing in filings] == ["elasticsearch", "embedded"]
    index_waiting()
    assert answers(filings[1]) == "elasticsearch"
    assert node.held() == file.held()
    assert not waiting()


def test_a_node_taken_away_leaves_the_file_that_holds_everything(filings: list[Filing], settings: Settings) -> None:
    name_node(settings)
    index_waiting()
    take_node_away(settings)
    assert not waiting()
    assert answers(filings[0]) == "embedded"


@pytest.mark.parametrize("notice", [lambda: index_waiting(), lambda: said("verify")])
def test_rows_that_told_of_the_node_alone_are_mended_without_an_embedding(
    filings: list[Filing], model: MadeUp, settings: Settings, notice: object
) -> None:
    name_node(settings)
    index_waiting()
    as_before(*filings)
    take_node_away(settings)
    without_embedding(model)
    assert len(waiting()) == 2
    notice()  # type: ignore[operator]
    assert not waiting()


def test_a_question_mends_the_rows_that_told_of_the_node_alone(
    filings: list[Filing], model: MadeUp, settings: Settings
) -> None:
    name_node(settings)
    index_waiting()
    as_before(*filings)
    take_node_away(settings)
    assert answers(filings[0]) == "embedded"
    assert waiting() == {filings[1].pk}


def test_a_file_that_holds_other_text_answers_nothing_and_is_written_again(
    filings: list[Filing], settings: Settings
) -> None:
    name_node(settings)
    index_waiting()
    store(filings[0], made(9, 2), item="7")
    indexing.index_filing(filings[0].pk)
    assert answers(filings[0]) == "elasticsearch"
    file = take_node_away(settings)
    assert waiting() == {filings[0].pk}
    with pytest.raises(SearchUnavailable, match="still waiting"):
        answers(filings[0])
    index_waiting()
    assert answers(filings[0]) == "embedded"
    assert not maintenance.compare(file)


def test_verify_says_which_rows_it_mends_and_dry_run_mends_none(filings: list[Filing], settings: Settings) -> None:
    name_node(settings)
    index_waiting()
    as_before(*filings)
    take_node_away(settings)
    with pytest.raises(CommandError, match="The index differs from the database"):
        said("verify", "--dry-run")
    assert len(waiting()) == 2
    assert (
        "embedded: 0 filings differ, 0 are unknown to the database, 2 are marked as waiting but are indexed."
        in said("verify")
    )
    assert not waiting()


def test_the_search_box_asks_the_file_until_the_node_holds_as_much(filings: list[Filing], settings: Settings) -> None:
    name_node(settings)
    indexing.index_waiting(budget=0.0)
    assert browse(SearchRequest(text="supplier"))["index"] == "embedded"
    index_waiting()
    assert browse(SearchRequest(text="supplier"))["index"] == "elasticsearch"


def test_it_is_told_that_the_file_answers_while_the_node_is_filled(
    filings: list[Filing], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = name_node(settings)

    def away(*arguments: object) -> None:
        raise SearchUnavailable("It is not there.")

    with monkeypatch.context() as patched:
        for name in ("lists", "put", "held", "counts"):
            patched.setattr(node, name, away)
        index_waiting()
        assert answers(filings[0]) == "embedded"
        told = health.check_index()
    assert (told.state, told.data["waiting"]) == (Health.State.DEGRADED, 2)
    assert "The embedded index answers for 2 filings that wait to be indexed." in told.detail
    index_waiting()
    assert health.check_index().state == Health.State.OK


def test_the_file_does_not_stand_in_for_a_node_that_holds_the_filing(
    filings: list[Filing], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = name_node(settings)
    index_waiting()

    def away(*arguments: object) -> None:
        raise SearchUnavailable("It is not there.")

    monkeypatch.setattr(node, "lists", away)
    with pytest.raises(SearchUnavailable, match="not there"):
        answers(filings[0])


def test_a_search_of_two_filings_uses_only_an_index_that_holds_both(filings: list[Filing], settings: Settings) -> None:
    name_node(settings)
    assert indexing.index_waiting(budget=0.0) == 1
    assert answers(filings[0]) == "elasticsearch"
    found = find(SUPPLIER, [one.pk for one in filings])
    of = Chunk.objects.filter(pk__in=[one.chunk for one in found.passages]).values_list("filing", flat=True)
    assert (found.index, set(of)) == ("embedded", {one.pk for one in filings})
