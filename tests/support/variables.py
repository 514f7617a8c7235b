"""The environment variables that the repository reads: its Python, compose.yaml, the Makefile, Dockerfile and Procfile."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.documents import ROOT

PRODUCT = ("accounts", "agent", "diligence", "filings")
ENVIRON = {"os.environ", "environ"}
# What reads a variable that its caller names.
BY_NAME = {"diligence/environment.py"}


def of_python(*folders: str) -> dict[str, str]:
    """Each variable that modules of these folders read or set, with one of the files."""
    found: dict[str, str] = {}
    for path in [ROOT / "manage.py", *(path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))]:
        file = str(path.relative_to(ROOT))
        if file not in BY_NAME:
            found |= dict.fromkeys(read(path.read_text(encoding="utf-8"), file), file)
    return found


def read(source: str, file: str = "") -> Iterator[str]:
    """The variables in a module. AssertionError: a name is neither written there nor a constant of the module."""
    if "environ" not in source and "getenv" not in source and "env." not in source:
        return
    tree = ast.parse(source)
    constants = {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        for name in names(node):
            if isinstance(name, ast.Name) and name.id in constants:
                yield str(constants[name.id])
            else:
                assert isinstance(name, ast.Constant), f"{file}:{name.lineno} reads a variable without its name"
                yield str(name.value)


def names(node: ast.AST) -> Iterator[ast.expr]:
    """The names of variables in one expression."""
    match node:
        case ast.Call(func=ast.Attribute(value=of, attr=method), args=args, keywords=keywords):
            whose = ast.unparse(of)
            if whose in ENVIRON and method in {"get", "setdefault", "pop"}:
                yield args[0]
            elif whose in ENVIRON and method == "update":
                yield from (ast.Constant(one.arg, lineno=node.lineno) for one in keywords if one.arg)
            elif (whose == "os" and method == "getenv") or (
                whose == "env" and method not in {"read_env", "given"} and args
            ):
                yield args[0]
        case ast.Subscript(value=of, slice=name) if ast.unparse(of) in ENVIRON:
            yield name
        case ast.Compare(left=name, comparators=[of]) if ast.unparse(of) in ENVIRON:
            yield name


def of_compose() -> dict[str, str]:
    """What compose.yaml takes from its environment: ${NAME}; $$ is a dollar of the container's."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    return dict.fromkeys(re.findall(r"(?<!\$)\$\{(\w+)", text), "compose.yaml")


def of_make() -> dict[str, str]:
    """What the Makefile takes from its environment, for its rules or for the processes that they start."""
    text = re.sub(r"^\s*#.*", "", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    taken = re.findall(r"\b([A-Z][A-Z_]+) \?=|\$\$\{?([A-Z][A-Z_]+)|\bexport ([A-Z][A-Z_]+)|\b([A-Z][A-Z_]+)=", text)
    return dict.fromkeys((name for found in taken for name in found if name), "Makefile")


def of_image() -> dict[str, str]:
    """What the Dockerfile sets, and what the Procfile's lines name."""
    docker = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    found = dict.fromkeys(
        (name for line in re.findall(r"^ENV (.*)", docker, re.M) for name in re.findall(r"([A-Z_]+)=", line)),
        "Dockerfile",
    )
    return found | dict.fromkeys(
        re.findall(r"\$\{?([A-Z_]+)", (ROOT / "Procfile").read_text(encoding="utf-8")), "Procfile"
    )


def of_example(path: Path = ROOT / ".env.example") -> dict[str, str]:
    return dict.fromkeys(re.findall(r"^([A-Z_]+)=", path.read_text(encoding="utf-8"), re.MULTILINE), path.name)
