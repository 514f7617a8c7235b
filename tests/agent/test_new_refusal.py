"""A refusal is added in four files: its code, its row, the place that raises it, and its golden. All else follows."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection
from django.utils.html import strip_tags
from pytest_django import DjangoDbBlocker

from tests.support.installed import Installation
from tests.support.processes import ROOT, environment

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="asks a copy of the sample")

CODE = ("manage.py", "pyproject.toml", "accounts", "agent", "diligence", "evals", "filings", "templates")
QUESTION = "What is Northwind's horoscope for fiscal 2025?"
GOLDEN = {
    "id": "r999",
    "half": "tune",
    "question": QUESTION,
    "outcome": "refused",
    "code": "horoscope",
    "why": "None.",
}
# File: what the new lines are put before; "" for the end.
ADDED = {
    "agent/refusals/codes.py": ('    EMPTY = "empty"', '    HOROSCOPE = "horoscope"\n'),
    "agent/refusals/codes.yaml": (
        "",
        "horoscope:\n  stage: plan\n  title: Not in the stars\n"
        "  asked: {first: 'No filing has a {words}.', second: Ask what was reported.}\n",
    ),
    "agent/query/question.py": (
        "    if not tokens:\n",
        '    if "horoscope" in question:\n        return (Misread(code=Code.HOROSCOPE, words=("horoscope",)),)\n',
    ),
    "evals/goldens/refusals.jsonl": ("", json.dumps(GOLDEN) + "\n"),
}
ASKED = """
import django; django.setup()
import sys
from django.test import Client
from agent import tasks
from agent.models import Run
from evals import golden, harness

(row,) = [row for row in golden.read() if row.id == "r999"]
(result,) = harness.run([row])
print(result.verdict, result.code_right)
client = Client()
client.post("/ask", {"question": row.question})
run = Run.objects.get(question=row.question)
tasks.answer(str(run.pk))
run.refresh_from_db()
print(run.outcome, run.refusal_code, run.refusal_stage)
print(client.get(run.get_absolute_url()).content.decode())
print(client.get(f"/api/v1/runs/{run.pk}").json()["refusal_code"])
"""


def test_a_refusal_is_added_in_four_files(
    tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker, request: pytest.FixtureRequest
) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    for name in CODE:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, tree / name)
    for name, (place, lines) in ADDED.items():
        text = (tree / name).read_text(encoding="utf-8")
        assert not place or text.count(place) == 1
        (tree / name).write_text(text.replace(place, lines + place) if place else text + lines, encoding="utf-8")
    folder = tmp_path / "data"
    folder.mkdir()
    with django_db_blocker.unblock():
        installed = Installation(folder, Path(request.config.cache.mkdir("sample")))
    variables = environment(**installed.variables, ALLOWED_HOSTS="testserver")
    done = subprocess.run(
        [sys.executable, "-c", ASKED], cwd=tree, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    judged, stored, *page, api = done.stdout.strip().splitlines()
    assert judged == "right refusal True"
    assert stored == "refused horoscope plan"
    shown = " ".join(page)
    for words in ("Not in the stars", "No filing has a \u201choroscope\u201d.", "Ask what was reported."):
        assert words in strip_tags(shown)
    assert api == "horoscope"
    assert len(ADDED) == 4
