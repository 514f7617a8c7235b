"""The release is stated once, in pyproject.toml, and shown wherever somebody looks for it."""

import re
import subprocess
import sys
import tomllib

import pytest
from django.template.loader import render_to_string
from django.test import Client

from diligence.version import VERSION
from tests.support.processes import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_it_is_that_of_pyproject() -> None:
    assert PROJECT["version"] == VERSION


@pytest.mark.parametrize("argument", ["version", "--version"])
def test_manage_prints_it_without_any_setting(argument: str) -> None:
    ran = subprocess.run([sys.executable, ROOT / "manage.py", argument], capture_output=True, text=True, env={})
    assert (ran.returncode, ran.stdout) == (0, f"Diligence {VERSION}\n")


def test_the_footer_shows_it(client: Client, db: None) -> None:
    assert f"Version {VERSION}" in client.get("/").content.decode()
    assert f"Version {VERSION}" in render_to_string("_footer.html")


def test_the_api_says_it(client: Client, db: None) -> None:
    assert client.get("/api/v1/openapi.json").json()["info"]["version"] == VERSION
    assert client.get("/api/v1/health").json()["release"] == VERSION


def test_the_changelog_has_a_section_for_it() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.findall(r"^## \[([^]]+)\]", changelog, flags=re.MULTILINE)
    assert releases[:2] == ["Unreleased", VERSION]


def test_the_licence_is_that_of_the_project() -> None:
    assert PROJECT["license"] == "BSD-3-Clause"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("BSD 3-Clause License")
    assert [name for name in PROJECT["license-files"] if not (ROOT / name).is_file()] == []
