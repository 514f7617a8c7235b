"""`manage.py golden_candidates`: prints the test questions that reviewers have approved."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from agent.models import GoldenCandidate
from evals.candidates import NotExportable, rows


class Command(BaseCommand):
    help = "Print approved golden candidates as JSON lines, ready to be added to a file in evals/goldens."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--proposed", action="store_true", help="Print also the candidates that wait for review.")

    def handle(self, *args: Any, **options: Any) -> None:
        statuses = [GoldenCandidate.Status.APPROVED]
        if options["proposed"]:
            statuses.append(GoldenCandidate.Status.PROPOSED)
        for row in rows(GoldenCandidate.objects.filter(status__in=statuses).order_by("pk")):
            if isinstance(row, NotExportable):
                self.stderr.write(str(row))
            else:
                self.stdout.write(row.model_dump_json(exclude_defaults=True))
