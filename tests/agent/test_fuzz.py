"""Hostile questions from a seed, by form, by API and through the agent: no error, no markup of theirs, nothing of others'."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from django.test import Client

from agent import tasks
from agent.models import Run
from agent.registrants.registrant_index import Companies
from agent.steps import blocks
from agent.steps.precheck import problem_with, tidy
from filings.models import Filing
from tests.support import answers
from tests.support.hostile import CANARY, EVALUATED, Hostile, questions
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

SECRET = "Only its owner reads this"
# What asking, answering and reading an answer may write.
WRITTEN = {
    "accounts_meter",
    "accounts_reservation",
    "accounts_session",
    "agent_run",
    "agent_runcompany",
    "agent_runtext",
    "agent_citedfact",
    "agent_standing",
    "agent_step",
    "filings_tally",
}
WRITES = re.compile(r'^(?:INSERT (?:OR \w+ )?INTO|UPDATE|DELETE FROM) "?(\w+)')
OTHERS = re.compile(r"^(?:CREATE|DROP|ALTER|ATTACH|DETACH|PRAGMA|VACUUM|REPLACE|TRUNCATE)\b")
OF_RUNS = re.compile(r'\b(?:FROM|UPDATE|INTO|JOIN) "(?:agent_run|agent_step|agent_runtext|agent_runcompany)"')
# Tables of what filings say, and the columns one of which bounds every read of them.
HELD = re.compile(r'\b(?:FROM|JOIN) "filings_(?:fact|chunk|section|statement|document)"')
BOUND = re.compile(
    r'(?:"(?:filings_(fact|chunk|section|statement|document)"\."(filing_id|company_id|section_id|id)|filings_filing"\."(accession)'
    r'|filings_company"\."(cik))"|\bU0\."(cik)")'
    r" (?:= %s|IN \([%s, ]+\))"
)
ADDRESSED = {"href", "src", "action", "formaction", "hx-get", "hx-post", "data", "poster"}


class Markup(HTMLParser):
    """What of a page is markup, and the text of its main heading."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[str] = []
        self.heading = ""
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = self.inside or tag == "h1"
        found = dict(attrs)
        names = [tag, *found]
        if any(CANARY in name or name.startswith("on") or name in {"srcdoc", "style", "http-equiv"} for name in names):
            self.wrong.append(self.get_starttag_text() or tag)
        if tag in {"iframe", "object", "embed", "base", "style"} or (tag == "script" and "src" not in found):
            self.wrong.append(self.get_starttag_text() or tag)
        for name in ADDRESSED & set(found):
            address = (found[name] or "").strip().lower()
            if not address.startswith(
                ("/", "#", "?", "https://www.sec.gov/", "https://data.sec.gov/")
            ) or address.startswith("//"):
                self.wrong.append(self.get_starttag_text() or tag)

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "h1"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.heading += data

    def handle_comment(self, data: str) -> None:
        if CANARY in data:
            self.wrong.append(data)

    handle_decl = unknown_decl = handle_pi = handle_comment


def parsed(response: HttpResponse) -> Markup:
    """A page, none of whose markup is what somebody has typed."""
    page = response.content.decode()
    found = Markup()
    found.feed(page)
    found.close()
    assert found.wrong == []
    assert EVALUATED not in page
    assert settings.SECRET_KEY not in page
    assert SECRET not in page
    assert not any(CANARY in f"{name}{value}" for name, value in response.headers.items())
    return found


