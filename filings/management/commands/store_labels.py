"""`manage.py store_labels`: stores the names of XBRL elements from files that are already on disk."""

from typing import Any

from django.core.management.base import BaseCommand

from filings.edgar.raw_files import RawStore
from filings.ingest.store_filing import store_elements
from filings.models import RawFile
from filings.xbrl.companyfacts import UnreadableFacts, parse_companyfacts


class Command(BaseCommand):
    help = "Store the labels of XBRL elements from the companyfacts files already on disk; nothing is fetched."

    def handle(self, *args: Any, **options: Any) -> None:
        store, read, lost, new = RawStore(), 0, [], 0
        for entry in RawFile.objects.filter(url__contains="/api/xbrl/companyfacts/"):
            raw = store.read(entry)
            try:
                new += store_elements(parse_companyfacts(raw or b"").elements)
                read += 1
            except UnreadableFacts:
                lost.append(entry.url)
        self.stdout.write(f"{new} labels stored from {read} companyfacts files.")
        for url in lost:
            self.stdout.write(
                f"{url} can no longer be read: its labels are stored when its company is ingested again."
            )
