"""`manage.py restore FILE`: replaces the database by a backup."""

from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from diligence.backups import BackupError, restore
from filings.models import Filing, Health
from filings.search import health

QUESTION = "Everything in the database is replaced by {}. Go on? [y/N] "


class Command(BaseCommand):
    help = "Replace the database by a backup, and add its imported files. Stop web and workers first; they index what is held when they are back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="A file of manage.py backup.")
        parser.add_argument("--yes", action="store_true", help="Do not ask first.")

    def handle(self, *args: Any, **options: Any) -> None:
        file = options["file"]
        if not options["yes"] and not agreed(QUESTION.format(file)):
            raise CommandError("Nothing was changed.")
        try:
            restore(file)
        except BackupError as error:
            raise CommandError(str(error)) from error
        # The file may be of an earlier release.
        call_command("migrate", verbosity=0, interactive=False)
        # The index is not in the file and may be of another time. Workers index again whatever is marked as waiting.
        waiting = Filing.objects.filter(chunks_stored__gt=0).update(indexed="")
        Health.objects.all().delete()
        if waiting:
            # Until a worker has looked, and until none of them waits.
            health.write(Health.State.DOWN, f"{waiting} restored filings are still to be indexed.", {"lost": waiting})
        self.stdout.write(
            f"Restored. {waiting} filings are indexed again by the workers, or at once by manage.py search_index verify."
        )


def agreed(question: str) -> bool:
    """Whether a person confirms."""
    try:
        return input(question).strip().lower() in {"y", "yes"}
    except EOFError:
        raise CommandError("Nobody is there to be asked: say --yes.") from None
