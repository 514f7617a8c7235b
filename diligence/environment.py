"""Reads settings from the environment, and collects faults for the system checks."""

import contextlib
import math
import os
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import environ
import yaml
from django.core.exceptions import ImproperlyConfigured
from environ.fileaware_mapping import FileAwareMapping

BOOLEANS = {"true", "on", "ok", "y", "yes", "1", "false", "off", "n", "no", "0"}
KINDS = {bool: "a yes or no (1, 0, true, false)", int: "a whole number", float: "a number", list: "a list with commas"}
# The supported databases, each with its connection options.
ENGINES: dict[str, dict[str, Any]] = {
    "django.db.backends.sqlite3": {
        # BEGIN IMMEDIATE takes the write lock up front, so that `timeout` waits instead of failing on upgrade.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA mmap_size=134217728;",
    },
    # A server that accepts a connection and stays silent, or disappears, counts as away.
    "django.db.backends.postgresql": {
        "connect_timeout": 5,
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
    },
}
FORMER = yaml.safe_load((Path(__file__).parent / "former_settings.yaml").read_text(encoding="utf-8"))
# Refuses every query. A wrong DATABASE_URL must never write to an unintended place.
NO_DATABASE = {"ENGINE": "django.db.backends.dummy", "NAME": ""}


class SecretFiles(FileAwareMapping):
    """X, or the content of the file named by X_FILE. Editors end a file with a newline that no secret has."""

    def __getitem__(self, key: str) -> str:
        return str(super().__getitem__(key)).rstrip("\r\n")


class Environment(environ.FileAwareEnv):
    """The environment's variables, each with a default.

    A value that cannot be read gives the default and one line in `problems`, (variable, what is expected), which
    `diligence.checks` reports: a wrong setting is a message with a hint and not a traceback.
    """

    ENVIRON: Mapping[str, str] = SecretFiles()

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[tuple[str, str]] = []

    def get_value(self, var: str, cast: Any = None, default: Any = environ.Env.NOTSET, **kwargs: Any) -> Any:
        try:
            # An empty value means "not set", as in a compose file.
            if self.ENVIRON.get(var) == "":
                return default
            if cast is bool and self.ENVIRON.get(var, "1").strip().lower() not in BOOLEANS:
                raise ValueError(var)
            return super().get_value(var, cast=cast, default=default, **kwargs)
        except OSError as error:
            return self._wrong(
                var, f"{var}_FILE names {error.filename}, which cannot be read ({error.strerror}).", default
            )
        except (ValueError, TypeError):
            return self._wrong(var, f"{var} must be {KINDS.get(cast, 'readable')}.", default)

    def given(self, var: str) -> bool:
        """Whether the environment sets a variable, or names a file for it."""
        return bool(os.environ.get(var) or os.environ.get(f"{var}_FILE"))

    def folder(self, var: str, default: Path) -> Path:
        """A folder, created if missing, readable by its owner only. Check diligence.E005 reports one that cannot be."""
        folder = Path(self.get_value(var, default="") or default).expanduser()
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    def database(self, var: str, default: str) -> dict[str, Any]:
        """Django's settings for the database of a URL, with the options of its kind."""
        try:
            with warnings.catch_warnings(action="ignore"):
                found = self.db_url_config(self.get_value(var, default="") or default)
        except (ValueError, TypeError, ImproperlyConfigured):
            found = {}
        # Web and worker are separate processes: each would have its own in-memory database.
        if found.get("ENGINE") in ENGINES and found.get("NAME") not in {None, "", ":memory:"}:
            return {
                **found,
                "OPTIONS": {**ENGINES[found["ENGINE"]], **found.get("OPTIONS", {})},
                "CONN_HEALTH_CHECKS": found["ENGINE"].endswith("postgresql"),
            }
        expected = f"{var} must be sqlite:///path/to/file or postgres://user:password@host:5432/name."
        return dict(self._wrong(var, expected, NO_DATABASE))

    def choice(self, var: str, choices: tuple[str, ...], default: str) -> str:
        """One of a few words, in any case."""
        value = self.get_value(var, default="") or default
        found = {choice.lower(): choice for choice in choices}.get(value.lower())
        return found or str(self._wrong(var, f"{var} must be one of {', '.join(choices)}.", default))

    def group(self, var: str, default: dict[str, Any]) -> dict[str, Any]:
        """Values by name, of `name=value,name=value`. What is not named keeps its default, whose type each value has.

        Numbers are finite and 0 or more. A text may have commas: only one before another `name=` ends it. A variable of
        an earlier release counts where the group does not name its value.
        """
        found = dict(default)
        before = {part: self.get_value(name, default="") for name, part in FORMER["grouped"].get(var, {}).items()}
        pairs = [f"{part}={value}" for part, value in before.items() if value]
        pairs += re.split(r",(?=\s*\w+\s*=)", self.get_value(var, default=""))
        for pair in filter(str.strip, pairs):
            name, equals, text = pair.partition("=")
            name, kind = name.strip(), type(default.get(name.strip()))
            if not equals or name not in default:
                expected = f"{var} must be name=value,… with these names: {', '.join(default)}."
                return dict(self._wrong(var, expected, default))
            try:
                if kind is bool and text.strip().lower() not in BOOLEANS:
                    raise ValueError(text)
                found[name] = self.parse_value(text, bool) if kind is bool else kind(text)
                if kind in (int, float) and not 0 <= found[name] < math.inf:
                    raise ValueError(text)
            except ValueError:
                least = "" if kind is bool else ", 0 or more"
                return dict(self._wrong(var, f"{name} in {var} must be {KINDS[kind]}{least}.", default))
        return found

    def mail(self, var: str) -> dict[str, Any]:
        """Django's e-mail settings from a URL; without one, mail is printed by the server."""
        default = {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
        url = self.get_value(var, default="")
        if not url:
            return default
        try:
            return dict(self.email_url_config(url))
        except (ValueError, TypeError, KeyError, ImproperlyConfigured):
            return dict(self._wrong(var, f"{var} must be smtp+tls://user:password@host:587 or the like.", default))

    def _wrong(self, var: str, expected: str, default: Any) -> Any:
        self.problems.append((var, expected))
        return default


def former(values: Mapping[str, Any]) -> dict[str, str]:
    """Variables of earlier releases that are set, each with what to write instead; of those whose value is fixed only
    the ones that say another than `values`.
    """
    given = Environment()
    fixed = [name for name in FORMER["fixed"] if given.str(name, default="") not in ("", str(values.get(name)))]
    hints = dict.fromkeys(fixed, "Remove it: its value is fixed.")
    for group, names in FORMER["grouped"].items():
        hints |= {name: f"Write {group}={part}=value instead." for name, part in names.items() if given.given(name)}
    return hints
