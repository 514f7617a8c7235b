"""`manage.py evals_lint`: fails where goldens contradict themselves or their source, or something has none."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from evals import golden_lint, mirror

REPORT = Path(golden_lint.__file__).parent / "reports" / "goldens.md"


class Command(BaseCommand):
    """Needs the sample, whose questions it reads."""

    help = "List the faults of the test questions (goldens), and what has none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--report", action="store_true", help="Write how many goldens ask for each into evals/reports/goldens.md."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        covered = golden_lint.coverage()
        if options["report"]:
            REPORT.write_text(golden_lint.report(covered), encoding="utf-8")
        if not mirror.is_there():
            self.stdout.write("Figures of parts are not compared with the filings: ../shared/edgar is not there.")
        if faults := golden_lint.faults(covered):
            raise CommandError("\n".join((*faults, f"{len(faults)} faults")))
        self.stdout.write(f"{sum(1 for _ in golden_lint.questions())} goldens, no fault.")
