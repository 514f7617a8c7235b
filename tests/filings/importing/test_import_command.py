"""`manage.py import_document`: files and lists of files, each reported; a bad one does not stop the rest."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from filings.models import Company
from tests.support.brought import CALL, PLAIN, imported


def run(*arguments: object) -> tuple[str, str, bool]:
    """What is printed, what is printed as errors, and whether the exit is 1."""
    out, err = StringIO(), StringIO()
    try:
        call_command("import_document", *map(str, arguments), stdout=out, stderr=err)
    except CommandError as error:
        return out.getvalue(), f"{err.getvalue()}{error}", True
    return out.getvalue(), err.getvalue(), False


@pytest.fixture
def call(tmp_path: Path) -> Path:
    path = tmp_path / "call.txt"
    path.write_bytes(CALL)
    return path


@pytest.fixture
def minutes(tmp_path: Path) -> Path:
    path = tmp_path / "minutes.txt"
    path.write_bytes(PLAIN)
    return path


def test_a_file_is_imported_and_a_second_run_says_that_it_is_held(halden: Company, call: Path) -> None:
    out, err, failed = run(call, "--company", "HLDN", "--kind", "call", "--period", "2024Q3")
    filing = imported().get()
    assert (err, failed) == ("", False)
    assert f"imported as {filing.accession}: Halden Optics (fictional) earnings call 2024Q3" in out
    out, _, failed = run(call, "--company", "HLDN", "--period", "2024Q2")
    assert not failed
    assert f"already held as {filing.accession}" in out
    assert "differs: period (--update changes it)" in out
    out, _, _ = run(call, "--period", "2024Q2", "--update")
    assert "changed: period" in out


def test_what_is_missing_is_named_and_the_other_files_are_imported(halden: Company, call: Path, minutes: Path) -> None:
    out, err, failed = run(minutes, call, minutes.with_name("nowhere.txt"))
    assert failed
    assert "call.txt: imported" in out
    assert "minutes.txt: not imported: company:" in err
    assert "nowhere.txt: not imported: file: The file cannot be read (No such file or directory)." in err
    assert err.endswith("2 of 3 files were not imported.")


def test_a_manifest_is_imported_row_by_row(halden: Company, call: Path, minutes: Path, tmp_path: Path) -> None:
    listing = tmp_path / "list.csv"
    listing.write_text(
        "file,company,kind,period,date,title\n"
        "call.txt,,,,,\n"
        'minutes.txt,HLDN,report,2024,2025-02-01,"Minutes, in full"\n'
        "minutes.txt,AAPL,report,2024,2025-02-01,\n"
        "call.txt,HLDN,poem,,,\n",
        encoding="utf-8",
    )
    out, err, failed = run("--manifest", listing)
    assert failed
    assert set(imported().values_list("source", "title")) == {
        ("call", ""),
        ("report", "Minutes, in full"),
    }
    assert out.count(": imported as ") == 2
    assert "minutes.txt: not imported: company: The same file is held as a document of Halden" in err
    assert "call.txt: not imported: kind: “poem” is no kind" in err
    assert err.endswith("2 of 4 files were not imported.")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name\ncall.txt\n", "has no column file"),
        ("file,author\ncall.txt,me\n", "has unknown columns: author"),
        ("file,company\ncall.txt\n", "line 2, has another number of columns"),
        ("", "has no column file"),
    ],
)
def test_a_wrong_manifest_is_refused_whole(halden: Company, call: Path, tmp_path: Path, text: str, why: str) -> None:
    listing = tmp_path / "list.csv"
    listing.write_text(text, encoding="utf-8")
    _, err, failed = run("--manifest", listing)
    assert failed
    assert why in err
    assert not imported().exists()


def test_a_device_or_a_large_file_is_not_read_whole(halden: Company, call: Path, settings: Settings) -> None:
    settings.IMPORT_MOST_BYTES = 10
    _, err, failed = run(call, "/dev/zero", call.parent)
    assert failed
    assert err.count(": not imported: file: ") == 3


def test_without_a_file_it_says_what_to_name(halden: Company) -> None:
    assert run() == ("", "Name a file, or a --manifest.", True)
