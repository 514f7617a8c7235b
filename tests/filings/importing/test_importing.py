"""One file becomes one document, however often it is brought."""

from datetime import date
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from filings.importing import importing, original_files
from filings.importing.document_fields import ImportRefused
from filings.importing.importing import import_document
from filings.models import Chunk, Company, Document, Filing, Section
from filings.search import active_indexes, requests
from filings.text import embeddings
from tests.support.brought import CALL, PLAIN, QUARTERLY, WHOLE, brought, given, imported
from tests.support.holdings import known
from tests.support.searchable import MadeUp


def refused(content: bytes = CALL, filename: str = "call.txt", **written: str) -> str:
    """The field for which a file is refused; nothing of it is stored."""
    before = (Filing.objects.count(), Chunk.objects.count())
    with pytest.raises(ImportRefused) as raised:
        import_document(content, filename, given(**written))
    assert (Filing.objects.count(), Chunk.objects.count()) == before
    assert raised.value.why.endswith((".", "?"))
    return raised.value.field


def test_a_call_is_stored_as_what_it_says_it_is(halden: Company) -> None:
    made = brought()
    filing = made.filing
    assert made.created
    assert (filing.company, filing.source, filing.form, filing.fiscal_year, filing.fiscal_quarter) == (
        halden,
        "call",
        "",
        2024,
        3,
    )
    assert (filing.filed, filing.period_end) == (date(2024, 11, 6), date(2024, 9, 30))
    assert (filing.is_primary, filing.is_imported, filing.document_status) == (False, True, "held")
    document = Document.objects.get(filing=filing)
    assert (document.filename, document.size) == ("call.txt", len(CALL))
    assert original_files.read(document.sha256) == CALL
    assert "nine weeks to five" in "".join(Section.objects.filter(filing=filing).values_list("text", flat=True))
    assert filing.chunks_stored == Chunk.objects.filter(filing=filing).count() > 0


def test_its_passages_are_found(halden: Company) -> None:
    filing = brought().filing
    assert filing.indexed.startswith("embedded:")
    search = requests.start("lead times backlog", requests.Filters(cik=halden.cik))
    requests.run(search.pk)
    search.refresh_from_db()
    assert [row["accession"] for row in search.results] == [filing.accession]


def test_a_quarter_is_found_from_the_day_that_the_cover_page_says(halden: Company) -> None:
    filing = brought(QUARTERLY, "whatever-2019Q1.html", date="2024-11-08").filing
    assert (filing.source, filing.fiscal_year, filing.fiscal_quarter) == ("10-Q", 2024, 3)
    assert filing.period_end == date(2024, 9, 30)


def test_a_period_is_never_taken_from_a_file_name(halden: Company) -> None:
    assert refused(PLAIN, "Halden-2024Q3-call-2024-11-06.txt", company="HLDN", kind="call") == "period"


def test_what_is_given_goes_before_what_the_document_says(halden: Company) -> None:
    other = known("Tromsdal Glass, Inc.", "TRMG", 9_999_999_912)
    filing = brought(company="TRMG", period="2023Q2", date="2023-08-01", title="A call").filing
    assert (filing.company, filing.fiscal_year, filing.fiscal_quarter, filing.title) == (other, 2023, 2, "A call")
    # Nothing is known of its calendar.
    assert filing.period_end is None


@pytest.mark.parametrize(
    ("left_out", "field"),
    [("company", "company"), ("kind", "kind"), ("period", "period"), ("date", "date")],
)
def test_what_neither_a_person_nor_the_document_says_is_asked(halden: Company, left_out: str, field: str) -> None:
    assert refused(PLAIN, **{**WHOLE, left_out: ""}) == field
    assert brought(PLAIN, **WHOLE).created


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"company": "NOBODY"}, "company"),
        ({"company": "99999999999999999999999"}, "company"),
        ({"kind": "poem"}, "kind"),
        ({"period": "last year"}, "period"),
        ({"period": "2024Q5"}, "period"),
        ({"period": "0024"}, "period"),
        ({"period": "2024Q1"}, "period"),  # of a kind that reports on years
        ({"date": "1 August"}, "date"),
        ({"date": "2024-02-30"}, "date"),
        ({"title": "x" * 301}, "title"),
        ({"title": "a\0b"}, "title"),
        ({"address": "javascript:alert(1)"}, "address"),
        ({"address": "https://example.com/" + "x" * 1000}, "address"),
    ],
)
def test_a_wrong_field_is_named(halden: Company, wrong: dict[str, str], field: str) -> None:
    with pytest.raises(ImportRefused) as raised:
        import_document(PLAIN, "minutes.txt", given(**{**WHOLE, **wrong}))
    assert raised.value.field == field
    assert not imported().exists()


@pytest.mark.parametrize("content", [b"", b"  \n\n ", b"\0\1\2 no text", b"<html><body></body></html>"])
def test_a_file_without_text_is_refused(halden: Company, content: bytes) -> None:
    assert refused(content, **WHOLE) == "file"
    assert not list(original_files.path_of("x").parent.parent.glob("*/*"))


