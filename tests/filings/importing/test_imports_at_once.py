"""One file that several processes import at one time is one document."""

import subprocess
import sys
from pathlib import Path

import pytest

from filings.importing import import_queue, importing
from filings.importing.document_fields import DocumentFields
from filings.importing.importing import Imported
from filings.models import Company, Import
from tests.support.brought import CALL, brought, imported
from tests.support.processes import ROOT, environment

EMPTY = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from filings.models import Company
Company.objects.create(cik=9_999_999_911, name="Halden Optics, Inc.")
"""
HELD = """
import django
django.setup()
from filings.models import Filing
filing = Filing.objects.imported().get()
print(filing.chunks_stored, filing.chunks.count(), filing.documents.count(), filing.sections.exclude(text="").count(), bool(filing.indexed))
"""


@pytest.mark.soak
def test_two_commands_at_once(tmp_path: Path) -> None:
    file = tmp_path / "call.txt"
    file.write_bytes(CALL)
    variables = environment(
        DATA_DIR=str(tmp_path),
        DATABASE_URL=f"sqlite:///{tmp_path / 'diligence.sqlite3'}",
        SECRET_KEY="x",
        INGEST_LIMITS="filing_seconds=0",
        LOG_LEVEL="ERROR",
    )

    def ran(script: str) -> str:
        command = [sys.executable, "-c", script]
        done = subprocess.run(
            command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=120, check=True
        )
        return done.stdout

    ran(EMPTY)
    command = [sys.executable, "manage.py", "import_document", str(file), "--company", "9999999911"]
    both = [
        subprocess.Popen(command, cwd=ROOT, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    ended = [one.communicate(timeout=120) for one in both]
    assert [one.returncode for one in both] == [0, 0], ended
    said = sorted(out.split(": ", 1)[1].split(" as ")[0] for out, _ in ended)
    assert said == ["already held", "imported"]
    assert ran(HELD).split() == ["1", "1", "1", "1", "True"]


def test_another_stores_it_between_the_look_and_the_insert(halden: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    stored: list[Imported] = []
    ordinary = importing.store

    def second(*arguments: object) -> object:
        monkeypatch.setattr(importing, "store", ordinary)
        stored.append(brought())
        return ordinary(*arguments)

    monkeypatch.setattr(importing, "store", second)
    made = brought()
    assert (stored[0].created, made.created) == (True, False)
    assert stored[0].filing == made.filing == imported().get()


def test_the_same_file_on_two_rows_is_one_document(halden: Company) -> None:
    rows = [import_queue.start(CALL, name, DocumentFields(), confirmed=True) for name in ("a.txt", "b.txt")]
    for row in rows:
        import_queue.run(row.pk)
    assert [held for (held,) in Import.objects.order_by("filename").values_list("held_before")] == [False, True]
    assert imported().get().documents.get().filename == "a.txt"
