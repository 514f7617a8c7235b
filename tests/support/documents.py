"""The project's documents: the Markdown files at its root and those of docs/."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def name_of(page: Path) -> str:
    """A page's path from the root, as ids of tests have it."""
    return str(page.relative_to(ROOT))
