"""Imported documents are withdrawn, restored and deleted in the admin, and the index follows."""

import pytest
from django.contrib.auth.models import Permission
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from accounts.models import User
from filings.importing import import_queue, original_files, withdrawal
from filings.models import Chunk, Company, Filing, Import, Section
from filings.search import active_indexes, indexing, maintenance, requests
from filings.search.index import SearchUnavailable
from filings.tasks import index_waiting
from tests.conftest import signed_in
from tests.support.brought import CALL, PLAIN, WHOLE, brought

LIST = reverse("admin:filings_importeddocument_changelist")


def found(company: Company) -> list[str]:
    """The documents that a search of the page finds."""
    search = requests.start("lead times backlog", requests.Filters(cik=company.cik))
    requests.run(search.pk)
    search.refresh_from_db()
    assert search.status == "done"
    return [row["accession"] for row in search.results]


def in_index(filing: Filing) -> int:
    return active_indexes.indexes()[0].counts([filing.pk]).get(filing.pk, 0)


def act(client: Client, action: str, *filings: Filing) -> HttpResponse:
    return client.post(LIST, {"action": action, "_selected_action": [one.pk for one in filings]})


def test_a_withdrawn_document_is_not_found_and_stays_readable(
    halden: Company, as_charlie: Client, client: Client
) -> None:
    filing = brought().filing
    assert found(halden) == [filing.accession]
    assert list(Filing.objects.searched().imported().of_companies([halden.cik])) == [filing]
    assert act(as_charlie, "withdraw", filing).status_code == 302
    # At once, though the index still has it.
    assert in_index(filing)
    assert found(halden) == []
    assert not Filing.objects.searched().imported().of_companies([halden.cik]).exists()
    index_waiting()
    assert in_index(filing) == 0
    filing.refresh_from_db()
    assert (bool(filing.withdrawn), filing.indexed) == (True, "")
    assert not indexing.waiting().exists()
    section = filing.sections.exclude(text="").get()
    assert client.get(section.get_absolute_url()).status_code == 200
    assert "Withdrawn" in client.get(filing.get_absolute_url()).content.decode()
    assert client.get(f"/filings/{filing.accession}/original").content == CALL


def test_a_restored_document_is_found_again(halden: Company, as_charlie: Client) -> None:
    filing = brought().filing
    withdrawal.withdraw(filing)
    index_waiting()
    assert act(as_charlie, "restore", filing).status_code == 302
    index_waiting()
    assert found(halden) == [filing.accession]
    assert in_index(filing) == filing.chunks_stored


def test_a_withdrawal_while_the_index_is_away_is_finished_by_the_sweep(
    halden: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    filing = brought().filing
    withdrawal.withdraw(filing)
    index = active_indexes.indexes()[0]

    def away(pk: int) -> None:
        raise SearchUnavailable("The index does not answer.")

    with monkeypatch.context() as patched:
        patched.setattr(index, "drop", away)
        index_waiting()
    assert list(indexing.waiting()) == [filing]
    index_waiting()
    assert in_index(filing) == 0


def test_a_rebuilt_index_has_no_withdrawn_document(halden: Company) -> None:
    filing, other = brought().filing, brought(PLAIN, "minutes.txt", **WHOLE).filing
    Filing.objects.exclude(pk__in=[filing.pk, other.pk]).update(chunks_stored=0)
    withdrawal.withdraw(filing)
    maintenance.rebuild()
    assert (in_index(filing), in_index(other)) == (0, other.chunks_stored)


def test_a_withdrawn_file_that_is_brought_again_stays_withdrawn(halden: Company) -> None:
    filing = brought().filing
    withdrawal.withdraw(filing)
    again = brought()
    assert not again.created
    assert again.filing.withdrawn is not None


def test_a_withdrawn_document_is_deleted_with_its_rows_entries_and_original(
    halden: Company, as_charlie: Client, client: Client
) -> None:
    filing = brought().filing
    sha256 = filing.documents.get().sha256
    act(as_charlie, "delete_documents", filing)
    assert Filing.objects.filter(pk=filing.pk).exists(), "it must be withdrawn first"
    withdrawal.withdraw(filing)
    act(as_charlie, "delete_documents", filing)
    assert not Filing.objects.filter(pk=filing.pk).exists()
    assert not Chunk.objects.filter(filing_id=filing.pk).exists()
    assert not Section.objects.filter(filing_id=filing.pk).exists()
    assert original_files.read(sha256) is None
    assert client.get(filing.get_absolute_url()).status_code == 404
    index_waiting()
    assert in_index(filing) == 0
    withdrawal.delete(filing)  # once more
    assert brought().created


def test_an_original_that_a_file_on_its_way_needs_is_kept(halden: Company) -> None:
    filing = brought().filing
    row = import_queue.start(CALL, "call.txt", import_queue.DocumentFields(), confirmed=True)
    withdrawal.delete(filing)
    import_queue.run(row.pk)
    row.refresh_from_db()
    assert (row.status, row.held_before) == (Import.Status.DONE, False)


def test_filings_of_the_sec_cannot_be_withdrawn_or_deleted(halden: Company, as_charlie: Client) -> None:
    own = halden.filings.get()
    for action in ("withdraw", "delete_documents"):
        act(as_charlie, action, own)
    Filing.objects.filter(pk=own.pk).update(withdrawn=now())
    withdrawal.delete(own)
    assert Filing.objects.filter(pk=own.pk).exists()


def test_the_admin_lists_and_shows_documents(halden: Company, as_charlie: Client) -> None:
    filing = brought(title="Autumn call").filing
    listed = as_charlie.get(LIST).content.decode()
    assert filing.accession in listed
    assert halden.filings.get(form="10-K").accession not in listed
    shown = as_charlie.get(reverse("admin:filings_importeddocument_change", args=[filing.pk]))
    assert f"/filings/{filing.accession}/original" in shown.content.decode()
    assert filing not in as_charlie.get(f"{LIST}?withdrawn=yes").context["cl"].queryset
    assert filing in as_charlie.get(f"{LIST}?withdrawn=no").context["cl"].queryset


def test_each_action_needs_its_permission(halden: Company, bob: User) -> None:
    filing = brought().filing
    bob.is_staff = True
    bob.save()
    permissions = {one.codename: one for one in Permission.objects.filter(codename__endswith="importeddocument")}
    bob.user_permissions.add(permissions["view_importeddocument"])
    act(signed_in(User.objects.get(pk=bob.pk)), "withdraw", filing)
    assert Filing.objects.get(pk=filing.pk).withdrawn is None
    bob.user_permissions.add(permissions["change_importeddocument"])
    may_withdraw = signed_in(User.objects.get(pk=bob.pk))
    act(may_withdraw, "withdraw", filing)
    assert Filing.objects.get(pk=filing.pk).withdrawn is not None
    act(may_withdraw, "delete_documents", filing)
    assert Filing.objects.filter(pk=filing.pk).exists()
