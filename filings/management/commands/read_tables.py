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
        count, failed = filings.count(), 0
        for number, pk in enumerate(list(filings.values_list("pk", flat=True)), 1):
            filing = filings.model.objects.select_related("company").get(pk=pk)
            read = read_stored(filing)
            failed += not read.whole
            left = "" if read.whole else "; others could not be read, see the log"
            self.stdout.write(f"{number} of {count}: {filing}, {len(read.tables):,} tables with figures{left}")
        self.stdout.write(f"The figures of {count:,} filings read.")
        if failed:
            self.stdout.write(f"Of {failed:,} of them some could not be read: they are read again the next time.")
