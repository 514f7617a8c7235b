"""`POST /documents`: staff send a file as multipart/form-data; everybody else is refused."""

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from agent.web import waiting
from filings.importing import import_queue
from filings.models import Company, Import
from tests.agent.api.conftest import program
from tests.conftest import signed_in
from tests.filings.search.conftest import model
from tests.support.brought import CALL, PLAIN, WHOLE, imported
from tests.support.clock import Clock
from tests.support.holdings import annual_report, known

__all__ = ["model"]
API = "/api/v1/documents"


@pytest.fixture(autouse=True)
def halden(model: object, settings: Settings, db: None) -> Company:
    settings.INGEST_FILING_DEADLINE = 0
    company = known("Halden Optics, Inc.", "HLDN", 9_999_999_911)
    annual_report(company, 2023)
    return company


@pytest.fixture
def importer(charlie: User) -> Client:
    return program(charlie, "import")


@pytest.fixture
def at_work(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A worker reads what is queued while a request waits."""

    def work(seconds: float = 0) -> None:
        for pk in Import.objects.filter(status=Import.Status.QUEUED).values_list("pk", flat=True):
            import_queue.run(pk)

    monkeypatch.setattr(waiting, "time", Clock(work))
    return work


def send(client: Client, content: bytes = CALL, filename: str = "call.txt", **fields: str) -> HttpResponse:
    return client.post(API, {"file": SimpleUploadedFile(filename, content), **fields})


def test_a_file_becomes_a_document_at_its_address(importer: Client, charlie: User, at_work: object) -> None:
    response = send(importer)
    filing = imported().get()
    assert response.status_code == 201, response.content
    assert response["Location"] == response.json()["document"] == f"/api/v1/filings/{filing.accession}"
    assert response.json()["accession"] == filing.accession
    assert filing.added_by == charlie
    reader = program(charlie, "read")
    assert reader.get(response["Location"]).json()["cik"] == 9_999_999_911


def test_the_same_file_again_is_held_already(importer: Client, at_work: object) -> None:
    first = send(importer).json()
    again = send(importer, period="2024Q1")
    assert (again.status_code, again.json()["accession"]) == (200, first["accession"])
    assert again.json()["differs"] == ["period"]
    assert Import.objects.count() == 1


def test_while_no_worker_has_read_it_the_address_of_the_import_is_given(importer: Client) -> None:
    response = send(importer)
    assert (response.status_code, response["Retry-After"]) == (202, "1")
    row = Import.objects.get()
    assert response["Location"] == f"{API}/{row.pk}"
    assert importer.get(response["Location"]).json()["status"] == "queued"
    import_queue.run(row.pk)
    done = importer.get(response["Location"]).json()
    assert (done["status"], done["document"]) == (
        "done",
        f"/api/v1/filings/{imported().get().accession}",
    )


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"kind": "poem"}, "kind"),
        ({"company": "NOBODY"}, "company"),
        ({"period": "soon"}, "period"),
        ({"date": "tomorrow"}, "date"),
        ({"title": "x" * 301}, "title"),
        ({**WHOLE, "date": ""}, "date"),
    ],
)
def test_a_wrong_or_missing_field_is_named_in_a_sentence(
    importer: Client, at_work: object, fields: dict[str, str], field: str
) -> None:
    response = send(importer, PLAIN, **fields)
    problem = response.json()
    assert (response.status_code, problem["reason"]) == (400, "not_imported")
    assert [one["field"] for one in problem["errors"]] == [field]
    assert problem["detail"] == problem["errors"][0]["message"]
    assert problem["detail"].endswith(".")
    assert not imported().exists()


def test_an_empty_file_is_refused(importer: Client) -> None:
    response = send(importer, b"")
    assert (response.status_code, response.json()["errors"][0]["field"]) == (400, "file")
    assert not Import.objects.exists()


def test_a_request_without_a_file_is_not_valid(importer: Client) -> None:
    response = importer.post(API, {"company": "HLDN"})
    assert (response.status_code, response.json()["errors"][0]["field"]) == (422, "file")


def test_only_multipart_is_taken(importer: Client) -> None:
    response = importer.post(API, {"file": "x"}, content_type="application/json")
    assert (response.status_code, response.json()["reason"]) == (415, "unsupported_media_type")


def test_only_staff_with_the_permission_and_the_scope_may(alice: User, bob: User, charlie: User) -> None:
    bob.is_staff = True
    bob.save()
    refused = {
        "visitor": Client(),
        "user": signed_in(alice),
        "a user's token": program(alice, "import"),
        "staff without the permission": program(bob, "import"),
        "staff's token for questions": program(charlie, "ask", "read"),
    }
    for who, client in refused.items():
        response = send(client)
        assert response.status_code == 403, who
        assert client.get(f"{API}/00000000-0000-0000-0000-000000000000").status_code == 403, who
    assert not Import.objects.exists()


def test_a_session_of_staff_needs_the_csrf_token(charlie: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(charlie)
    assert send(client).status_code == 403
    assert not Import.objects.exists()


def test_staff_may_send_more_bytes_than_others_and_no_more_than_the_limit(
    importer: Client, alice: User, settings: Settings
) -> None:
    settings.IMPORT_MOST_BYTES = 200_000
    long = b"A sentence of a report. " * 6_000
    assert send(program(alice, "import"), long).status_code == 413
    assert send(Client(), long).status_code == 413
    assert send(importer, long, **WHOLE).status_code == 202
    assert send(importer, long * 2).status_code == 413


def test_an_unknown_import_is_not_found(importer: Client) -> None:
    assert importer.get(f"{API}/00000000-0000-0000-0000-000000000000").status_code == 404
