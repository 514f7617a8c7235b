"""The release that is running, as pyproject.toml states it. Pages, API and command line read it here."""

import tomllib
from pathlib import Path

VERSION: str = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]["version"]
