"""requirements.lock pins what pyproject.toml asks for, with hashes, and names no index."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from tests.support.processes import ROOT

LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PINNED = re.compile(r"^([a-z0-9-]+)(?:\[[^\]]+\])?==([^ ;\\]+)", re.MULTILINE)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ASKED = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]


@pytest.mark.parametrize("asked", ASKED)
def test_what_the_project_asks_for_is_pinned_within_its_bounds(asked: str) -> None:
    wanted = Requirement(asked)
    name = re.sub(r"[-_.]+", "-", wanted.name).lower()
    versions = [version for pinned, version in PINNED.findall(LOCK) if pinned == name]
    assert versions, f"{name} is not in requirements.lock: make lock"
    assert all(version in wanted.specifier for version in versions), f"{name} is out of bounds: make lock"


def test_every_package_has_a_hash() -> None:
    entries = re.split(r"^(?=[a-z0-9])", LOCK, flags=re.MULTILINE)[1:]
    assert len(entries) == len(PINNED.findall(LOCK)) > 50
    assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_no_index_and_no_address_is_named() -> None:
    assert re.findall(r"https?://|^\s*(?:-i|-f|--\S*index\S*|--find-links)\b", LOCK, flags=re.MULTILINE) == []
