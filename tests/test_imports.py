"""What may import what, and what a web process never loads."""

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.support.processes import ROOT, forked

APPS = ("accounts", "filings", "agent", "evals")  # an app imports itself and what stands before it
# Seconds and hundreds of megabytes each.
HEAVY = ("edgar", "dspy", "elasticsearch", "onnx", "onnxruntime", "openai", "pandas", "pyarrow", "numpy", "tokenizers")


@cache
def imports(path: Path, *, types: bool = True) -> list[tuple[int, str]]:
    """Every module that a file imports, with its line, inside functions too. types: also those for type checking alone."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        inner
        for node in ([] if types else ast.walk(tree))
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for inner in ast.walk(node)
    }
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if node in for_types:
            continue
        if isinstance(node, ast.Import):
            found += ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = (
                ".".join([*package[: len(package) - node.level + 1], node.module or ""]) if node.level else node.module
            )
            found += ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
    return found


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


# A room imports itself, those of its own row, and those below. What types alone need is no import.
ROOMS = {
    "agent": (
        ("web",),
        ("standings",),
        ("certificates",),
        ("runs",),
        ("steps",),
        ("screening",),
        ("grounding", "numbers", "programs", "prose", "query", "refusals", "registrants", "words"),
        ("models", "state"),
    ),
    "agent.numbers": (
        ("verification",),
        ("tables",),
        ("breakdowns",),
        ("basis",),
        ("cells",),
        ("parts", "periods"),
        ("printed",),
        ("facts",),
        ("registry",),
    ),
    "agent.prose": (
        ("search", "verification"),
        ("answers",),
        ("ranking",),
        ("questions",),
        ("text",),
    ),
    "agent.query": (
        ("tables",),
        ("nearest", "reading"),
        ("formulas",),
        ("measures",),
        ("wording",),
        ("companies", "periods"),
        ("words",),
        ("dates",),
    ),
    "agent.web": (
        ("admin", "pages"),
        ("history", "redline"),
        ("exports",),
        ("api",),
        ("cards",),
        ("tables",),
    ),
    "filings": (
        ("management", "sample", "templatetags"),
        ("web",),
        ("importing",),
        ("ingest",),
        ("search",),
        ("redline", "text"),
        ("sections",),
        ("tables",),
        ("document", "edgar", "xbrl"),
        ("models",),
    ),
}
# Modules that stand below all rooms of their package: the codes of refusals stand in the records of the state, and
# import nothing; pure modules that tables are made of import no table; forms and waiting serve every room of the web.
BOTTOM = {
    "agent": ("agent.refusals.codes",),
    "agent.web": ("agent.web.forms", "agent.web.shared_links", "agent.web.waiting"),
    "filings": (
        "filings.document.blocks",
        "filings.edgar.registrant_names",
        "filings.sections.items",
        "filings.xbrl.periods",
    ),
}


def level(module: str, package: str) -> int | None:
    """The row of the room of a package that a module stands in; None for what stands in none, as Django's own files."""
    rooms = ROOMS[package]
    if not module.startswith(f"{package}."):
        return None
    if any(module == bottom or module.startswith(f"{bottom}.") for bottom in BOTTOM.get(package, ())):
        return len(rooms)
    room = module.removeprefix(f"{package}.").split(".")[0]
    return next((row for row, names in enumerate(rooms) if room in names), None)


@pytest.mark.parametrize("package", ROOMS)
def test_rooms_import_downwards_only(package: str) -> None:
    found = []
    for path in modules(package.replace(".", "/")):
        here = level(".".join(path.relative_to(ROOT).with_suffix("").parts), package)
        if here is not None:
            found += [
                f"{path.relative_to(ROOT)}:{line} imports {name}"
                for line, name in imports(path, types=False)
                if (there := level(name, package)) is not None and there < here
            ]
    assert found == []


def named(path: Path) -> str:
    """The dotted name of a module or package."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions and for types count too: they hide a circle, and do not open it."""
    known = {named(path): path for app in (*APPS, "diligence") for path in modules(app)}

    def module_of(name: str) -> str:
        while name and name not in known:
            name = name.rpartition(".")[0]
        return name

    graph = {name: {module_of(imported) for _, imported in imports(path)} - {"", name} for name, path in known.items()}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


def test_every_module_of_agent_and_filings_stands_in_a_room() -> None:
    loose = {path.name for app in ("agent", "filings") for path in (ROOT / app).glob("*.py")}
    assert loose <= {"__init__.py", "admin.py", "apps.py", "tasks.py", "urls.py"}


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        # Numbers are of a query that is read already, and know of English only the stems of printed labels; prose knows no number.
        ("numbers", ("models", "programs", "prose", "query", "registrants")),
        ("prose", ("models", "numbers", "programs", "registrants")),
        # What is read is read without a model, and of no run.
        ("query", ("models", "programs")),
        ("registrants", ("numbers", "prose", "programs", "query", "refusals")),
        ("words", ("models", "numbers", "prose", "programs", "query", "refusals", "registrants", "state")),
    ],
)
def test_numbers_and_prose_never_meet(folder: str, forbidden: tuple[str, ...]) -> None:
    assert breaches(f"agent/{folder}", *(f"agent.{room}" for room in forbidden)) == []


def test_only_one_module_talks_to_edgar() -> None:
    users = {
        str(path.relative_to(ROOT))
        for app in APPS[:-1]  # benchmarks build transports of their own
        for path in modules(app)
        for _, name in imports(path)
        if name.split(".")[0] in {"edgar", "httpx"}
    }
    assert users <= {
        "filings/edgar/client.py",
        "filings/edgar/edgar_files.py",
        "filings/edgar/local_folder.py",
        "filings/importing/tavily.py",
        "filings/search/rerank.py",
    }


def test_facts_knows_no_concept() -> None:
    text = (ROOT / "filings/xbrl/facts.py").read_text(encoding="utf-8")
    assert "registry" not in [name for _, name in imports(ROOT / "filings/xbrl/facts.py")]
    assert "net_income" not in text


def test_a_web_process_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys, pkgutil, importlib, django; django.setup();"
        "import diligence.urls, diligence.wsgi;"
        "from django.urls import get_resolver; get_resolver().url_patterns;"
        "[importlib.import_module(f'{app}.web.views') for app in ('filings', 'agent')];"
        "[importlib.import_module(f'{app}.admin') for app in ('accounts', 'filings', 'agent')];"
        # What views call: a search is started here and run by a worker; an answer is read again here.
        "[importlib.import_module(name) for name in ('filings.search.requests', 'agent.certificates.verify')];"
        f"print(sorted(set(sys.modules) & set({HEAVY!r})))"
    )
    result = forked("-c", code, DATA_DIR=str(tmp_path), SECRET_KEY="x")
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[]"
