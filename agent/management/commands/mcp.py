"""`manage.py mcp`: serves the Model Context Protocol (MCP) over standard input and output, for one account."""

import os
from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from accounts.tokens import TokenRefused
from diligence.unavailable import cause_of

VARIABLE = "DILIGENCE_TOKEN"


class Command(BaseCommand):
    """Takes the account from the token in DILIGENCE_TOKEN, or from `--user alice@example.com`."""

    help = "Let a program that speaks the Model Context Protocol (MCP) call ask, get_fact, get_table, read_section and list_companies."
    # Standard output carries the protocol: nothing else may be printed there.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--user",
            metavar="EMAIL",
            help=f"E-mail address of the account to act for, instead of a token in {VARIABLE}.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        from agent.web import mcp

        email, token = options["user"], os.environ.get(VARIABLE, "")
        if bool(email) == bool(token):
            raise CommandError(f"Give either a token in {VARIABLE} or --user with an e-mail address, not both.")
        whom = partial(mcp.of_user, email) if email else partial(mcp.of_token, token)
        try:
            whom()
        except TokenRefused as refused:
            raise CommandError(str(refused)) from refused
        except DatabaseError as error:
            if cause := cause_of(error):
                raise CommandError(cause.detail) from error
            raise
        mcp.server(whom).run("stdio")