class Statements:
    """The statements that a block sends to the database, with their values."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, tuple[Any, ...]]] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        rows = params if many else [params]
        self.sent += [(sql, tuple(row or ())) for row in rows]
        return execute(sql, params, many, context)

    def check(self, run: Run, owner: str) -> None:
        """Nothing typed is part of a statement; what is read and written of runs is this run's or its owner's."""
        own = {run.pk.hex, str(run.pk), owner.replace("-", ""), owner}
        for sql, values in self.sent:
            assert CANARY not in sql.lower(), sql
            assert not OTHERS.match(sql), sql
            if written := WRITES.match(sql):
                assert written[1] in WRITTEN, sql
            if OF_RUNS.search(sql) and '"agent_runtext"."id" = ' not in sql:
                assert own & {str(value) for value in values}, (sql, values)
            assert not HELD.search(sql) or BOUND.search(sql), sql

    def read(self) -> tuple[set[int], set[int]]:
        """The companies and the filings that facts, statements and passages were read of."""
        companies: set[int] = set()
        filings: set[int] = set()
        for sql, values in self.sent:
            for bound in BOUND.finditer(sql):
                first = sql[: bound.start()].count("%s")
                named = values[first : first + bound[0].count("%s")]
                if bound[2] == "company_id":
                    companies |= set(named)
                elif bound[2] == "filing_id":
                    filings |= set(named)
                elif bound[1] == "chunk" and bound[2] == "id":
                    filings |= {value // 100_000 for value in named}
        return companies, filings


def accessions(found: object) -> Iterator[str]:
    """Every accession that an answer names as a source."""
    if isinstance(found, dict):
        for name, value in found.items():
            if name == "accession" and isinstance(value, str):
                yield value
            else:
                yield from accessions(value)
    elif isinstance(found, list):
        for value in found:
            yield from accessions(value)


@pytest.fixture
def visitor(sample: Sample, client: Client, monkeypatch: pytest.MonkeyPatch) -> Client:
    """A visitor, beside somebody whose runs have what nobody else may read."""
    # Nothing is stored meanwhile: the index of companies is built once.
    monkeypatch.setattr("agent.registrants.registrant_index.FRESH", 3600.0)
    Companies.forget()
    for words in (SECRET, CANARY):
        answers.run_with(answers.number_answer(), visitor=uuid4(), question=f"{SECRET}: {words}", note=SECRET)
    return client


def asked(client: Client, typed: str) -> HttpResponse:
    """The answer of the form, to bytes as no browser would send them."""
    body = "question=" + quote(typed.encode("utf-8", "surrogatepass"), safe="")
    return client.post("/ask", body, content_type="application/x-www-form-urlencoded")


def try_page(client: Client, hostile: Hostile) -> None:
    """Ask by the form, answer as a worker does, and read the answer."""
    statements = Statements()
    with connection.execute_wrapper(statements):
        response = asked(client, hostile.text)
        if response.status_code in {413, 422}:
            parsed(response)
            return
        assert response.status_code == 302, response.status_code
        pk = response["Location"].removeprefix("/runs/")
        tasks.answer(pk)
        page = client.get(response["Location"])
    assert page.status_code == 200
    run = checked(pk, statements)
    assert " ".join(parsed(page).heading.split()) == run.question


def try_api(client: Client, hostile: Hostile) -> None:
    """Ask by the API, answer as a worker does, and read the answer."""
    statements = Statements()
    sent = {"question": hostile.text}
    with connection.execute_wrapper(statements):
        response = client.post(
            "/api/v1/ask", json.dumps(sent), content_type="application/json", headers={"Prefer": "respond-async"}
        )
        told(response)
        if response.status_code in {413, 422}:
            return
        assert response.status_code == 202, response.status_code
        pk = response["Location"].removeprefix("/api/v1/runs/")
        tasks.answer(pk)
        found = told(client.get(response["Location"]))
    run = checked(pk, statements)
    assert (found["question"], found["status"], found["outcome"]) == (run.question, "done", run.outcome)


def told(response: HttpResponse) -> dict[str, Any]:
    """What the API says, which has nothing of others and no header of what somebody has typed."""
    assert "json" in response["Content-Type"]
    text = response.content.decode()
    assert SECRET not in text
    assert settings.SECRET_KEY not in text
    assert EVALUATED not in text
    assert not any(CANARY in f"{name}{value}" for name, value in response.headers.items())
    found: dict[str, Any] = response.json()
    return found


def checked(pk: str, statements: Statements) -> Run:
    """A run that is answered, from what its own companies filed and by statements that have nothing typed in them."""
    run = Run.objects.get(pk=pk)
    statements.check(run, str(run.visitor))
    assert run.status == Run.Status.DONE
    assert run.question == tidy(run.question)
    assert problem_with(run.question) is None
    if run.outcome == Run.Outcome.ANSWERED:
        plan = run.answer["plan"]
        ciks = {one["cik"] for one in ((plan["query"] or {}).get("companies") or ())}
        ciks |= {target["company"]["cik"] for target in plan["targets"]}
        own = list(Filing.objects.filter(company__cik__in=ciks).values_list("company", "pk", "accession"))
        companies, filings = statements.read()
        assert companies <= {company for company, _, _ in own}
        assert filings <= {filing for _, filing, _ in own}
        assert set(accessions(run.answer["blocks"])) <= {accession for _, _, accession in own}
    return run


def try_history(client: Client, hostile: Hostile) -> None:
    """Search one's own answers for it."""
    address = "/history?q=" + quote(hostile.text.encode("utf-8", "surrogatepass"), safe="")
    response = client.get(address)
    assert response.status_code == (400 if "\0" in hostile.text else 200)
    parsed(response)


def fuzz(client: Client, seed: int, count: int, patch: pytest.MonkeyPatch, every: int = 1) -> None:
    """Every question by the page, every fifth by each other door, and long ones, which are few, by all of them.

    every: at so many questions a refusal tries what it offers instead, which is half of all the time.
    """
    for number, hostile in enumerate(questions(seed, count)):
        door = "long" if hostile.kind == "long" else number % 5
        try:
            with patch.context() as patched:
                if number % every:
                    patched.setattr(blocks, "alternatives", lambda *given, **named: ())
                try_page(client, hostile)
                if door in {0, "long"} and hostile.kind != "half":
                    try_api(client, hostile)
            if door in {1, "long"}:
                try_history(client, hostile)
        except BaseException as problem:
            problem.add_note(f"seed {seed}, question {number}, {hostile.kind}: {ascii(hostile.text)[:400]}")
            raise


def test_twenty_hostile_questions(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    fuzz(visitor, 0, 20, monkeypatch, every=10)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 120))
def test_five_hundred_hostile_questions(visitor: Client, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    fuzz(visitor, seed, 500, monkeypatch)


def test_the_same_seed_asks_the_same() -> None:
    assert list(questions(7, 60)) == list(questions(7, 60))
    assert len({hostile.kind for hostile in questions(7, 60)}) == 12


def test_half_a_pair_in_json_is_no_error_of_ours(visitor: Client) -> None:
    try_api(visitor, Hostile("half", "What\ud800 is Appl\udc00e's CIK?"))


def test_a_part_without_a_company_may_take_over_several(visitor: Client) -> None:
    # Whose words stand in the other part, at places that this one need not have.
    text = "A\ue000pple a\xadnd {words} : qx7jz ^\U0001f468 - + ( \u20e3\u2044) AND OR N\u0149\uffffOT Northwi nd net income 2024"
    try_page(visitor, Hostile("mixed", text))
