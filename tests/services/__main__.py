"""`python -m tests.services [pytest arguments]`: pytest with a PostgreSQL, a Redis and an Elasticsearch of its own."""

import os
import subprocess
import sys

from tests.services.servers import Missing, elasticsearch, postgres, redis


def main() -> int:
    arguments = sys.argv[1:] or ["-m", "services", "tests/services"]
    try:
        with postgres() as database, redis() as broker, elasticsearch() as search:
            urls = {"TEST_DATABASE_URL": database, "TEST_REDIS_URL": broker, **search}
            command = [sys.executable, "-m", "pytest", *arguments]
            return subprocess.run(command, env={**os.environ, **urls}, check=False).returncode
    except Missing as missing:
        print(missing, file=sys.stderr)  # noqa: T201 - a command's own message
        return 1


sys.exit(main())
