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
    """`verify_answer ID` or `verify_answer certificate.json`."""

    help = "Verify the answer of a run, or the file of a certificate, against the stored filings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("answer", metavar="ID|FILE", help="Identifier of a run, or path of a certificate.")

    def handle(self, *args: Any, answer: str, **options: Any) -> None:
        report = self.report(answer)
        for problem in report.problems:
            self.stdout.write(problem.said)
        for one in report.claims:
            self.stdout.write(f"{one.status.replace('_', ' ')}: {one.detail}")
        self.stdout.write(f"signature: {report.signature.replace('_', ' ')}")
        if not report.holds:
            raise CommandError("The answer differs from the stored filings, or the certificate was changed.")

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
