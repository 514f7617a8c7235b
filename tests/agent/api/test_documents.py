"""The OpenAPI document, that replies keep to it, and the page that is made of it."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from accounts.models import User
from tests.support.answers import conflict_answer, derived_answer, number_answer, open_run, run_with
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

API = "/api/v1"
# What programs are written against: a name may be added, none may be changed or taken away.
OPERATIONS = {
    "ask": "post /ask",
    "get_run": "get /runs/{run_id}",
    "get_certificate": "get /runs/{run_id}/certificate",
    "verify": "post /verify",
    "list_runs": "get /runs",
    "list_watchlists": "get /watchlists",
    "start_search": "post /search",
    "get_search": "get /search/{search_id}",
    "list_companies": "get /companies",
    "get_company": "get /companies/{company}",
    "get_coverage": "get /coverage",
    "list_filings": "get /filings",
    "import_document": "post /documents",
    "get_import": "get /documents/{import_id}",
    "get_filing": "get /filings/{accession}",
    "get_redline": "get /companies/{company}/redline",
    "get_section": "get /filings/{accession}/sections/{key}",
    "get_fact_answer": "get /facts/answer",
    "get_fact": "get /facts/{fact_id}",
    "list_facts": "get /facts",
    "get_table": "get /table",
    "screen_companies": "get /screener",
    "get_statements": "get /companies/{company}/statements",
    "list_concepts": "get /concepts",
    "get_usage": "get /usage",
    "get_health": "get /health",
}
FIELDS = {
    "Run": "id url page question mode status type outcome refused refusal_code company summary starred created finished ms refusal answer",
    "Answer": "text parts mode versions",
    "Part": "type outcome nearest reading company heading missing documents values mentions table results quotations passages dropped data notes text refusal",
    "ModelReading": "by as slots",
    "ReadingSlot": "slot label text others",
    "Value": "company cik concept label reading value unit shown exact fiscal_year fiscal_period period_end accession fact formula operands later notes",
    "TableFact": "fact tag axis member value start end accession url",
    "StoredFact": "id tag value unit start end dimensions axis member accession cik",
    "CitedFact": "id tag value unit start end statement label printed dimensions axis member form accession filed source url page",
    "OperandOf": "name concept label cik fiscal_year fiscal_period fact",
    "Outcome": "operation text label cik fiscal_years fiscal_period value unit formula operands order holds",
    "Place": "rank cik fiscal_year value",
    "Quotation": "number text quote verdict heading item printed_page cik accession start end sha256 page",
    "NearPassage": "title headings text accession cik item page start end marked sha256 reader",
    "Refusal": "code stage text detail looked_for tags candidates alternatives",
    "ProblemDocument": "type title status detail reason errors auth_required limit",
    "FigureTable": "companies years table results notes",
    "TableRow": "company cik fiscal_year fiscal_period period_end key measure statement value unit asked formula facts gap notes",
    "UsedLimit": "name limit used window_s retry_after_s",
}


@pytest.fixture
def document(client: Client, db: None) -> dict[str, Any]:
    response = client.get(f"{API}/openapi.json")
    assert response["Content-Type"].startswith("application/json")
    return response.json()


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, said in methods.items():
            yield path, method, said


def validator(document: dict[str, Any], schema: dict[str, Any]) -> Draft202012Validator:
    """A validator of one schema of the document, in which references are found."""
    whole = Resource.from_contents(document, default_specification=DRAFT202012)
    in_document = {"$ref": f"urn:openapi{schema['$ref']}"} if "$ref" in schema else schema
    return Draft202012Validator(in_document, registry=Registry().with_resource("urn:openapi", whole))


def test_names_that_programs_are_written_against_stay(document: dict[str, Any]) -> None:
    found = {said["operationId"]: f"{method} {path.removeprefix(API)}" for path, method, said in operations(document)}
    assert found == OPERATIONS
    for name, fields in FIELDS.items():
        assert set(fields.split()) <= set(document["components"]["schemas"][name]["properties"]), name


def test_it_is_a_valid_document(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1.")
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert set(re.findall(r"#/components/schemas/\w+", str(document))) == known
    for path, _, said in operations(document):
        assert set(re.findall(r"{(\w+)}", path)) == {one["name"] for one in said["parameters"] if one["in"] == "path"}


def test_everything_is_described(document: dict[str, Any]) -> None:
    for path, _, said in operations(document):
        assert said["description"], path
        for one in said["parameters"]:
            assert one["description"], (path, one["name"])
    for name, schema in document["components"]["schemas"].items():
        assert schema["description"], name
        assert [key for key, one in schema["properties"].items() if not one.get("description")] == [], name


def test_every_operation_tells_its_errors_and_that_a_token_is_optional(document: dict[str, Any]) -> None:
    for path, method, said in operations(document):
        errors = {status: one for status, one in said["responses"].items() if int(status) >= 400}
        assert {"401", "403"} <= errors.keys(), path
        assert {*(kind for one in errors.values() for kind in one["content"])} == {"application/problem+json"}
        assert {} in said["security"]
        if method == "post":
            assert {"400", "413", "415", "422"} <= errors.keys()


def test_replies_keep_to_the_document(document: dict[str, Any], alices: Client, alice: User, sample: Sample) -> None:
    runs = [run_with(one, alice) for one in (number_answer(), derived_answer(), conflict_answer())]
    accession = sample.filing("AAPL", 2024).accession
    northwind = alices.get(f"{API}/filings?company=9999999901").json()["items"][0]["accession"]
    addresses = {
        "/runs/{run_id}": [f"/runs/{run.pk}" for run in (*runs, open_run(alice))],
        "/companies/{company}": ["/companies/AAPL", "/companies/9999999901"],
        "/companies/{company}/statements": [
            "/companies/AAPL/statements?year=2024",
            "/companies/AAPL/statements?year=2014",
        ],
        "/filings/{accession}": [f"/filings/{accession}", f"/filings/{northwind}"],
        "/filings/{accession}/sections/{key}": [f"/filings/{northwind}/sections/1A"],
        "/facts/answer": [f"/facts/answer?company={name}&concept=gross_profit" for name in ("AAPL", "JPM")],
        "/facts": [f"/facts?accession={accession}"],
        "/table": ["/table?companies=AAPL,JPM&measures=roe,gross_profit,eps_diluted&years=2014,2024"],
        "/screener": ["/screener?measures=roe,revenue&year=2023&where=revenue>1bn"],
    }
    for path, methods in document["paths"].items():
        if "get" not in methods:
            continue
        short = path.removeprefix(API)
        for address in addresses.get(short, [] if "{" in short else [short]):
            reply = alices.get(API + address)
            assert reply.status_code == 200, address
            validator(document, methods["get"]["responses"]["200"]["content"]["application/json"]["schema"]).validate(
                reply.json()
            )


def test_problems_keep_to_the_document(document: dict[str, Any], alices: Client, settings) -> None:
    settings.PLANS = {**settings.PLANS, "user": {**settings.PLANS["user"], "requests_per_minute": 1}}

    def ask(question: str):
        body, at_once = {"question": question}, {"Prefer": "respond-async"}
        return alices.post(f"{API}/ask", body, content_type="application/json", headers=at_once)

    assert ask("Northwind revenue").status_code == 202
    problems = {
        401: Client(headers={"Authorization": "Bearer x"}).get(f"{API}/runs"),
        404: alices.get(f"{API}/nowhere"),
        405: alices.get(f"{API}/ask"),
        413: ask("x" * 8001),
        415: alices.post(f"{API}/ask", "x", content_type="text/plain"),
        422: alices.get(f"{API}/runs?page=0"),
        429: ask("Northwind revenue"),
    }
    schema = validator(document, {"$ref": "#/components/schemas/ProblemDocument"})
    for status, response in problems.items():
        assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
        schema.validate(response.json())
        assert set(response.json()) <= set(document["components"]["schemas"]["ProblemDocument"]["properties"])


# --- the page ---


class Page(HTMLParser):
    """What of a page breaks the CSP, and where its links inside lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "style" or (tag == "script" and not found.get("src")) or "style" in found:
            self.inline.append(tag)
        self.inline += [name for name in found if name.startswith("on")]
        self.inline += [
            value for name in ("src", "href") if (value := found.get(name) or "").startswith(("http", "//"))
        ]
        self.ids += [found["id"]] if found.get("id") else []
        self.links += [found["href"] or ""] if tag == "a" and "href" in found else []


def test_the_page_documents_every_operation_and_shape(client: Client, document: dict[str, Any]) -> None:
    response = client.get(f"{API}/docs")
    page = Page(response.content.decode())
    assert OPERATIONS.keys() <= set(page.ids)
    assert set(document["components"]["schemas"]) <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    inside = {link[1:] for link in page.links if link.startswith("#")}
    assert inside <= set(page.ids)
    # The contents lead to each operation, shapes to each other.
    assert OPERATIONS.keys() <= inside


def test_the_page_needs_nothing_that_the_security_policy_forbids(client: Client, db: None) -> None:
    response = client.get(f"{API}/docs")
    assert Page(response.content.decode()).inline == []
    assert "script-src 'self'" in response["Content-Security-Policy"]


def test_the_page_makes_no_session_and_is_linked(client: Client, db: None) -> None:
    assert "sessionid" not in client.get(f"{API}/docs").cookies
    assert f'href="{API}/docs"' in client.get("/method").content.decode()
