"""Every command in the documents exists: targets of make, management commands with their options, modules, files."""

import re
import shlex
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand, CommandError

from tests.support.documents import PAGES, ROOT, name_of

BLOCK = re.compile(r"^ *```(?:sh|shell|bash)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))


def commands(page: Path) -> list[str]:
    """The lines of the page's shell blocks, continued lines joined, comments left out."""
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]


def problem(line: str) -> str:
    """Why a command cannot be typed; empty where it can, or where it is another program's."""
    words = [word for word in shlex.split(line, comments=True) if not re.match(r"^[A-Z_]+=", word)]
    if not words or words[0] == "export":
        return ""
    if words[0] == "make":
        unknown = [word for word in words[1:] if "=" not in word and word not in TARGETS]
        return f"no target {unknown[0]}" if unknown else ""
    if "manage.py" in words:
        name, *arguments = words[words.index("manage.py") + 1 :]
        return managed(name, arguments)
    if (
        "-m" in words
        and "python" in words[0]
        and words[words.index("-m") + 1] not in ("pytest", "venv", "pip", "sphinx")
    ):
        module = ROOT / words[words.index("-m") + 1].replace(".", "/")
        return "" if module.with_suffix(".py").exists() or (module / "__main__.py").exists() else f"no module {module}"
    return ""


def managed(name: str, arguments: list[str]) -> str:
    if name not in get_commands():
        return f"no command {name}"
    if "--help" in arguments:
        return ""
    app = get_commands()[name]
    command = app if isinstance(app, BaseCommand) else load_command_class(app, name)
    try:
        command.create_parser("manage.py", name).parse_args(arguments)
    except (CommandError, SystemExit) as error:
        return f"{name}: {error}"
    return ""


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_can_be_typed(page: Path) -> None:
    found = {line: why for line in commands(page) if (why := problem(line))}
    assert found == {}


def test_a_wrong_command_is_noticed() -> None:
    assert problem("make nothing")
    assert problem(".venv/bin/python manage.py nothing")
    assert problem(".venv/bin/python manage.py ask --nothing")
    assert problem("python -m evals.nothing")
