"""A real server, a real browser, and a worker that the test plays."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connections
from django.test import Client, TransactionTestCase
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from agent.models import Run
from agent.runs.claim import claim
from agent.state import Answer
from tests.support import answers
from tests.support.sample import Sample, put_sample

# A first question loads all that reading one needs, which takes half a minute where other work has most of the machine.
# A wait ends as soon as it is met, so only a test that fails pays for it.
WAIT = 60_000
expect.set_options(timeout=WAIT)

# Chromium reports an answer of 4xx as an error; the tests of those pages expect it.
EXPECTED = (
    "status of 401",
    "status of 404",
    "status of 413",
    "status of 422",
    "status of 429",
    "Response Status Error Code 404",
)


@pytest.fixture(scope="session", autouse=True)
def async_unsafe() -> Iterator[None]:
    """Playwright's event loop runs in the test's thread, and Django takes that for asynchronous code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The server's threads each need a connection of their own, which a database in memory cannot give."""
    if connections["default"].vendor == "sqlite":
        file = tmp_path_factory.mktemp("browser") / "test.sqlite3"
        connections["default"].settings_dict["TEST"]["NAME"] = str(file)


@pytest.fixture(scope="session", autouse=True)
def put_back(request: pytest.FixtureRequest) -> Iterator[None]:
    """After a test the sample is copied over what it wrote: a seventh of the time that emptying each table takes."""
    emptied = TransactionTestCase._fixture_teardown
    folder = Path(request.config.cache.mkdir("sample"))

    def teardown(case: TransactionTestCase) -> None:
        if connections["default"].vendor == "sqlite":
            put_sample(folder)
        else:
            emptied(case)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", teardown)
        yield


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.fail("The browser tests need Chromium: apt-get install chromium")
    return {"executable_path": str(Path(chromium)), "args": ["--no-sandbox"]}


@pytest.fixture(scope="session")
def base_url(live_server: LiveServer) -> str:
    return str(live_server.url)


@pytest.fixture
def context(
    live_server: LiveServer, transactional_db: None, sample: Sample, context: BrowserContext
) -> BrowserContext:
    """A browser that is closed before the database is emptied."""
    context.set_default_timeout(WAIT)
    return context


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """A page on which nothing may go wrong unnoticed: a script error or a breach of the CSP fails the test."""
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type in {"error", "warning"} else None)
    yield page
    page.close()
    assert [problem for problem in problems if not any(words in problem for words in EXPECTED)] == []


class Worker:
    """Does by hand what a worker does, at the pace of the test."""

    def claim(self, run: Run) -> Run:
        attempt = claim(run.pk)
        assert attempt
        run.refresh_from_db()
        return run

    def step(self, run: Run, sequence: int, node: str) -> None:
        answers.add_step(run, sequence, node)

    def finish(self, run: Run, answer: Answer) -> None:
        """Close the run with an answer."""
        done = answers.run_with(answer)
        fields = (
            "status",
            "outcome",
            "refusal_code",
            "refusal_stage",
            "company",
            "summary",
            "answer",
            "ms",
            "finished",
        )
        Run.objects.filter(pk=run.pk).update(**{name: getattr(done, name) for name in fields})
        done.delete()


@pytest.fixture
def worker() -> Worker:
    return Worker()


@pytest.fixture
def alice(transactional_db: None, sample: Sample) -> User:
    return User.objects.create_user("alice@example.com", "wonderland-42")


@pytest.fixture
def signed_in(context: BrowserContext, alice: User, base_url: str) -> Callable[[], User]:
    """Alice, signed in in this browser."""
    client = Client()
    client.force_login(alice)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": base_url}])
    return alice


@pytest.fixture
def staff(signed_in: User) -> User:
    """Alice as staff who may do everything."""
    User.objects.filter(pk=signed_in.pk).update(is_staff=True, is_superuser=True)
    return signed_in
