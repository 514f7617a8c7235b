"""`manage.py read_tables`: reads the figures of tables from the text that is stored."""

from typing import Any

from django.core.management.base import BaseCommand

from filings.ingest.stored_figures import read_stored, waiting


class Command(BaseCommand):
    """One filing a transaction, so that it may be stopped and started again."""

    help = (
        "Read the figures of the tables of all stored filings that were ingested or imported by an earlier release."
        " Nothing is fetched; what was read is not read again."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        filings = waiting()
        count = filings.count()
        for number, pk in enumerate(list(filings.values_list("pk", flat=True)), 1):
            filing = filings.model.objects.select_related("company").get(pk=pk)
            self.stdout.write(f"{number} of {count}: {filing}, {read_stored(filing):,} tables with figures")
        self.stdout.write(f"The figures of {count:,} filings read.")
