"""Every error under the API is a problem document, whoever makes it."""

import re

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

from agent.web.api import companies, health

API = "/api/v1"


@pytest.mark.parametrize(
    ("method", "address", "status", "reason"),
    [
        ("get", "/nowhere", 404, "not_found"),
        ("get", "/runs/", 404, "not_found"),
        ("get", "/runs/not-a-uuid", 404, "not_found"),
        ("get", "/filings/1", 404, "not_found"),
        ("post", "/nowhere", 404, "not_found"),
        ("get", "/ask", 405, "method_not_allowed"),
        ("post", "/companies", 405, "method_not_allowed"),
        ("delete", "/runs", 405, "method_not_allowed"),
        ("put", "/ask", 405, "method_not_allowed"),
        ("options", "/runs", 405, "method_not_allowed"),
    ],
)
def test_an_error_is_a_problem(client: Client, db: None, method: str, address: str, status: int, reason: str) -> None:
    response = getattr(client, method)(
        API + address, **({"content_type": "application/json"} if method == "post" else {})
    )
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    told = response.json()
    assert (told["status"], told["reason"], told["type"]) == (status, reason, "about:blank")
    assert {"title", "detail"} <= told.keys()


def test_a_method_that_is_not_taken_is_told_which_are(client: Client, db: None) -> None:
    assert client.get(f"{API}/ask")["Allow"] == "POST"


def test_head_is_taken_where_get_is(client: Client, db: None) -> None:
    assert client.head(f"{API}/health").status_code == 200


def test_a_failure_tells_the_log_and_not_the_caller(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    client.raise_request_exception = False
    monkeypatch.setattr(companies, "matching", broken)
    response = client.get(f"{API}/companies")
    assert (response.status_code, response.json()["reason"]) == (500, "failed")
    assert response["Content-Type"] == "application/problem+json"
    assert b"secret" not in response.content
    (logged,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert str(logged.exc_info[1]) == "secret detail"


def test_whoever_listens_for_failures_hears_them(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(companies, "matching", broken)
    with pytest.raises(RuntimeError, match="secret detail"):
        client.get(f"{API}/companies")


def test_the_root_leads_to_the_documentation(client: Client, db: None) -> None:
    assert client.get(f"{API}/")["Location"] == f"{API}/docs"


def test_health_says_that_it_answers(client: Client, db: None) -> None:
    told = client.get(f"{API}/health").json()
    assert (told["status"], told["model"]) == ("ok", False)
    assert told["version"]
    assert told["registry"]


def test_health_says_when_the_database_does_not_answer(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone:
        def cursor(self) -> None:
            raise OperationalError("password=secret")

    monkeypatch.setattr(health, "connection", Gone())
    response = client.get(f"{API}/health")
    assert (response.status_code, response.json()["reason"]) == (503, "unavailable")
    assert b"secret" not in response.content


def test_another_host_is_told_in_the_form_of_whoever_asks(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["diligence.example.com"]
    response = client.get(f"{API}/concepts", headers={"Host": "evil.example"})
    assert (response.status_code, response.json()["reason"]) == (400, "malformed")
    page = client.get("/method", headers={"Host": "evil.example"})
    assert (page.status_code, page["Content-Type"]) == (400, "text/html; charset=utf-8")


def test_a_body_in_chunks_is_not_taken_for_none(client: Client, db: None) -> None:
    response = client.post(f"{API}/ask", content_type="application/json", headers={"Transfer-Encoding": "chunked"})
    assert (response.status_code, response.json()["reason"]) == (411, "length_required")


@pytest.mark.parametrize(("limit", "most"), [("input_tokens", 3), ("question_characters", 20)])
def test_too_long_a_question_uses_nothing_and_may_be_sent_shorter_at_once(
    alices: Client, settings: Settings, limit: str, most: int
) -> None:
    settings.PLANS = {"user": {"requests_per_minute": 9, "input_tokens": 3 if limit == "input_tokens" else 50}}
    if limit == "question_characters":
        settings.QUESTION_MAX_LENGTH = most
    response = alices.post(
        f"{API}/ask", {"question": "What was Northwind's revenue?"}, content_type="application/json"
    )
    assert response.status_code == 413
    assert "Retry-After" not in response
    states = response["RateLimit"].split(", ")
    assert '"requests_per_minute";r=9' in states
    assert f'"{limit}";r={most}' in states
    assert f'"{limit}";q={most}' in response["RateLimit-Policy"].split(", ")
    assert len(states) == len({one.split(";")[0] for one in states})


def test_a_parameter_that_is_not_known_is_told_at_every_address(
    client: Client, alices: Client, as_charlie: Client, db: None
) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    values = {"accession": "0000320193-24-000123", "key": "1A", "company": "AAPL", "fact_id": "1"}
    tried = [("get", "/api/v1/openapi.json", [])]
    for path, operations in paths.items():
        whole = re.sub(r"{(\w+)}", lambda found: values.get(found[1], "00000000-0000-0000-0000-000000000000"), path)
        for method, operation in operations.items():
            known = [one["name"] for one in operation["parameters"] if one["in"] == "query"]
            tried.append((method, whole, known))
    assert len(tried) > 18
    for method, path, known in tried:
        files = path.startswith("/api/v1/documents")
        sent = {"data": "{}", "content_type": "application/json"} if method == "post" and not files else {}
        # Only who may bring files learns anything of them.
        response = getattr(as_charlie if files else alices, method)(f"{path}?phlogiston=1", **sent)
        assert response.status_code == 422, path
        (error,) = response.json()["errors"]
        said = f"Unknown parameter. This address takes: {', '.join(known or ['none'])}."
        assert (error["field"], error["message"]) == ("phlogiston", said), path
        assert "phlogiston" not in known
    # A method that is not taken is told first, as everywhere.
    assert alices.post("/api/v1/runs?phlogiston=1", "{}", content_type="application/json").status_code == 405
    assert alices.head("/api/v1/usage?phlogiston=1").status_code == 422
