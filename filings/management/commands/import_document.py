"""`manage.py import_document FILE --company AAPL --kind call --period 2024Q3`: imports files as documents of companies."""

import csv
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from filings.importing.document_fields import ImportRefused, check_size, fields_of
from filings.models.source_kinds import KINDS

COLUMNS = ("file", "company", "kind", "period", "date", "title", "address")


class Command(BaseCommand):
    help = (
        "Import files (PDF, HTML, Word, text) as documents of companies that can be searched and cited. What is not given is"
        " taken from the document; where the document does not say it, the file is refused. A second run changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="*", metavar="FILE", type=Path, help="Files to import.")
        parser.add_argument("--company", default="", metavar="TICKER", help="Ticker, CIK or name of the company.")
        parser.add_argument("--kind", default="", help=f"Kind of document: {', '.join(KINDS)}.")
        parser.add_argument("--period", default="", help="Fiscal quarter or year, such as 2024Q3 or 2024.")
        parser.add_argument("--date", default="", help="Day of publication or of the call, such as 2024-08-01.")
        parser.add_argument("--title", default="", help="Title by which answers name the document.")
        parser.add_argument("--address", default="", help="Address (https://...) from which the file came.")
        parser.add_argument(
            "--manifest",
            type=Path,
            metavar="FILE.csv",
            help=f"A list of files: a CSV file with the columns {', '.join(COLUMNS)}, of which only file must be there. "
            "Paths are taken from its own folder. Options are for rows that leave a column empty.",
        )
        parser.add_argument(
            "--update", action="store_true", help="Change what is held of a document to what is given here."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        given = {name: options[name] for name in COLUMNS[1:]}
        rows = [(path, given) for path in options["files"]]
        if options["manifest"]:
            rows += [(path, merged(given, row)) for path, row in manifest(options["manifest"])]
        if not rows:
            raise CommandError("Name a file, or a --manifest.")
        failed = 0
        for path, written in rows:
            try:
                self.stdout.write(f"{path}: {self.imported(path, written, options['update'])}")
            except ImportRefused as refused:
                failed += 1
                self.stderr.write(f"{path}: not imported: {refused.field}: {refused.why}")
            except Exception as error:  # the other files are still imported
                failed += 1
                self.stderr.write(f"{path}: not imported: unexpected {type(error).__name__}: {error}")
        if failed:
            raise CommandError(
                f"{failed} of {len(rows)} {'file was' if len(rows) == 1 else 'files were'} not imported."
            )

    def imported(self, path: Path, written: Mapping[str, str], update: bool) -> str:
        """What became of a file, in words. Raises ImportRefused."""
        from filings.importing.importing import import_document

        fields = fields_of(written)
        found = import_document(content_of(path), path.name, fields, update=update)
        filing = found.filing
        named = " ".join(
            filter(
                None, (filing.company.called, filing.kind.called, period(filing.fiscal_year, filing.fiscal_quarter))
            )
        )
        if found.created:
            figures = f", {filing.facts_stored:,} figures" if filing.facts_stored else ""
            return f"imported as {filing.accession}: {named}, {filing.chunks_stored:,} passages{figures}."
        changed = f", changed: {', '.join(found.changed)}" if found.changed else ""
        differs = f", differs: {', '.join(found.differs)} (--update changes it)" if found.differs else ""
        withdrawn = ", withdrawn" if filing.withdrawn else ""
        return f"already held as {filing.accession}: {named}{withdrawn}{changed}{differs}."


def period(year: int | None, quarter: int | None) -> str:
    """2024Q3, or 2024."""
    return f"{year or ''}{f'Q{quarter}' if quarter else ''}"


def content_of(path: Path) -> bytes:
    """The bytes of a file. Raises ImportRefused."""
    try:
        check_size(path.stat().st_size)
        with path.open("rb") as file:
            # One more than is taken: it may grow meanwhile, and a device says no size.
            return file.read(settings.IMPORT_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, ImportRefused):
            raise
        raise ImportRefused(
            "file", f"The file cannot be read ({getattr(error, 'strerror', None) or error})."
        ) from error


def merged(given: Mapping[str, str], row: Mapping[str, str]) -> dict[str, str]:
    """A row's fields, the empty ones as given for all."""
    return {name: row.get(name) or text for name, text in given.items()}


def manifest(path: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """The rows of a manifest, each with the path of its file. Raises CommandError."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            columns = set(reader.fieldnames or ())
            if "file" not in columns or (unknown := columns - set(COLUMNS)):
                wrong = (
                    f"has unknown columns: {', '.join(sorted(map(str, unknown)))}"
                    if "file" in columns
                    else "has no column file"
                )
                raise CommandError(f"{path} {wrong}. Its columns are {', '.join(COLUMNS)}.")
            for number, row in enumerate(reader, 2):
                if None in row or None in row.values():
                    raise CommandError(f"{path}, line {number}, has another number of columns than its first line.")
                yield path.parent / row["file"], row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise CommandError(f"{path} cannot be read as a manifest: {error}") from error
