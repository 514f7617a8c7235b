"""`manage.py sections`: prints the status of every filing's Items, and where the text of each begins and ends."""

import csv
import json
import lzma
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from filings.models import Section
from filings.sections import SourceDocument, read_sections

ENDS = 200  # characters at each end of a text
EXHIBIT_13 = re.compile(r"ex[-_]?13|exhibit[-_]?13", re.IGNORECASE)

Row = tuple[str, str, str, str]  # accession, item, status, text


class Command(BaseCommand):
    help = (
        "Print one line for every filing and Item: accession, item, status and the first and last 200 characters."
        " Reads the stored sections, or with --mirror the documents of a folder."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--jsonl", action="store_true", help="Print one JSON object on each line instead of a table."
        )
        parser.add_argument("--accession", action="append", default=[], help="Only this filing; may be repeated.")
        parser.add_argument(
            "--mirror",
            type=Path,
            metavar="FOLDER",
            help="Read this folder, with filings.csv and mirror/ (compressed documents), instead of the database.",
        )

    def handle(self, *args: object, **options: Any) -> None:
        wanted = set(options["accession"])
        rows = mirrored(options["mirror"], wanted) if options["mirror"] else stored(wanted)
        for accession, item, status, text in rows:
            first, last = text[:ENDS], text[-ENDS:]
            if options["jsonl"]:
                line = {"accession": accession, "item": item, "status": status, "first": first, "last": last}
                self.stdout.write(json.dumps(line, ensure_ascii=False))
            else:
                self.stdout.write(
                    f"{accession}  {item:<3} {status:<12} {len(text):>9,}  {' '.join(first[:60].split())}"
                )


def stored(wanted: set[str]) -> Iterator[Row]:
    """The Items of the stored filings."""
    sections = Section.objects.exclude(item="").order_by("filing__accession", "number")
    if wanted:
        sections = sections.filter(filing__accession__in=wanted)
    yield from sections.values_list("filing__accession", "item", "status", "text").iterator()


def mirrored(folder: Path, wanted: set[str]) -> Iterator[Row]:
    """The Items of the filings that a folder's filings.csv lists. Raises CommandError."""
    try:
        with (folder / "filings.csv").open(newline="") as listing:
            filings = list(csv.DictReader(listing))
        for filing in filings:
            if wanted and filing["accession"] not in wanted:
                continue
            for section in read_sections(documents(folder / "mirror" / filing["mirror_path"], filing["form"])):
                if section.item:
                    yield filing["accession"], section.item, section.status, section.text
    except (OSError, KeyError, lzma.LZMAError) as error:
        raise CommandError(f"{folder} cannot be read as a mirror: {error!r}") from error


def documents(primary: Path, form: str) -> list[SourceDocument]:
    """The annual report and the Exhibits 13 in the same folder."""
    exhibits = sorted(
        path for path in primary.parent.glob("*.htm.xz") if EXHIBIT_13.search(path.name) and path.stem != primary.name
    )
    found = [(form, primary.with_name(f"{primary.name}.xz")), *(("EX-13", path) for path in exhibits)]
    return [SourceDocument(path.stem, kind, lzma.decompress(path.read_bytes())) for kind, path in found]
