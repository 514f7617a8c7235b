"""The secret key of an installation on one machine: `make run` writes it to DATA_DIR, and commands read it there.

The file belongs to the database beside it. Settings therefore look for it only where the environment has neither
SECRET_KEY nor DATABASE_URL. It never turns on DEBUG: a command that finds the file runs without DEBUG.
"""

import secrets
from pathlib import Path

from diligence.atomic_files import write_new

NAME = "secret_key"
BYTES = 32
# Under DEBUG before the first `make run`, and with a DATABASE_URL.
WITHOUT_A_FILE = "debug-only-key-do-not-deploy"


def read(path: Path) -> str:
    """The key, or an empty string where there is no usable file; `problem` says why."""
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


def problem(path: Path) -> str:
    """What is wrong with the file, as the end of a sentence; empty where it is usable or absent."""
    try:
        return "" if path.read_text(encoding="ascii").strip() else "is empty"
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    except UnicodeDecodeError:
        return "is not a text file"


def make(path: Path) -> None:
    """Write a random key that only its owner may read, unless the file exists. Raises OSError.

    Of two processes that start at the same time, one writes the file and both use it.
    """
    if not path.exists():
        write_new(path, f"{secrets.token_hex(BYTES)}\n".encode())
