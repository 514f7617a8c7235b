"""Serve the Model Context Protocol over stdio, for one account."""

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
    """`mcp`, for the account of the token in DILIGENCE_TOKEN; or `mcp --user alice@example.com`."""

    help = "Serve ask, get_fact, get_table, read_section and list_companies to a program that speaks the Model Context Protocol."
    # Standard output is the program's: nothing else may be written there.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", metavar="EMAIL", help=f"The account, in place of a token in {VARIABLE}.")

    def handle(self, *args: Any, **options: Any) -> None:
        from agent.web import mcp

        email, token = options["user"], os.environ.get(VARIABLE, "")
        if bool(email) == bool(token):
            raise CommandError(f"Give one of both: a token in {VARIABLE}, or --user with an e-mail address.")
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
