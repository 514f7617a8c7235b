"""`manage.py golden_candidates`: what reviewers have approved, as lines for the goldens."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from agent.models import GoldenCandidate
from evals.candidates import NotExportable, rows


class Command(BaseCommand):
    help = "Print approved golden candidates as JSON lines, each a row for a file of evals/goldens."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--proposed", action="store_true", help="those that wait for review too")

    def handle(self, *args: Any, **options: Any) -> None:
        statuses = [GoldenCandidate.Status.APPROVED]
        if options["proposed"]:
            statuses.append(GoldenCandidate.Status.PROPOSED)
        for row in rows(GoldenCandidate.objects.filter(status__in=statuses).order_by("pk")):
            if isinstance(row, NotExportable):
                self.stderr.write(str(row))
            else:
                self.stdout.write(row.model_dump_json(exclude_defaults=True))
