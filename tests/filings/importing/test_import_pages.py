"""The pages on which staff bring files: who may, what is asked, and what is served back."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from filings.importing import import_queue, withdrawal
from filings.models import Company, Import
from tests.conftest import signed_in
from tests.support.brought import CALL, PLAIN, QUARTERLY, brought, imported

PAGE = "/documents/import"


def send(client: Client, *files: tuple[str, bytes], **fields: str) -> HttpResponse:
    return client.post(PAGE, {"file": [SimpleUploadedFile(*one) for one in files], **fields})


def read_all() -> None:
    for pk in Import.objects.values_list("pk", flat=True):
        import_queue.run(pk)


def confirmed(client: Client, row: Import, **fields: str) -> HttpResponse:
    """The form of a file as its page shows it, with some fields typed."""
    page = client.get(PAGE)
    form = next(form for one, form in page.context["imports"] if one.pk == row.pk)
    data: dict[str, Any] = {form.add_prefix(name): fields.get(name, form.initial[name]) for name in form.fields}
    return client.post(f"{PAGE}/{row.pk}", data)


def test_the_page_is_for_staff_with_the_permission_and_exists_for_nobody_else(
    halden: Company, as_alice: Client, as_charlie: Client, bob: User
) -> None:
    row = import_queue.start(CALL, "call.txt", import_queue.DocumentFields())
    bob.is_staff = True
    bob.save()
    for client in (Client(), as_alice, signed_in(bob)):
        assert client.get(PAGE).status_code == 404
        assert send(client, ("call.txt", CALL)).status_code == 404
        assert client.get(f"{PAGE}/{row.pk}/progress", headers={"HX-Request": "true"}).status_code == 404
        assert client.post(f"{PAGE}/{row.pk}", {"discard": "1"}).status_code == 404
        assert PAGE not in client.get("/companies").content.decode()
    assert Import.objects.count() == 1
    bob.user_permissions.add(Permission.objects.get(codename="add_import"))
    for client in (as_charlie, signed_in(User.objects.get(pk=bob.pk))):
        assert client.get(PAGE).status_code == 200
        assert PAGE in client.get("/companies").content.decode()
        assert f"{PAGE}?company={halden.cik}" in client.get(halden.get_absolute_url()).content.decode()
    assert f'href="{PAGE}"' in as_charlie.get(reverse("admin:index")).content.decode()


def test_several_files_are_read_and_stored_once_they_are_confirmed(halden: Company, as_charlie: Client) -> None:
    response = send(as_charlie, ("call.txt", CALL), ("report.html", QUARTERLY), date="2024-11-08")
    assert (response.status_code, response["Location"]) == (302, PAGE)
    assert set(Import.objects.values_list("filename", "status")) == {("call.txt", "queued"), ("report.html", "queued")}
    assert as_charlie.get(PAGE).content.decode().count('hx-trigger="every 2s"') == 2
    read_all()
    assert not imported().exists()
    call, report = (Import.objects.get(filename=name) for name in ("call.txt", "report.html"))
    page = as_charlie.get(PAGE)
    forms = {row.filename: form.initial for row, form in page.context["imports"]}
    assert forms["call.txt"] | {"title": ""} == {
        "company": "HLDN",
        "kind": "call",
        "period": "2024Q3",
        "date": "2024-11-08",
        "title": "",
        "address": "",
    }
    assert (forms["report.html"]["kind"], forms["report.html"]["period"]) == ("10-Q", "2024Q3")
    assert confirmed(as_charlie, call, title="Autumn call").status_code == 302
    assert confirmed(as_charlie, report, period="2024Q2").status_code == 302
    read_all()
    assert set(imported().values_list("source", "fiscal_quarter", "title")) == {
        ("call", 3, "Autumn call"),
        ("10-Q", 2, report.title),
    }
    shown = as_charlie.get(PAGE).content.decode()
    assert all(one.get_absolute_url() in shown for one in imported())


def test_a_wrong_file_is_named_and_the_others_are_taken(halden: Company, as_charlie: Client) -> None:
    response = send(as_charlie, ("call.txt", CALL), ("empty.txt", b""))
    assert response.status_code == 422
    assert "empty.txt: The file is empty." in response.content.decode()
    assert [one.filename for one in Import.objects.all()] == ["call.txt"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"company": "NOBODY"}, "No company called"),
        ({"period": "soon"}, "is no period"),
        ({"date": "soon"}, "is no day"),
        ({"kind": "poem"}, "poem"),
    ],
)
def test_a_wrong_field_is_said_at_the_field(
    halden: Company, as_charlie: Client, fields: dict[str, str], said: str
) -> None:
    response = send(as_charlie, ("call.txt", CALL), **fields)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert not Import.objects.exists()


def test_without_a_file_the_page_asks_for_one(halden: Company, as_charlie: Client) -> None:
    response = as_charlie.post(PAGE, {"company": "HLDN"})
    assert (response.status_code, "Choose a file first." in response.content.decode()) == (422, True)


def test_what_the_document_does_not_say_must_be_said(halden: Company, as_charlie: Client) -> None:
    send(as_charlie, ("minutes.txt", PLAIN), company="HLDN")
    read_all()
    row = Import.objects.get()
    response = confirmed(as_charlie, row, kind="report", period="2024")
    assert response.status_code == 422
    assert "does not say its date" in response.content.decode()
    # What was typed stands there still.
    assert 'value="2024"' in response.content.decode()
    confirmed(as_charlie, row, kind="report", period="2024", date="2025-02-01")
    read_all()
    assert imported().get().fiscal_year == 2024


def test_a_file_that_cannot_be_read_says_so_and_can_be_forgotten(halden: Company, as_charlie: Client) -> None:
    send(as_charlie, ("noise.txt", b"\0\1\2"))
    read_all()
    row = Import.objects.get()
    polled = as_charlie.get(f"{PAGE}/{row.pk}/progress", headers={"HX-Request": "true"})
    assert "Not imported." in polled.content.decode()
    assert 'hx-swap-oob="innerHTML"' in polled.content.decode()
    assert as_charlie.post(f"{PAGE}/{row.pk}", {"discard": "1"}).status_code == 302
    assert not Import.objects.exists()
    gone = as_charlie.get(f"{PAGE}/{row.pk}/progress", headers={"HX-Request": "true"})
    assert gone["HX-Redirect"] == f"{PAGE}/{row.pk}"
    assert as_charlie.get(f"{PAGE}/{row.pk}", follow=True).redirect_chain == [(PAGE, 302)]


def test_markup_in_names_and_titles_is_shown_as_text(halden: Company, as_charlie: Client) -> None:
    title = "<script>alert(1)</script>"
    send(as_charlie, ("<b>call.txt", CALL))
    read_all()
    confirmed(as_charlie, Import.objects.get(), title=title)
    read_all()
    filing = imported().get()
    for address in (PAGE, filing.get_absolute_url()):
        page = as_charlie.get(address).content.decode()
        assert title not in page
        assert "<b>call" not in page


# --- the original ---


def test_an_original_is_served_as_a_download_that_cannot_run(halden: Company, client: Client) -> None:
    page = b"<html><body><script>alert(document.cookie)</script><p>A report of a kind.</p></body></html>"
    filing = brought(page, 'a "report".html', company="HLDN", kind="report", period="2024", date="2025-02-01").filing
    response = client.get(f"/filings/{filing.accession}/original")
    assert (response.status_code, response.content) == (200, page)
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Disposition"].startswith("attachment; filename=")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"].startswith("sandbox")
    assert f"/filings/{filing.accession}/original" in client.get(filing.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("content", "filename", "served"),
    [
        (CALL, "call.txt", "text/plain; charset=utf-8"),
        (CALL, "call.md", "text/plain; charset=utf-8"),
        (CALL, "call.svg", "application/octet-stream"),
        (CALL, "call.pdf", "application/octet-stream"),
    ],
)
def test_an_original_has_a_type_that_runs_nothing(
    halden: Company, client: Client, content: bytes, filename: str, served: str
) -> None:
    filing = brought(content, filename).filing
    assert client.get(f"/filings/{filing.accession}/original")["Content-Type"] == served


def test_what_is_not_imported_or_not_there_has_no_original(halden: Company, client: Client) -> None:
    own = halden.filings.get()
    assert client.get(f"/filings/{own.accession}/original").status_code == 404
    assert client.get("/filings/doc-0123456789abcdef/original").status_code == 404
    filing = brought().filing
    withdrawal.original_files.delete(filing.documents.get().sha256)
    assert client.get(f"/filings/{filing.accession}/original").status_code == 404


def test_no_more_than_the_limit_is_taken_at_once(
    halden: Company, as_charlie: Client, as_alice: Client, settings: Settings
) -> None:
    settings.IMPORT_MOST_BYTES = 4_000_000
    long = b"A sentence of a report. " * 150_000
    assert send(as_charlie, ("a.txt", long)).status_code == 302
    assert send(as_charlie, ("a.txt", long), ("b.txt", long)).status_code == 413
    # Nobody else may send as much as a file may have.
    assert send(as_alice, ("a.txt", long)).status_code == 413
