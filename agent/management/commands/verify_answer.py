"""`manage.py verify_answer`: verifies the answer of a run, or a certificate, against the stored filings."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from agent.certificates.report import Report
from agent.certificates.verify import NotACertificate, verify, verify_run
from agent.models import Run


class Command(BaseCommand):
    """`verify_answer ID`, `verify_answer certificate.json` or `verify_answer --all`."""

    help = "Verify the answer of a run, all saved answers, or the file of a certificate against the stored filings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument(
            "answer", nargs="?", metavar="ID|FILE", help="Identifier of a run, or path of a certificate."
        )
        which.add_argument("--all", action="store_true", help="Every saved answer.")

    def handle(self, *args: Any, answer: str | None, **options: Any) -> None:
        if answer is None:
            self.verify_all()
            return
        report = self.report(answer)
        for problem in report.problems:
            self.stdout.write(problem.said)
        for one in report.claims:
            self.stdout.write(f"{one.status.replace('_', ' ')}: {one.detail}")
        self.stdout.write(f"signature: {report.signature.replace('_', ' ')}")
        if not report.holds:
            raise CommandError("The answer differs from the stored filings, or the certificate was changed.")

    def verify_all(self) -> None:
        """Name the saved answers that differ, and say how many hold. Raises CommandError where any differs."""
        held = seen = 0
        for run in Run.objects.exclude(outcome="").order_by("created", "pk").iterator(chunk_size=100):
            report = verify_run(run)
            if report is None:
                continue
            seen += 1
            held += report.holds
            if not report.holds:
                self.stdout.write(f"{run.pk} differs: {run.question}")
        self.stdout.write(f"{held:,} of {seen:,} saved answers hold.")
        if held < seen:
            raise CommandError(f"{seen - held:,} of them differ from the stored filings.")

    def report(self, answer: str) -> Report:
        """The verification of a run or of a file. Raises CommandError."""
        try:
            run = UUID(answer)
        except ValueError:
            return verified_file(Path(answer))
        found = Run.objects.filter(pk=run).first()
        report = verify_run(found) if found else None
        if report is None:
            raise CommandError(f"There is no answer of a run {answer}.")
        return report


def verified_file(path: Path) -> Report:
    """The verification of a certificate in a file, compared with its run where that is stored. Raises CommandError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        run = Run.objects.filter(pk=UUID(data["run"])).first()
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise CommandError(f"{path} is not a certificate.") from error
    try:
        return verify(data, run)
    except NotACertificate as error:
        raise CommandError(f"{path} is not a certificate. {error}") from error
