"""The examples of docs/api.md, run as they stand against a server, with a worker that answers."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from tests.support.installed import Installation
from tests.support.processes import ROOT, environment

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="serves a copy of the sample")

WORKER = ["-m", "celery", "--app", "diligence", "--quiet", "worker", "--queues", "ask", "--pool", "solo"]


def blocks(language: str, title: str = "Ask a question") -> list[str]:
    """The code of one language in one part of the page."""
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    (part,) = re.findall(rf"^## {title}\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
    return re.findall(rf"^```{language}\n(.*?)^```", part, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    request: pytest.FixtureRequest,
) -> Iterator[dict[str, str]]:
    """An installation with the sample, its web server and its worker: the environment of a program that uses it."""
    with django_db_blocker.unblock():
        installed = Installation(tmp_path_factory.mktemp("served"), Path(request.config.cache.mkdir("sample")))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    web = ["-m", "gunicorn", "diligence.wsgi", "--bind", f"127.0.0.1:{port}", "--threads", "4", "--log-level", "error"]
    url = f"http://127.0.0.1:{port}"
    with ExitStack() as stack:
        for command in (web, WORKER):
            process = stack.enter_context(
                subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment(**installed.variables))
            )
            stack.callback(process.terminate)
        wait_for(f"{url}/api/v1/health")
        yield {**os.environ, "DILIGENCE_URL": url, "DILIGENCE_TOKEN": installed.token}


def wait_for(url: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            if httpx.get(url).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.fail("The server did not start.")


def program(command: list[str], served: dict[str, str], folder: Path) -> str:
    done = subprocess.run(command, env=served, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_python_of_the_page_prints_the_figure(served: dict[str, str], tmp_path: Path) -> None:
    (snippet,) = blocks("python")
    said = program([sys.executable, "-c", snippet], served, tmp_path)
    assert said == "Research and development expense 31370000000 USD 0000320193-24-000123\n"


def test_the_python_of_the_page_prints_a_refusal(served: dict[str, str], tmp_path: Path) -> None:
    (snippet,) = blocks("python")
    asked = snippet.replace("What was Apple's R&D spend in FY2024?", "Will Apple's revenue grow?")
    assert asked != snippet
    assert program([sys.executable, "-c", asked], served, tmp_path).startswith("prediction ")


def test_the_curl_of_the_page_answers(served: dict[str, str], tmp_path: Path) -> None:
    (snippet,) = blocks("sh")
    shown = json.loads(program(["sh", "-c", snippet], served, tmp_path))
    if not shown["finished"]:  # on a busy machine
        shown = json.loads(
            program(
                [
                    "sh",
                    "-c",
                    f'sleep 10; curl -sS -H "Authorization: Bearer $DILIGENCE_TOKEN" $DILIGENCE_URL{shown["url"]}',
                ],
                served,
                tmp_path,
            )
        )
    assert shown["answer"]["parts"][0]["values"][0]["value"] == "60922000000"


def test_the_curls_of_the_page_get_a_table_and_a_statement(served: dict[str, str], tmp_path: Path) -> None:
    of_table, of_statement, of_screen = blocks("sh", "Tables without English")
    table = json.loads(program(["sh", "-c", of_table], served, tmp_path))["table"]
    assert [(row["company"], row["fiscal_year"], row["column"]) for row in table if row["key"] == "revenue"] == [
        ("Apple", 2023, "CY2023"), ("Apple", 2024, "CY2024"), ("Microsoft", 2024, "CY2023"), ("Microsoft", 2025, "CY2024"),
    ]  # fmt: skip
    assert len([row for row in table if row["value"] and row["facts"]]) == 8
    statement = json.loads(program(["sh", "-c", of_statement], served, tmp_path))["table"]
    assert {row["statement"] for row in statement} == {"income"}
    assert statement[0]["value"] == "391035000000"
    screen = json.loads(program(["sh", "-c", of_screen], served, tmp_path))
    assert [one["name"] for one in screen["items"]][:3] == ["Visa", "NVIDIA", "Microsoft"]


def test_the_problem_of_the_page_is_what_comes(served: dict[str, str], tmp_path: Path) -> None:
    (shown,) = blocks("json", "Errors")
    of_table, *_ = blocks("sh", "Tables without English")
    wrong = of_table.replace("years=2023-2024", "year=2024")
    assert wrong != of_table
    assert json.loads(program(["sh", "-c", wrong], served, tmp_path)) == json.loads(shown)
