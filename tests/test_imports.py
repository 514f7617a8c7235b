"""What may import what, and what a web process never loads."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.processes import ROOT, run

APPS = ("accounts", "filings", "agent", "evals")  # an app imports itself and what stands before it
# Seconds and hundreds of megabytes each.
HEAVY = ("edgar", "dspy", "elasticsearch", "onnx", "onnxruntime", "openai", "pandas", "pyarrow", "numpy", "tokenizers")


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, with its line, inside functions too."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = (
                ".".join([*package[: len(package) - node.level + 1], node.module or ""]) if node.level else node.module
            )
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def modules(folder: str) -> list[Path]:
    found = sorted((ROOT / folder).rglob("*.py"))
    assert found, f"{folder} has no modules"
    return found


def breaches(folder: str, *forbidden: str) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(folder)
        for line, name in imports(path)
        if any(name == prefix or name.startswith(f"{prefix}.") for prefix in forbidden)
    ]


@pytest.mark.parametrize("app", APPS)
def test_imports_go_downwards_only(app: str) -> None:
    above = APPS[APPS.index(app) + 1 :]
    assert breaches(app, *above, "tests") == []


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("agent/numbers", ("agent.prose", "agent.language", "agent.pipeline", "agent.views", "agent.models")),
        ("agent/language", ("agent.prose", "agent.pipeline", "agent.views")),
    ],
)
def test_numbers_and_prose_never_meet(folder: str, forbidden: tuple[str, ...]) -> None:
    assert breaches(folder, *forbidden) == []
    if (ROOT / "agent/prose").is_dir():
        assert breaches("agent/prose", "agent.numbers") == []


def test_only_one_module_talks_to_edgar() -> None:
    users = {
        str(path.relative_to(ROOT))
        for app in APPS[:-1]  # benchmarks build transports of their own
        for path in modules(app)
        for _, name in imports(path)
        if name.split(".")[0] in {"edgar", "httpx"}
    }
    assert users <= {"filings/edgar.py", "filings/edgar_files.py", "filings/folder.py", "filings/search/rerank.py"}


def test_facts_knows_no_concept() -> None:
    text = (ROOT / "filings/facts.py").read_text(encoding="utf-8")
    assert "registry" not in [name for _, name in imports(ROOT / "filings/facts.py")]
    assert "net_income" not in text


def test_a_web_process_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys, pkgutil, importlib, django; django.setup();"
        "import diligence.urls, diligence.wsgi;"
        "from django.urls import get_resolver; get_resolver().url_patterns;"
        "[importlib.import_module(f'{app}.views') for app in ('filings', 'agent')];"
        "[importlib.import_module(f'{app}.admin') for app in ('accounts', 'filings', 'agent')];"
        # What views call: a search is started here and run by a worker; an answer is read again here.
        "[importlib.import_module(name) for name in ('filings.search.requests', 'agent.reverify')];"
        f"print(sorted(set(sys.modules) & set({HEAVY!r})))"
    )
    result = run("-c", code, DATA_DIR=str(tmp_path), SECRET_KEY="x")
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[]"
