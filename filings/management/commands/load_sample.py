"""`manage.py load_sample`: loads the bundled sample of filings."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from filings.sample.bundled import is_loaded


class Command(BaseCommand):
    help = "Load the bundled sample of filings into the database, unless this version is loaded already."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--again", action="store_true", help="Load the sample again even if it is loaded already.")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["again"] and is_loaded():
            self.stdout.write("The sample is loaded already.")
            return
        from filings.sample.load import NotLoaded, load

        try:
            stored = load(say=self.stdout.write)
        except NotLoaded as error:
            raise CommandError(f"The sample could not be loaded: {error}") from error
        self.stdout.write(f"{stored} companies stored.")
