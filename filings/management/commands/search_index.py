"""`manage.py search_index rebuild | status | verify`: maintains the search index."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = (
        "Maintain the search index: rebuild it while the current one stays in use, print its contents, or compare it "
        "with the database and repair it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=("rebuild", "status", "verify"))
        parser.add_argument("--dry-run", action="store_true", help="verify: list the differences; repair nothing.")

    def handle(self, *args: Any, **options: Any) -> None:
        from filings.search.index import IndexMismatch, SearchUnavailable

        try:
            getattr(self, options["action"])(options)
        except (SearchUnavailable, IndexMismatch) as error:
            raise CommandError(str(error)) from error

    def rebuild(self, options: dict[str, Any]) -> None:
        from filings.search import maintenance

        filings = maintenance.rebuild(self.stdout.write)
        self.stdout.write(f"{filings} filings are indexed.")

    def status(self, options: dict[str, Any]) -> None:
        from filings.models import Chunk, Filing
        from filings.search import indexing, maintenance

        filings, chunks = Filing.objects.filter(chunks_stored__gt=0).count(), Chunk.objects.count()
        self.stdout.write(f"Database: {filings} filings, {chunks:,} chunks.")
        found = maintenance.status()
        for one in found:
            holds = one.problem or f"{one.filings} filings, {one.chunks:,} chunks."
            self.stdout.write(f"{one.name}: {one.model}, {one.dimensions} dimensions: {holds}")
        self.stdout.write(f"Waiting: {indexing.waiting().count()} filings.")
        if any(one.problem for one in found):
            raise CommandError("An index cannot be used.")

    def verify(self, options: dict[str, Any]) -> None:
        from filings.search import active_indexes, maintenance

        differing = 0
        for index in active_indexes.indexes():
            differences = maintenance.compare(index)
            self.stdout.write(
                f"{index.name}: {len(differences.differ)} filings differ, "
                f"{len(differences.unknown)} are unknown to the database, "
                f"{len(differences.unsaid)} are marked as waiting but are indexed."
            )
            differing += bool(differences)
            if differences and not options["dry_run"]:
                maintenance.mend(differences, self.stdout.write)
                if maintenance.compare(index):
                    raise CommandError(f"{index.name} could not be mended: run manage.py search_index rebuild.")
        if differing and options["dry_run"]:
            raise CommandError("The index differs from the database: run manage.py search_index verify.")
