"""What `make run` does before it starts web and worker, in one process because each takes a second to start."""

import socket
from typing import Any

from django.conf import settings
from django.core.checks import run_checks
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from diligence import secret_key


class Command(BaseCommand):
    help = "Makes the database ready, loads the bundled sample and prints where Diligence will run."

    # Only errors matter below: the sample does not need what a warning asks for.
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", default="8000")

    def handle(self, *args: Any, **options: Any) -> None:
        if wrong := [message for message in run_checks() if message.is_serious()]:
            raise CommandError("\n".join(map(str, wrong)))
        port = free_port(options["port"])
        if settings.DEBUG and settings.SECRET_KEY_PATH:
            # For the processes that start next, and for commands typed beside them.
            try:
                secret_key.make(settings.SECRET_KEY_PATH)
            except OSError as error:
                raise CommandError(f"{settings.SECRET_KEY_PATH} cannot be written ({error.strerror}).") from error
        call_command("migrate", verbosity=0, skip_checks=True)
        call_command("load_sample", skip_checks=True)
        self.stdout.write(f"\nDiligence: http://127.0.0.1:{port}/")
        if settings.DEBUG:
            call_command("demo_account")
        self.stdout.write("Stop with Ctrl-C.\n")


def free_port(value: str) -> int:
    """The port as a number; CommandError where it is none or taken."""
    try:
        port = int(value)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
    except (ValueError, OverflowError):
        raise CommandError(f"PORT must be a number between 1 and 65535, not {value!r}.") from None
    except OSError as error:
        raise CommandError(f"Port {value} cannot be used ({error.strerror}). Try: make run PORT=8001") from None
    return port
