"""`manage.py build_sample`: rebuilds the bundled sample (for developers).

`--mirror ../shared/edgar/mirror --registry agent/numbers/registry/registry.yaml` builds all of it from a mirror of EDGAR.
`--fictional` builds only the fictional companies, which need no mirror. `--vectors` computes the embedding vectors of
the loaded sample's passages.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Rebuild the bundled sample from a mirror of EDGAR (for developers)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--mirror", type=Path, help="Folder with copies of EDGAR files, compressed (.xz), under the SEC's paths."
        )
        parser.add_argument(
            "--registry", type=Path, help="YAML file of measures; the sample keeps the XBRL tags that it names."
        )
        parser.add_argument(
            "--fictional", action="store_true", help="Build only the fictional companies, from their sources."
        )
        parser.add_argument(
            "--vectors",
            action="store_true",
            help="Compute only the embedding vectors, from the sample that is loaded.",
        )

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
        """Compute the vectors of the loaded sample's passages and write them into the sample."""
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
