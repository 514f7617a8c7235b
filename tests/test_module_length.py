"""A module is read in one sitting: 400 lines at most, tests too."""

from tests.support.processes import ROOT

FOLDERS = ("accounts", "agent", "diligence", "evals", "filings", "tests")
MOST = 400
# With the most lines that each may have, and why.
LONGER = {
    "diligence/settings.py": (500, "all settings stand in one file, in the order of docs/settings.md"),
}


def lengths() -> dict[str, int]:
    """The lines of every module, by its path. Migrations are written by Django."""
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py") if "migrations" not in path.parts)
    return {path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in paths}


def test_no_module_has_more_than_400_lines() -> None:
    found = lengths()
    assert len(found) > 500
    assert LONGER.keys() <= found.keys()
    assert {path: lines for path, lines in found.items() if lines > LONGER.get(path, (MOST, ""))[0]} == {}
