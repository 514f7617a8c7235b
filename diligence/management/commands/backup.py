"""`manage.py backup FILE`: everything that could not be fetched or computed again, in one file."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from diligence.backups import BackupError, backup


class Command(BaseCommand):
    help = "Write the database and the imported files to one file, while everything runs on. Keep the file as you keep the database."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="A file that does not exist yet.")

    def handle(self, *args: Any, **options: Any) -> None:
        file = options["file"]
        try:
            backup(file)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes.")
