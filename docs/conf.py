"""How Sphinx builds these pages: `make docs` writes them to `.docs`."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]

project = "Diligence"
author = "The Diligence authors"
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
# Links to files outside of docs/, such as CONTRIBUTING.md, are checked by tests/test_docs_links.py.
suppress_warnings = ["myst.xref_missing"]
html_theme = "furo"
html_title = f"Diligence {release}"
html_show_sourcelink = False
