"""A file whose reading hangs, dies or takes all memory is refused, and the worker lives on."""

import pytest
from pytest_django import Settings

from filings.importing import import_queue
from filings.importing.document_fields import DocumentFields
from filings.ingest import isolated_reading
from filings.models import Company, Import
from tests.filings.test_reading import hostile, template
from tests.support.brought import CALL, brought, imported
from tests.support.hostile_reading import BREAKS, GROWS, HANGS, KILLS

__all__ = ["hostile", "template"]
pytestmark = pytest.mark.xdist_group("reading")


@pytest.fixture(autouse=True)
def apart(in_process: None, hostile: None, settings: Settings) -> None:
    """Files are read in a process of their own."""
    settings.INGEST_FILING_DEADLINE = 60.0


@pytest.mark.parametrize(
    ("word", "why"),
    [
        pytest.param(HANGS, "Its documents could not be read within 60 seconds.", marks=pytest.mark.soak),
        (KILLS, "stopped unexpectedly"),
        (GROWS, "takes more than 4 GB of memory"),
        (BREAKS, "The file could not be read; the log says why."),
    ],
)
def test_a_file_that_is_too_much_for_its_reader_is_refused(halden: Company, word: str, why: str) -> None:
    row = import_queue.start(CALL + word.encode(), "call.txt", DocumentFields(), confirmed=True)
    import_queue.run(row.pk)
    row.refresh_from_db()
    assert (row.status, row.field) == (Import.Status.FAILED, "file")
    assert why in row.problem
    assert not imported().exists()
    # The next is read.
    assert brought().created


def test_a_file_without_text_says_so_from_the_other_process(halden: Company) -> None:
    row = import_queue.start(b"\0\1\2", "noise.bin", DocumentFields())
    import_queue.run(row.pk)
    row.refresh_from_db()
    assert (row.status, row.field) == (Import.Status.FAILED, "file")
    assert row.problem.startswith("The file is no text: it holds bytes that no text has. ")
    # It is not ended for that.
    (process,) = isolated_reading._idle
    assert process.process.poll() is None
