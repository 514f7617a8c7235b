"""manage.py build_sample --mirror ../shared/edgar/mirror --registry agent/numbers/registry.yaml"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Build the bundled sample anew out of a mirror of EDGAR (for developers)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--mirror", type=Path, required=True, help="Tree of .xz files with SEC's paths.")
        parser.add_argument("--registry", type=Path, required=True, help="YAML file whose concepts name the tags.")

    def handle(self, *args: Any, **options: Any) -> None:
        from filings.sample.build import build

        for name in ("mirror", "registry"):
            if not options[name].exists():
                raise CommandError(f"--{name} {options[name]} does not exist.")
        for line in build(options["mirror"], options["registry"]):
            self.stdout.write(line)
