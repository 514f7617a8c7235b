"""Withdraws, restores and deletes imported documents.

Rows decide at once what is searched and cited; the index, which only workers reach, follows within a minute
(`filings.search.indexing.index_waiting`).
"""

from django.db import transaction
from django.utils.timezone import now

from filings.importing import original_files, page_pictures
from filings.models import Company, Document, Filing, Import


def withdraw(filing: Filing) -> bool:
    """Withdraw a document: it stays readable and is no longer searched or cited. False where it was withdrawn."""
    changed = Filing.objects.imported().filter(pk=filing.pk, withdrawn=None).update(withdrawn=now())
    Company.objects.count_figures(filing.company_id)
    return bool(changed)


def restore(filing: Filing) -> bool:
    """Let a withdrawn document be searched and cited again. False where it was not withdrawn."""
    held = Filing.objects.imported().filter(pk=filing.pk, withdrawn__isnull=False)
    changed = held.update(withdrawn=None, indexed="")
    Company.objects.count_figures(filing.company_id)
    return bool(changed)


def delete(filing: Filing) -> None:
    """Delete a document: its rows and its original. Safe to call twice, and to be killed at any line."""
    files = set(
        Document.objects.filter(filing=filing, filing__in=Filing.objects.imported()).values_list("sha256", flat=True)
    )
    with transaction.atomic():
        Filing.objects.imported().filter(pk=filing.pk).delete()
        Company.objects.count_figures(filing.company_id)
    for sha256 in files:
        forget_original(sha256)


def forget_original(sha256: str) -> None:
    """Delete an original, and its pictures, that neither a document nor a file on its way refers to."""
    waits = Import.objects.filter(sha256=sha256).exclude(status__in=[Import.Status.DONE, Import.Status.FAILED])
    if (
        not Document.objects.filter(sha256=sha256, filing__in=Filing.objects.imported()).exists()
        and not waits.exists()
    ):
        original_files.delete(sha256)
        page_pictures.forget(sha256)
