"""The locks pin what pyproject.toml asks for, with hashes, and name no index."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from tests.support.processes import ROOT

LOCKS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("requirements.lock", "requirements-dev.lock")}
PINNED = re.compile(r"^([a-z0-9-]+)(?:\[[^\]]+\])?==([^ ;\\]+)", re.MULTILINE)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ASKED = [
    *(("requirements.lock", asked) for asked in PROJECT["project"]["dependencies"]),
    *(("requirements-dev.lock", asked) for asked in PROJECT["dependency-groups"]["dev"]),
]


@pytest.mark.parametrize(("lock", "asked"), ASKED)
def test_what_the_project_asks_for_is_pinned_within_its_bounds(lock: str, asked: str) -> None:
    wanted = Requirement(asked)
    name = re.sub(r"[-_.]+", "-", wanted.name).lower()
    versions = [version for pinned, version in PINNED.findall(LOCKS[lock]) if pinned == name]
    assert versions, f"{name} is not in {lock}: make lock"
    assert all(version in wanted.specifier for version in versions), f"{name} is out of bounds: make lock"


def test_both_pin_the_same_version_of_a_package() -> None:
    held, beside = (dict(PINNED.findall(text)) for text in LOCKS.values())
    assert {name: version for name, version in beside.items() if held.get(name, version) != version} == {}


@pytest.mark.parametrize("text", LOCKS.values(), ids=LOCKS)
def test_every_package_has_a_hash(text: str) -> None:
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(entries) == len(PINNED.findall(text)) > 30
    assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("text", LOCKS.values(), ids=LOCKS)
def test_no_index_and_no_address_is_named(text: str) -> None:
    assert re.findall(r"https?://|^\s*(?:-i|-f|--\S*index\S*|--find-links)\b", text, flags=re.MULTILINE) == []
