"""Behaviours that are broken on purpose, and the tests that notice: `breaks.yaml`, read and looked at.

`python -m evals.breaks` breaks them.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
FILE = Path(__file__).with_name("breaks.yaml")
# What a test may need beside the code.
MARKERS = ("", "services", "browser")


@dataclass(frozen=True)
class Break:
    """One behaviour, what takes it away, and the tests that notice.

    name: what it is run by. breaks: what the product then does wrong, in a sentence. file: from the root; `old` stands
    in it once, and `new` takes its place. tests: node ids of pytest, the fastest that notice. marker: of the tests.
    """

    name: str
    breaks: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    marker: str = ""

    def problem(self, root: Path = ROOT) -> str:
        """Why it cannot be made in a tree, in a sentence; empty where it can."""
        path = root / self.file
        if not path.is_file():
            return f"There is no {self.file}."
        if (found := path.read_text(encoding="utf-8").count(self.old)) != 1:
            return f"Its old text stands {found} times in {self.file}, not once."
        if self.old == self.new or not self.tests or self.marker not in MARKERS:
            return "It breaks nothing, has no test, or has a marker that is none."
        return next((f"There is no test {node}." for node in self.tests if not has_test(root, node)), "")


def has_test(root: Path, node: str) -> bool:
    """Whether a tree has what a node id names: a file, and the function in it."""
    file, _, function = node.partition("::")
    path = root / file
    named = rf"^def {re.escape(function.partition('[')[0])}\("
    return path.is_file() and (not function or bool(re.search(named, path.read_text(encoding="utf-8"), re.MULTILINE)))


def all_breaks() -> list[Break]:
    """Every break, in the order of the file."""
    rows = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return [Break(**{**row, "tests": tuple(row["tests"])}) for row in rows]
