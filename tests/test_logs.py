"""Lines of a log as JSON: each names its run and its account's hash, and none quotes a question or an address."""

import json
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from threading import Barrier
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from agent import tasks
from agent.models import Run
from agent.runs import lifecycle
from diligence import logs
from tests.support.processes import forked
from tests.support.sample import Sample

SECRET = "What was the revenue of Quietly Held Partners in FY2025?"


class Lines:
    """What was logged, read back."""

    def __init__(self) -> None:
        self.stream = StringIO()

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    @property
    def read(self) -> list[dict[str, str]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Everything that is logged, as JSON."""
    found = Lines()
    handler = logging.StreamHandler(found.stream)
    handler.setFormatter(logs.Json())
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield found
    root.setLevel(before)
    root.removeHandler(handler)


log = logging.getLogger("tests.logs")


def test_a_line_is_one_object_with_time_level_logger_and_message(lines: Lines) -> None:
    log.warning("Two\nlines of %s", "text")
    (line,) = lines.read
    assert line.pop("time").endswith("Z")
    assert line == {"level": "WARNING", "logger": "tests.logs", "message": "Two\nlines of text"}


def test_every_line_of_a_run_names_it_and_whose_it_is(lines: Lines, alice: User, sample: Sample) -> None:
    run = Run.objects.create(question="What was Apple's revenue in FY2024?", user=alice)
    log.info("before")
    tasks.answer(str(run.pk))
    log.info("after")
    first, *inside, last = lines.read
    assert inside
    assert {line["run"] for line in inside} == {str(run.pk)}
    assert {line["account"] for line in inside} == {logs.account(alice.pk, None)}
    assert "run" not in first
    assert "run" not in last


def test_a_run_that_fails_is_logged_with_its_traceback_and_without_the_question(
    lines: Lines, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*args: object, **kwargs: object) -> None:
        raise ValueError(f"cannot read {SECRET!r} of jane.roe@example.com")

    monkeypatch.setattr(lifecycle.pipeline, "answer", fails)
    run = Run.objects.create(question=SECRET, visitor=uuid4())
    tasks.answer(str(run.pk))
    failed = next(line for line in lines.read if line["level"] == "ERROR")
    assert "ValueError" in failed["error"]
    assert "in fails" in failed["error"]
    assert failed["run"] == str(run.pk)
    assert "Quietly" not in lines.text
    assert "jane" not in lines.text


def test_the_account_is_a_hash_that_the_key_decides(alice: User, bob: User, settings: pytest.FixtureRequest) -> None:
    visitor = uuid4()
    hashes = {logs.account(alice.pk, None), logs.account(bob.pk, None), logs.account(None, visitor)}
    assert len(hashes) == 3
    assert logs.account(alice.pk, None) == logs.account(alice.pk, None)
    assert not any(str(visitor)[:8] in one for one in hashes)
    before = logs.account(alice.pk, None)
    settings.SECRET_KEY = "another"  # type: ignore[attr-defined]
    assert logs.account(alice.pk, None) != before
    assert logs.account(None, None) == ""


def test_a_line_of_a_request_names_the_run_and_the_account_and_no_query(
    lines: Lines, as_alice: Client, alice: User
) -> None:
    run = Run.objects.create(question=SECRET, user=alice)
    other = uuid4()
    assert as_alice.get(f"/runs/{other}", {"q": SECRET}).status_code == 404
    assert as_alice.get(f"/runs/{run.pk}").status_code == 200
    log.info("after")
    assert "account" not in lines.read[-1]
    missing = next(line for line in lines.read if line["logger"] == "django.request")
    assert missing["run"] == str(other)
    assert missing["account"] == logs.account(alice.pk, None)
    assert missing["status"] == 404
    assert "Quietly" not in lines.text
    assert "alice@" not in lines.text


def test_a_line_of_a_request_to_the_api_names_the_run(lines: Lines, as_alice: Client) -> None:
    run = uuid4()
    assert as_alice.get(f"/api/v1/runs/{run}").status_code == 404
    missing = next(line for line in lines.read if line["logger"] == "django.request")
    assert missing["run"] == str(run)


def test_a_line_asks_no_database_who_it_is(lines: Lines, client: Client) -> None:
    # Without the fixture `db` a query would be an error.
    assert client.get("/healthz/no-such-page").status_code == 404
    assert [line for line in lines.read if line["logger"] == "django.request"]
    assert not any("account" in line for line in lines.read)


def test_what_is_bound_in_one_thread_is_not_said_in_another(lines: Lines) -> None:
    barrier = Barrier(4)

    def work(number: int) -> None:
        with logs.bound(run=str(number)):
            barrier.wait(10)
            log.info("%s", number)
            barrier.wait(10)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert sorted((line["message"], line["run"]) for line in lines.read) == [(str(n), str(n)) for n in range(4)]


def test_what_is_bound_ends_with_an_error_too(lines: Lines) -> None:
    with pytest.raises(ValueError, match="x"), logs.bound("hidden words", run="1"):
        raise ValueError("x")
    log.info("hidden words")
    assert lines.read[0]["message"] == "hidden words"
    assert "run" not in lines.read[0]


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("mail to jane.roe+x@mail.example.co.uk failed", "mail to [e-mail] failed"),
        ("<jane@example.com>", "<[e-mail]>"),
        ("worker-1@host is ready", "worker-1@host is ready"),
        ("@example.com", "@example.com"),
    ],
)
def test_an_address_is_no_part_of_a_line(text: str, cleaned: str) -> None:
    assert logs.cleaned(text) == cleaned


def test_one_variable_turns_it_on(tmp_path: Path) -> None:
    code = "import logging, django; django.setup(); logging.getLogger('x').warning('here')"
    told = forked("-c", code, DATA_DIR=str(tmp_path), SECRET_KEY="x", LOG_FORMAT="json")
    assert json.loads(told.stderr.splitlines()[-1])["message"] == "here"
    # What django.setup() does first.
    code = code.replace(
        "django.setup()",
        "from django.conf import settings as s; from django.utils import log; log.configure_logging(s.LOGGING_CONFIG, s.LOGGING)",
    )
    plain = forked("-c", code, DATA_DIR=str(tmp_path), SECRET_KEY="x")
    assert plain.stderr.rstrip().endswith("WARNING x here")
