"""An installation of its own with the sample in it, for tests that start its processes."""

from pathlib import Path

from django.conf import settings
from django.db import connection

from filings.models import Company
from tests.support.processes import forked
from tests.support.sample import BESIDE, copy, put_sample

ACCOUNT = """
import django; django.setup()
from accounts import tokens
from accounts.models import User
alice = User.objects.create_user("alice@example.com", "wonderland-42")
print(*(tokens.issue(alice, "A program", scopes)[1] for scopes in (("ask", "read"), ("read",))))
"""


class Installation:
    """A copy of the test database, the sample's, in a DATA_DIR. Alice has two tokens: `token` may all, `reads` reads.

    To be made where the test database may be used.
    """

    def __init__(self, folder: Path, cache: Path) -> None:
        connection.ensure_connection()
        # A transactional test before this one has emptied the database.
        if not Company.objects.filter(in_sample=True).exists():
            put_sample(cache)
        copy(connection.connection, folder / "diligence.sqlite3")
        for name in BESIDE:
            copy(settings.DATA_DIR / name, folder / name)
        self.folder = folder
        self.variables = {"DATA_DIR": str(folder), "DEBUG": "1", "LOG_LEVEL": "ERROR"}
        done = forked("-c", ACCOUNT, **self.variables)
        assert done.returncode == 0, done.stderr
        self.token, self.reads = done.stdout.split()
