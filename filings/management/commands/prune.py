"""`manage.py prune --days 90`: deletes stored EDGAR files that are no longer needed."""

import time
from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.timezone import now

from filings.edgar.raw_files import RawStore

# A younger file may have just been written by another process that has not recorded it yet.
SETTLED_SECONDS = 3600


class Command(BaseCommand):
    help = "Delete stored EDGAR files that nothing refers to; with --days also those not used for so many days."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, help="Also delete files not fetched or checked for this many days.")
        parser.add_argument("--dry-run", action="store_true", help="List what would be deleted; delete nothing.")

    def handle(self, *args: Any, **options: Any) -> None:
        days, dry = options["days"], options["dry_run"]
        if days is not None and days < 0:
            raise CommandError("--days is a number of days, 0 or more.")
        store = RawStore()
        entries = store.older_than(now() - timedelta(days=days)) if days is not None else []
        loose = [path for path in store.unreferenced() if path.stat().st_mtime < time.time() - SETTLED_SECONDS]
        freed = sum(path.stat().st_size for path in {store.path(entry.sha256) for entry in entries} if path.exists())
        freed += sum(path.stat().st_size for path in loose)
        if not dry:
            for entry in entries:
                store.delete(entry)
            for path in loose:
                path.unlink(missing_ok=True)
        verb = "would be deleted" if dry else "deleted"
        self.stdout.write(f"{len(entries)} old and {len(loose)} unreferenced files {verb}, {freed:,} bytes.")
