"""kill -9 of the worker at every node of a run, and before everything it writes: nothing lost, doubled or shown wrongly."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from pytest_django import DjangoDbBlocker

from filings.models import Company
from tests.support.model_behaviours import good, says
from tests.support.model_replies import Asked, Behaviour, claims
from tests.support.model_server import LocalModel
from tests.support.reports import report
from tests.support.sample import BESIDE, copy, put_sample

FIGURE = "What was Northwind Instruments' revenue in FY2025?"
TEXT = "What supply risks did Northwind disclose in fiscal 2025?"
BEFORE, ROUND = ["plan", "fetch", "locate"], ["retrieve", "validate", "cite_check"]


def two_rounds(asked: Asked) -> Behaviour:
    """A model whose first draft is too short; what it says depends on what it is asked and on nothing before."""
    if asked.program == "draft":
        return says({"claims": claims(asked)[: 3 if asked.inputs.get("feedback") else 1], "not_found": []})
    if asked.program == "evaluate":
        enough = len(asked.inputs["claims"]) > 1
        marks = dict.fromkeys(("completeness", "specificity", "clarity"), 95 if enough else 60)
        missing = [] if enough else ["Names of suppliers."]
        return says({**marks, "issues": [], "missing_info": missing, "is_sufficient": enough})
    return good


@pytest.fixture
def with_model(
    tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker, request: pytest.FixtureRequest
) -> Iterator[dict[str, str]]:
    """The sample with its search index in a folder, and the settings of a model."""
    with django_db_blocker.unblock():
        connection.ensure_connection()
        # A transactional test before this one has emptied the database.
        if not Company.objects.filter(in_sample=True).exists():
            put_sample(Path(request.config.cache.mkdir("sample")))
        copy(connection.connection, tmp_path / "template.sqlite3")
    for name in BESIDE:
        copy(settings.DATA_DIR / name, tmp_path / name)
    with LocalModel(two_rounds) as model:
        # A visitor of a default installation is given no model.
        yield {**model.variables(timeout=30), "ANON_LIMITS": "tokens_per_minute=1000000", "ANON_TICKERS": "*"}


def killed(tmp_path: Path, question: str, times: int, timeout: int, **variables: str) -> dict[str, Any]:
    arguments = (tmp_path, times, 20, question)
    return report("killed_run", tmp_path, *arguments, timeout=timeout, LOG_LEVEL="ERROR", **variables)


def check(found: dict[str, Any], *expected: str) -> None:
    nodes = [event.removeprefix("NODE ") for event in found["events"] if event.startswith("NODE ")]
    assert nodes == list(expected)
    assert {"UPDATE agent_run SET", "INSERT INTO agent_step", "UPDATE accounts_meter SET"} <= set(found["events"])
    for point in found["points"]:
        # A worker that has nothing left to do is not killed by its last events.
        assert point["died"][0] == -9, point
        assert set(point["died"]) <= {-9, 0}, point
        assert point["resumed"] == 0, point
        assert not point["different"], point
        assert 1 <= point["attempt"] <= len(point["died"]) + 1, point
        for shown in point["pages"]:
            # While it is open the page says so and asks again; once it is closed it shows the answer.
            assert shown["status"] == 200
            assert shown["polls"] is shown["open"], point
            assert shown["answer"] is not shown["open"], point
        assert not point["pages"][-1]["open"]


def test_a_run_killed_anywhere_is_answered_once_by_the_next_worker(tmp_path: Path, migrated: Path) -> None:
    shutil.copy(migrated, tmp_path / "template.sqlite3")
    found = killed(tmp_path, FIGURE, 0, timeout=300)
    assert len(found["points"]) == 6 + 2
    check(found, *BEFORE, *ROUND)


@pytest.mark.soak
def test_a_run_with_a_model_killed_anywhere_is_answered_once(tmp_path: Path, with_model: dict[str, str]) -> None:
    found = killed(tmp_path, TEXT, 0, timeout=600, **with_model)
    assert len(found["points"]) == 7 + 2
    check(found, *BEFORE, *2 * (*ROUND, "reflect"))


@pytest.mark.soak
def test_a_run_killed_twenty_times_at_every_node_is_answered_once(tmp_path: Path) -> None:
    found = killed(tmp_path, FIGURE, 20, timeout=3600)
    assert len(found["points"]) == len(found["events"]) + 19 * 6
    check(found, *BEFORE, *ROUND)


@pytest.mark.soak
def test_a_run_with_a_model_killed_twenty_times_at_every_node_is_answered_once(
    tmp_path: Path, with_model: dict[str, str]
) -> None:
    found = killed(tmp_path, TEXT, 20, timeout=7200, **with_model)
    assert len(found["points"]) == len(found["events"]) + 19 * 11
    check(found, *BEFORE, *2 * (*ROUND, "reflect"))