def test_a_file_of_more_bytes_than_the_limit_is_refused(halden: Company, settings: Settings) -> None:
    settings.IMPORT_MOST_BYTES = len(PLAIN) - 1
    assert refused(PLAIN, **WHOLE) == "file"
    settings.IMPORT_MOST_BYTES = len(PLAIN)
    assert brought(PLAIN, **WHOLE).created


@pytest.mark.parametrize(
    ("filename", "held"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\minutes.txt", "minutes.txt"),
        ("x" * 300 + ".txt", "x" * 196 + ".txt"),
        ("y" * 300, "y" * 200),
        ("<script>.html", "<script>.html"),
    ],
)
def test_a_hostile_name_names_no_path(halden: Company, filename: str, held: str) -> None:
    filing = brought(PLAIN, filename, **WHOLE).filing
    assert filing.documents.get().filename == held
    assert original_files.read(filing.documents.get().sha256) == PLAIN


@pytest.mark.parametrize("filename", ["", ".", "..", "a/..", "mi\0nutes.txt", "two\nlines.txt", "half\ud800.txt"])
def test_a_name_that_is_none_is_refused(halden: Company, filename: str) -> None:
    assert refused(PLAIN, filename, **WHOLE) == "file"


def test_the_same_file_again_is_the_same_document(halden: Company) -> None:
    first = brought().filing
    rows = list(Chunk.objects.filter(filing=first).values())
    again = brought(CALL, "another-name.txt")
    assert (again.filing, again.created, again.changed, again.differs) == (first, False, (), ())
    assert list(Chunk.objects.filter(filing=first).values()) == rows
    assert first.documents.get().filename == "call.txt"


def test_what_is_held_otherwise_is_changed_only_where_that_is_asked(halden: Company) -> None:
    first = brought().filing
    again = brought(period="2024Q2", title="The call")
    assert (again.created, again.differs) == (False, ("period", "title"))
    assert Filing.objects.get(pk=first.pk).fiscal_quarter == 3
    changed = import_document(CALL, "call.txt", given(period="2024Q2", title="The call"), update=True)
    assert (changed.filing, changed.created, changed.changed) == (first, False, ("period", "title"))
    held = Filing.objects.get(pk=first.pk)
    assert (held.fiscal_quarter, held.period_end, held.title) == (2, date(2024, 6, 30), "The call")
    assert (held.source, held.filed) == ("call", date(2024, 11, 6))
    assert held.indexed.startswith("embedded:")


def test_the_same_file_of_another_company_is_refused(halden: Company) -> None:
    brought()
    known("Tromsdal Glass, Inc.", "TRMG", 9_999_999_912)
    assert refused(company="TRMG") == "company"


def test_a_row_without_its_original_gets_it_back(halden: Company) -> None:
    filing = brought().filing
    sha256 = filing.documents.get().sha256
    original_files.path_of(sha256).write_bytes(b"damaged")
    assert not brought().created
    assert original_files.read(sha256) == CALL


def test_prune_leaves_originals(halden: Company) -> None:
    sha256 = brought().filing.documents.get().sha256
    call_command("prune", days=0)
    assert original_files.read(sha256) == CALL


def test_without_an_embedding_passages_wait_for_their_vectors(halden: Company, model: MadeUp) -> None:
    model.down = True
    embeddings.forget()
    filing = brought().filing
    assert filing.chunks_stored
    assert filing.indexed.endswith(":words")


def test_an_import_that_is_stopped_before_it_is_stored_leaves_nothing(halden: Company) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_document(CALL, "call.txt", given(), beat=stop)
    assert not imported().exists()


STEPS = ("read_within", "embed", "known", "store", "index")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("after", [False, True])
def test_an_import_killed_between_its_steps_is_finished_by_the_next(
    halden: Company, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    ordinary = getattr(importing, step)

    def dies(*args: object, **options: bool) -> object:
        if after:
            ordinary(*args, **options)
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(importing, step, dies)
        with pytest.raises(SystemExit):
            brought()
    filing = brought().filing
    assert imported().get() == filing
    from filings.tasks import index_waiting

    index_waiting()
    filing.refresh_from_db()
    assert active_indexes.indexes()[0].counts([filing.pk]) == {filing.pk: filing.chunks_stored}
    assert original_files.read(filing.documents.get().sha256) == CALL
    assert filing.sections.exclude(text="").count() == 1


def test_originals_are_complete_or_absent(halden: Company, tmp_path: Path) -> None:
    sha256 = original_files.write(CALL)
    path = original_files.path_of(sha256)
    path.write_bytes(path.read_bytes()[:-10])
    assert original_files.read(sha256) is None
    original_files.write(CALL)
    assert original_files.read(sha256) == CALL
    original_files.delete(sha256)
    original_files.delete(sha256)
    assert original_files.read(sha256) is None
