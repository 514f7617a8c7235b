"""Every command in the documents exists, in blocks and in backticks: targets of make, management commands with their
options, modules, programs and files."""

import re
import shlex
from itertools import groupby
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand, CommandError

from evals.bench.__main__ import ALONE, BENCHMARKS
from tests.support.documents import PAGES, ROOT, name_of

FENCED = re.compile(r"^ *```.*?^ *```", re.DOTALL | re.MULTILINE)
BLOCK = re.compile(r"^ *```(?:sh|shell|bash)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
FOLDERS = {one.name for one in ROOT.iterdir() if one.is_dir()} - {".git"}
# What commands make, and what is no file of the repository: after these nothing is looked for.
MADE = {".venv", ".env", ".data", ".docs", "secrets", "", "~"}
# Programs whose words without a dash are files; of cp the last is made.
READERS = {"pytest", "cat", "cp", "sh", "bash", "source", "less"}
PACKAGES = {"pytest", "venv", "pip", "sphinx"}  # modules of others
OURS = {name for name, app in get_commands().items() if app in ("accounts", "agent", "diligence", "evals", "filings")}


def commands(page: Path) -> list[str]:
    """The lines of the page's shell blocks, continued lines joined, comments left out; and the commands in backticks."""
    text = page.read_text(encoding="utf-8")
    lines = [line.strip() for block in BLOCK.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    inline = [code for code in INLINE.findall(FENCED.sub("", text)) if is_command(code)]
    return [line for line in lines if line and not line.startswith("#")] + inline


def is_command(code: str) -> bool:
    """Whether words in backticks are a command, or a file of the repository, which is looked for as one."""
    first, *others = code.split()
    program = Path(first).name
    if program in {"make", "manage.py", "docker"} | READERS or program.startswith("python"):
        return True
    return (first in OURS and bool(others)) or first.split("/")[0] in FOLDERS - {".venv"}


def problem(line: str) -> str:
    """Why a command cannot be typed; empty where it can, or where it is another program's."""
    read = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
    read.whitespace_split = True
    try:
        words = list(read)
    except ValueError as error:
        return str(error)
    parts = [list(part) for ends, part in groupby(words, lambda word: not set(word) - set(";|&")) if not ends]
    return next(filter(None, map(wrong, parts)), "")


def wrong(words: list[str]) -> str:
    while words and re.match(r"^[A-Z_]+=", words[0]):
        words = words[1:]
    if not words or words[0] == "export":
        return ""
    if words[0] == "make":
        unknown = [word for word in words[1:] if "=" not in word and word not in TARGETS]
        return f"no target {unknown[0]}" if unknown else ""
    if words[0] in OURS:
        return managed(words[0], words[1:])
    if "manage.py" in words:
        name, *arguments = words[words.index("manage.py") + 1 :] or ["help"]
        return managed(name, arguments)
    if "-m" in words and "python" in words[0]:
        name, *arguments = words[words.index("-m") + 1 :]
        return missing(name, arguments) if name in PACKAGES else module(name, arguments)
    return missing(words[0], words)


def managed(name: str, arguments: list[str]) -> str:
    if [name, *arguments] == ["version"]:  # manage.py itself answers it
        return ""
    if name not in get_commands():
        return f"no command {name}"
    if "--help" in arguments or (not arguments and name in OURS):
        return ""
    app = get_commands()[name]
    command = app if isinstance(app, BaseCommand) else load_command_class(app, name)
    try:
        command.create_parser("manage.py", name).parse_args(arguments)
    except (CommandError, SystemExit) as error:
        return f"{name}: {error}"
    return ""


def module(name: str, arguments: list[str]) -> str:
    path = ROOT / name.replace(".", "/")
    if not path.with_suffix(".py").exists() and not (path / "__main__.py").exists():
        return f"no module {name}"
    unknown = [word for word in arguments if name == "evals.bench" and word not in (*BENCHMARKS, *ALONE)]
    return f"no benchmark {unknown[0]}" if unknown else ""


def missing(program: str, words: list[str]) -> str:
    """The first file that is not there: of a program that reads files, or in a folder of the repository."""
    program = Path(program).name
    files = [word for word in words if not word.startswith(("-", "$")) and word.split("/")[0] not in MADE | {program}]
    if program == "cp":
        files = files[:-1] if words[-1] in files else files
    for word in files:
        path, _, test = word.partition("::")
        if program not in READERS and path.split("/")[0] not in FOLDERS:
            continue
        if not (ROOT / path).exists():
            return f"no file {path}"
        if test and f"def {test}(" not in (ROOT / path).read_text(encoding="utf-8"):
            return f"no test {word}"
    return ""


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_can_be_typed(page: Path) -> None:
    found = {line: why for line in commands(page) if (why := problem(line))}
    assert found == {}


@pytest.mark.parametrize(
    "line",
    [
        "make nothing",
        "make run nothing",
        ".venv/bin/python manage.py nothing",
        ".venv/bin/python manage.py ask --nothing",
        "docker compose run --rm setup python manage.py nothing",
        "docker compose stop && python manage.py nothing",
        "search_index nothing",
        "python -m evals.nothing",
        "python -m evals.bench nothing",
        "DEBUG= .venv/bin/python -m pytest -q tests/test_nothing.py -x",
        "pytest tests/test_docs_commands.py::test_nothing",
        ".ci/nothing",
        "cat nothing.md",
        "cp .env.nothing .env",
        "cp .env.example .env && cat nothing",
        "agent/nothing.py",
    ],
)
def test_a_wrong_command_is_noticed(line: str) -> None:
    assert problem(line)


@pytest.mark.parametrize(
    "line",
    [
        "make run PORT=8001",
        "pytest tests/test_docs_commands.py::test_a_wrong_command_is_noticed",
        ".ci/run",
        "cp .env.example .env",
        "cat .env /backups/monday",
        'ask "…" --json',
        "python -m evals.bench growth",
        "python3 -m venv .venv",
    ],
)
def test_a_right_command_is_not(line: str) -> None:
    assert problem(line) == ""


def test_commands_in_backticks_are_read(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "Run `make nothing`, `manage.py check` or `models check`; `make` and `run` are words.\n\n```text\n`make no`\n```\n",
        encoding="utf-8",
    )
    assert commands(page) == ["make nothing", "manage.py check", "models check", "make"]
