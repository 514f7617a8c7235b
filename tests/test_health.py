"""/healthz and /readyz: what they say, whom they ask, and what they never tell."""

import socket
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import DatabaseError, connections
from django.test import Client
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries, Settings

from diligence import atomic_files, health
from filings.models import Health
from filings.search import active_indexes
from filings.search import health as looked
from filings.search.index import IndexMismatch, SearchUnavailable
from tests.support.processes import forked


@pytest.fixture
def looked_at(db: None) -> Health:
    """The row as a worker writes it when all is well."""
    return looked.write(Health.State.OK, "", {"waiting": 0})


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    """The folder of the queue."""
    settings.REDIS_URL, settings.BROKER_DIR = "", tmp_path
    (tmp_path / "queue").mkdir()
    return tmp_path / "queue"


def reasons(client: Client) -> dict[str, str]:
    return {name: part["reason"] for name, part in client.get("/readyz").json()["parts"].items() if not part["ok"]}


def test_a_process_that_lives_asks_no_database(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    # Without the fixture `db` a query would be an error.
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"alive": True})
    assert "no-store" in response.headers["Cache-Control"]


def test_it_is_ready_when_all_is_there(client: Client, looked_at: Health, folder: Path) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {
        "ready": True,
        "parts": {name: {"ok": True} for name in ("database", "broker", "disk", "index")},
    }


