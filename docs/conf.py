"""How Sphinx builds these pages: `make docs` writes them to `.docs`."""

import tomllib
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]

project = "Diligence"
author = "The Diligence authors"
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"Diligence {release}"
html_show_sourcelink = False

# Pages of the root that docs/ includes. A link to the file, which works on the forge, leads to the page that includes it.
INCLUDED = {str(ROOT / name.upper()): name for name in ("contributing", "changelog", "security")}


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", lead_to_including_page)


def lead_to_including_page(app: Sphinx, doctree: nodes.document) -> None:
    for link in doctree.findall(addnodes.pending_xref):
        link["reftarget"] = INCLUDED.get(link["reftarget"], link["reftarget"])
