"""A NUL character is answered plainly, by every database, and so is an encoding that hides one or cannot be read."""

from collections.abc import Iterator
from urllib.parse import urlencode

import httpx
import pytest
from django.http import HttpResponse
from django.test import Client
from django.test.client import encode_multipart

from diligence.wsgi import application
from filings.models import SearchRequest

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


@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "other"])
def test_a_cookie_with_it_is_refused(client: Client, name: str) -> None:
    client.cookies.clear()
    sent = {"Cookie": f'{name}="aaaaaaaa\\000"'}
    page = client.get("/history", headers=sent)
    assert page.status_code == 400
    assert "The address cannot be read" in page.content.decode()
    told = client.get("/api/v1/runs", headers=sent)
    assert (told.status_code, told.json()["reason"], told.json()["detail"]) == (
        400,
        "malformed",
        "A cookie has a NUL character.",
    )
    assert client.get("/history", headers={"Cookie": f'{name}="aaaaaaaa\\101"'}).status_code == 200


def test_a_body_with_it_is_refused(client: Client) -> None:
    asked = client.post("/api/v1/ask", {"question": "Northwind\0 revenue"}, content_type="application/json")
    assert asked.status_code == 422
    searched = client.post("/api/v1/search", {"q": "a\0b"}, content_type="application/json")
    assert searched.status_code == 422


# --- encodings ---

# A NUL, half of a surrogate pair, and what these cannot decode.
HIDDEN = {
    "utf-7": "+AAA-",
    "unicode_escape": "\\ud800",
    "idna": "xn--\x7f",
    "rot13": "a",
    "utf-16": "a",
    "latin-1": "a",
}
FORMS = ("/search", "/ask", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/")


def sent(client: Client, path: str, text: str, charset: str, kind: str = "multipart/form-data") -> HttpResponse:
    """A form whose every field has the text."""
    fields = dict.fromkeys(("q", "question", "login", "email", "password", "password1", "password2"), text)
    body = encode_multipart("x", fields) if kind.startswith("multipart") else urlencode(fields)
    return client.generic("POST", path, body, f"{kind}; boundary=x; charset={charset}")


@pytest.mark.parametrize("kind", ["multipart/form-data", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("charset", HIDDEN)
def test_a_form_in_another_encoding_is_not_read(client: Client, charset: str, kind: str) -> None:
    for path in FORMS:
        response = sent(client, path, HIDDEN[charset], charset, kind)
        assert response.status_code == 400
        assert "The address cannot be read" in response.content.decode()
    assert not SearchRequest.objects.exists()


@pytest.mark.parametrize("charset", ["utf-8", "UTF-8", "utf8", "no-encoding"])
def test_a_form_in_utf_8_is_read(client: Client, charset: str) -> None:
    assert sent(client, "/search", "+2AA-", charset).status_code == 302
    assert SearchRequest.objects.get().text == "+2AA-"


def test_the_api_reads_no_other_encoding_either(client: Client) -> None:
    asked = client.generic("POST", "/api/v1/search", '{"q": "a"}', "application/json; charset=utf-7")
    listed = client.get("/api/v1/companies?q=%2BAAA-", CONTENT_TYPE="text/plain; charset=utf-7")
    for response in (asked, listed):
        assert (response.status_code, response.json()["reason"]) == (400, "malformed")
        assert response["Content-Type"] == "application/problem+json"


# --- what Django's own request fails with, before any middleware is asked ---

NO_TEXT = ("rot13", "base64", "zlib", "hex", "uu", "bz2", "quopri", "idna", "punycode", "undefined")
UNREADABLE = [
    *(f"charset={name}" for name in NO_TEXT),
    "charset*=utf-8''utf-8%00",
    "charset*=undefined''a%41",
    "charset*=nowhere''a",
    "charset*=; charset*0",
]
QUERY = "q=%E9a%FF"


@pytest.fixture
def served() -> Iterator[httpx.Client]:
    """The application as gunicorn has it; what fails there fails here."""
    with httpx.Client(transport=httpx.WSGITransport(application), base_url="http://testserver") as found:
        yield found


@pytest.mark.parametrize("parameter", UNREADABLE)
def test_no_encoding_fails_before_the_site_can_answer(served: httpx.Client, parameter: str) -> None:
    form, data = f"application/x-www-form-urlencoded; {parameter}", f"application/json; {parameter}"
    for page in (
        served.get(f"/companies?{QUERY}", headers={"Content-Type": form}),
        served.post("/search", content="q=a", headers={"Content-Type": form}),
        served.post(
            f"/ask?{QUERY}", content="--x--", headers={"Content-Type": f"multipart/form-data; boundary=x; {parameter}"}
        ),
    ):
        assert (page.status_code, page.headers["Content-Type"]) == (400, "text/html; charset=utf-8")
        assert "The address cannot be read" in page.text
        assert "Content-Security-Policy" in page.headers
    for told in (
        served.get(f"/api/v1/companies?{QUERY}", headers={"Content-Type": data}),
        served.post("/api/v1/ask", content='{"question": "a"}', headers={"Content-Type": data}),
        served.post(f"/api/v1/ask?{QUERY}", content='{"question": "a"}', headers={"Content-Type": data}),
    ):
        assert (told.status_code, told.headers["Content-Type"]) == (400, "application/problem+json")
        assert told.json()["reason"] == "malformed"


@pytest.mark.parametrize("parameter", ["charset=utf-8", "charset=UTF8", "charset*=utf-8''utf-8", "charset=nowhere"])
def test_what_is_in_utf_8_is_read_as_it(served: httpx.Client, parameter: str) -> None:
    found = served.get("/companies?q=N%C3%B6", headers={"Content-Type": f"text/plain; {parameter}"})
    assert found.status_code == 200
    assert 'value="N\u00f6"' in found.text


@pytest.mark.parametrize("parameter", ["", "; charset=utf-8"])
def test_too_many_fields_are_refused_whatever_encoding_is_named(served: httpx.Client, parameter: str) -> None:
    asked = {"headers": {"Content-Type": f"text/plain{parameter}"}}
    page = served.get(f"/companies?{'&' * 2000}", **asked)
    assert (page.status_code, page.headers["Content-Type"]) == (400, "text/html; charset=utf-8")
    told = served.get(f"/api/v1/companies?{'&' * 2000}", **asked)
    assert (told.status_code, told.json()["reason"]) == (400, "malformed")
