"""`manage.py keep_figures`: selects and stores the annual figures that the screener ranks companies by."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from agent.models import KeptFigures
from agent.numbers.registry import registry as registry_file
from agent.screening.annual_figures import keep, outdated, today


class Command(BaseCommand):
    """Stores what is missing or outdated; with --all, everything again."""

    help = (
        "Select and store the annual figures that the screener ranks companies by, where they are missing or outdated."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="Select the figures of all companies again.")

    def handle(self, *args: Any, **options: Any) -> None:
        registry = registry_file.load()
        if options["all"]:
            KeptFigures.objects.all().delete()
        companies = outdated(registry)
        for number, company in enumerate(companies, 1):
            kept = keep(company, registry, today())
            self.stdout.write(f"{number} of {len(companies)}: {company}, {kept:,} figures")
        self.stdout.write(f"{len(companies):,} companies brought up to date.")
