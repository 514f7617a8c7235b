"""A NUL character in an address is answered plainly, by every database."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/companies?q=%00", "/companies/%00", "/history?q=a%00b", "/?q=%00", "/%00"])
def test_a_page_with_it_says_that_the_address_cannot_be_read(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == 400
    assert "The address cannot be read" in response.content.decode()


@pytest.mark.parametrize(
    "path",
    ["companies/%00", "companies?q=%00", "runs?q=%00", "runs?company=%00", "filings?company=%00", "facts?company=%00"],
)
def test_the_api_answers_a_problem(client: Client, path: str) -> None:
    response = client.get(f"/api/v1/{path}")
    assert (response.status_code, response.json()["reason"]) == (400, "malformed")
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("body", [{"question": "Northwind\0 revenue"}])
def test_a_body_with_it_is_refused(client: Client, body: dict[str, str]) -> None:
    asked = client.post("/api/v1/ask", body, content_type="application/json")
    assert asked.status_code == 422
    searched = client.post("/api/v1/search", {"q": "a\0b"}, content_type="application/json")
    assert searched.status_code == 422