@pytest.mark.parametrize("host", ["10.0.3.7:8000", "localhost", "web:8000"])
def test_whoever_watches_calls_by_any_name_and_without_https(
    client: Client, looked_at: Health, folder: Path, settings: Settings, host: str
) -> None:
    settings.SECURE_SSL_REDIRECT, settings.SECURE_REDIRECT_EXEMPT = True, [r"^(healthz|readyz|metrics)$"]
    settings.ALLOWED_HOSTS = ["diligence.example.com"]
    for path in ("/healthz", "/readyz"):
        assert (
            Client().get(path, headers={"host": host, "authorization": "Bearer of-somebody-else"}).status_code == 200
        )
    assert Client().get("/method", headers={"host": host}).status_code in {301, 400}


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_nothing_is_posted_to_it(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


def test_a_database_that_is_away_is_told_without_its_address(
    client: Client, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    def fails(*args: object) -> None:
        raise DatabaseError('connection to server at "db.internal", user "diligence", password "hush" failed')

    # On the class: what is put back on an object itself would hide from later tests that they may use the database.
    for name in ("ensure_connection", "cursor"):
        monkeypatch.setattr(type(connections["default"]), name, fails)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["parts"]["database"]["reason"] == "The database does not answer."
    assert "hush" not in response.text
    assert "internal" not in response.text
    assert client.get("/healthz").status_code == 200


def test_a_broker_that_is_away_is_told_without_its_address(
    client: Client, looked_at: Health, settings: Settings
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: refused
        settings.REDIS_URL = f"redis://:hush@127.0.0.1:{taken.getsockname()[1]}/0"
        response = client.get("/readyz")
    assert response.status_code == 503
    assert reasons_of(response.json()) == {"broker": "Redis does not answer."}
    assert "hush" not in response.text


def reasons_of(told: dict[str, dict[str, dict[str, str]]]) -> dict[str, str]:
    return {name: part["reason"] for name, part in told["parts"].items() if not part["ok"]}


def test_a_queue_that_cannot_be_written_to_is_told(client: Client, looked_at: Health, folder: Path) -> None:
    folder.rmdir()
    assert reasons(client) == {"broker": "The folder of the queue cannot be written to."}


def test_messages_that_could_not_be_read_are_told_and_no_reason_not_to_be_ready(
    client: Client, looked_at: Health, folder: Path
) -> None:
    (folder.parent / "unreadable").mkdir()
    (folder.parent / "unreadable" / "0_1_x.ask.msg").touch()
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json()["parts"]["broker"]["reason"] == "Messages set aside that cannot be read: 1."


def test_a_disk_that_is_nearly_full_is_not_ready_and_says_how_much_is_left(
    client: Client, looked_at: Health, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic_files, "free_bytes", lambda: atomic_files.LEAST_FREE - 1)
    assert client.get("/readyz").status_code == 503
    assert reasons(client) == {"disk": "The disk of the data has 63 MB left, of which 64 are needed."}


def test_the_log_says_why_it_is_not_ready(
    db: None, client: Client, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert client.get("/readyz").status_code == 503
    said = [one.getMessage() for one in caplog.records]
    assert said == ["Not ready: index: No worker has looked at the search index yet."]


def test_an_index_that_no_worker_has_looked_at_is_not_ready(client: Client, looked_at: Health, folder: Path) -> None:
    Health.objects.update(checked=now() - timedelta(minutes=7))
    assert reasons(client) == {"index": "No worker has looked at the search index for 7 minutes."}
    Health.objects.all().delete()
    assert reasons(client) == {"index": "No worker has looked at the search index yet."}


class Broken:
    """An index that cannot be searched."""

    model, dimensions = "some", 8

    def __init__(self, name: str, error: Exception | None) -> None:
        self.name, self.error = name, error

    def lists(self, queries: object) -> list[object]:
        if self.error:
            raise self.error
        return []

    def counts(self) -> dict[int, int]:
        if self.error:
            raise self.error
        return {}


@pytest.fixture
def indexes(monkeypatch: pytest.MonkeyPatch, db: None) -> list[Broken]:
    found: list[Broken] = []
    monkeypatch.setattr(active_indexes, "indexes", lambda: tuple(found))
    monkeypatch.setattr(active_indexes, "former", lambda: ())
    return found


DOWN = SearchUnavailable("at http://elastic:hush@search.internal")


def test_a_worker_finds_the_real_index_and_says_so(client: Client, db: None, folder: Path) -> None:
    assert looked.check_index().state == Health.State.OK
    assert Health.objects.get().data == {"waiting": 0, "embedded": True}
    assert client.get("/readyz").status_code == 200


def test_an_index_that_is_down_is_told_in_our_words(client: Client, indexes: list[Broken], folder: Path) -> None:
    indexes.append(Broken("elasticsearch", DOWN))
    looked.check_index()
    response = client.get("/readyz")
    assert response.status_code == 503
    assert reasons_of(response.json()) == {"index": "The elasticsearch index does not answer."}
    assert "hush" not in response.text + str(Health.objects.values_list("detail", "data"))


def test_where_another_index_answers_it_is_ready_and_says_what_is_not(
    client: Client, indexes: list[Broken], folder: Path
) -> None:
    indexes += [Broken("elasticsearch", DOWN), Broken("embedded", None)]
    assert looked.check_index().state == Health.State.DEGRADED
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json()["parts"]["index"]["reason"] == "The elasticsearch index does not answer."


def test_an_index_of_another_model_names_the_command(indexes: list[Broken]) -> None:
    indexes.append(Broken("embedded", IndexMismatch("x")))
    assert "search_index rebuild" in looked.check_index().detail


def test_the_row_is_one_however_often_it_is_written(db: None) -> None:
    first = looked.check_index()
    looked.check_index()
    assert Health.objects.get().checked > first.checked


def test_asking_loads_no_search_backend(tmp_path: Path) -> None:
    code = (
        "import sys, django; django.setup(); from django.test import Client; Client().get('/readyz'); "
        "print(sorted(set(sys.modules) & {'numpy', 'elasticsearch', 'onnxruntime', 'opentelemetry', 'sentry_sdk', "
        "'filings.search.active_indexes', 'filings.search.embedded', 'filings.search.health'}))"
    )
    result = forked("-c", code, DATA_DIR=str(tmp_path), SECRET_KEY="x")
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[]"


def test_the_reasons_are_those_of_each_part(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("database", "broker", "index"):
        monkeypatch.setattr(health, name, lambda name=name: health.Need(name != "broker", ""))
    assert [name for name, part in health.readiness().items() if not part.ok] == ["broker"]
