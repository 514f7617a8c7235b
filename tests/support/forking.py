"""Runs programs in children of one process that has imported other people's packages, and none of ours: each child
reads its settings for itself, a third as dear as a process that begins with nothing.

A request is a line of JSON on stdin, and what became of it one on stdout. For `tests.support.processes.forked`.
"""

import importlib
import json
import os
import runpy
import signal
import sys
import tempfile
from typing import Any

# What the product imports whatever its settings are, as far as it can be imported before any are read. What a test
# wants not to be imported would be found in each child.
IMPORTED = (
    "celery.app.amqp",
    "celery.app.base",
    "celery.app.task",
    "celery.beat",
    "celery.fixups.django",
    "celery.loaders.app",
    "celery.schedules",
    "celery.signals",
    "celery.worker",
    "cryptography.hazmat.primitives.asymmetric.rsa",
    "csp.middleware",
    "dateutil.parser",
    "django.contrib.admin.filters",
    "django.contrib.admin.options",
    "django.contrib.auth.hashers",
    "django.contrib.messages.middleware",
    "django.contrib.messages.storage.fallback",
    "django.contrib.sessions.middleware",
    "django.contrib.staticfiles.checks",
    "django.core.mail",
    "django.core.management.commands.check",
    "django.core.management.commands.migrate",
    "django.core.serializers.json",
    "django.db.backends.sqlite3.base",
    "django.db.models",
    "django.forms",
    "django.middleware.clickjacking",
    "django.middleware.security",
    "django.template.loader_tags",
    "django.test.client",
    "django.views.generic",
    "django.views.i18n",
    "django_htmx.middleware",
    "environ",
    "fido2.webauthn",
    "kombu.transport.filesystem",
    "lxml.html",
    "prometheus_client",
    "pydantic.dataclasses",
    "pydantic.networks",
    "pydantic.type_adapter",
    "pythonjsonlogger.json",
    "rapidfuzz.process",
    "whitenoise.middleware",
    "yaml",
)


def main() -> None:
    for name in IMPORTED:
        importlib.import_module(name)
    for line in sys.stdin:
        wanted = json.loads(line)
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            if not (pid := os.fork()):
                become(wanted, out.fileno(), errors.fileno())
                return
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            told: dict[str, Any] = {"returncode": status}
            for name, file in (("stdout", out), ("stderr", errors)):
                file.seek(0)
                told[name] = file.read().decode()
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


def become(wanted: dict[str, Any], out: int, errors: int) -> None:
    """Be the program that is wanted, and end as it does."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for given, taken in ((nothing, 0), (out, 1), (errors, 2)):
        os.dup2(given, taken)
    signal.alarm(wanted["timeout"])
    os.environ.clear()
    os.environ.update(wanted["environment"])
    kind, *rest = wanted["arguments"]
    if kind == "-c":
        sys.argv = [kind, *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102 - it is the program
    elif kind == "-m":
        sys.argv = [*rest]
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [kind, *rest]
        runpy.run_path(kind, run_name="__main__")


if __name__ == "__main__":
    main()
