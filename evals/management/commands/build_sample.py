"""manage.py build_sample --mirror ../shared/edgar/mirror --registry agent/numbers/registry.yaml

manage.py build_sample --fictional: the fictional issuers alone, which need no mirror.

manage.py build_sample --vectors: the vectors of their passages, from the sample that is loaded.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Build the bundled sample anew out of a mirror of EDGAR (for developers)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--mirror", type=Path, help="Tree of .xz files with SEC's paths.")
        parser.add_argument("--registry", type=Path, help="YAML file whose concepts name the tags.")
        parser.add_argument("--fictional", action="store_true", help="Only the fictional issuers, from their sources.")
        parser.add_argument("--vectors", action="store_true", help="Only the vectors, from the sample that is loaded.")

    def handle(self, *args: Any, **options: Any) -> None:
        from evals.sample.build import build, build_fictional

        if options["vectors"]:
            self.vectors()
            return
        if options["fictional"]:
            for line in build_fictional():
                self.stdout.write(line)
            return
        for name in ("mirror", "registry"):
            if options[name] is None:
                raise CommandError(f"--{name} is needed, or --fictional or --vectors alone.")
            if not options[name].exists():
                raise CommandError(f"--{name} {options[name]} does not exist.")
        for line in build(options["mirror"], options["registry"]):
            self.stdout.write(line)

    def vectors(self) -> None:
        """Embed what the loaded sample holds, and ship it."""
        from evals.sample.vectors import NotLocal, build
        from filings.sample.bundled import is_loaded
        from filings.text.embeddings import EmbeddingUnavailable

        if not is_loaded():
            raise CommandError("Load the sample first: manage.py load_sample --again")
        try:
            count = build()
        except (NotLocal, EmbeddingUnavailable) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{count} vectors of the sample's passages")
