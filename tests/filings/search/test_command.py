"""manage.py search_index."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from filings.models import Filing
from filings.search import active_indexes
from filings.search.embedded import EmbeddedIndex
from filings.search.indexing import index_filing
from tests.support import corpus
from tests.support.searchable import MadeUp, made, store


def said(*arguments: str) -> str:
    out = StringIO()
    call_command("search_index", *arguments, stdout=out)
    return out.getvalue()


def test_status_says_what_is_held_and_what_waits(model: MadeUp, filing: Filing) -> None:
    store(filing, made(3, 4))
    assert "embedded: made-up, 48 dimensions: 0 filings, 0 chunks." in said("status")
    assert "Waiting: 1 filings." in said("status")
    index_filing(filing.pk)
    assert "embedded: made-up, 48 dimensions: 1 filings, 4 chunks." in said("status")
    assert "Waiting: 0 filings." in said("status")


def test_rebuild_indexes_everything(model: MadeUp, filing: Filing) -> None:
    store(filing, made(3, 4))
    assert "1 filings are indexed." in said("rebuild")
    assert "Waiting: 0 filings." in said("status")


def test_verify_mends_and_dry_run_only_says(model: MadeUp, filing: Filing) -> None:
    store(filing, made(3, 4))
    index_filing(filing.pk)
    assert "embedded: 0 filings differ, 0 are unknown" in said("verify")
    active_indexes.indexes()[0].drop(filing.pk)
    with pytest.raises(CommandError, match="differs"):
        said("verify", "--dry-run")
    assert active_indexes.indexes()[0].held() == {}
    assert "embedded: 1 filings differ" in said("verify")
    assert set(active_indexes.indexes()[0].held()) == {filing.pk}


def test_another_model_is_an_error_that_names_the_rebuild_and_the_rebuild_mends_it(
    model: MadeUp, filing: Filing
) -> None:
    other = EmbeddedIndex(active_indexes.settings.DATA_DIR / active_indexes.FILENAME, "another", corpus.DIMENSIONS)
    other.put(filing.pk, corpus.entries(filing.pk, 2))
    other.close()
    store(filing, made(3, 4))
    with pytest.raises(CommandError, match=r"manage.py search_index rebuild"):
        said("verify")
    with pytest.raises(CommandError, match="cannot be used"):
        said("status")
    said("rebuild")
    assert "0 filings differ" in said("verify")


def test_an_unknown_action_is_refused(db: None) -> None:
    with pytest.raises(CommandError):
        said("explode")
