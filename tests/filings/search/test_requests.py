"""The search box: stored by the page, run by a worker, swept when old."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils.timezone import now
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.identity import Identity
from accounts.models import User
from filings.models import Filing, SearchRequest
from filings.search import requests
from filings.search.indexing import index_filing
from filings.search.requests import Filters
from filings.tasks import search, sweep_searches
from tests.support.holdings import annual_report, known
from tests.support.processes import run as run_python
from tests.support.searchable import MadeUp, store

Status = SearchRequest.Status
FOUND = "One mill rolls all of our sheet steel, and no other mill could."


@pytest.fixture
def steel(model: MadeUp, filing: Filing) -> Filing:
    store(filing, ["Dividends were paid.", FOUND, "Weather matters little."], headings=("Supply", "Steel"))
    index_filing(filing.pk)
    return filing


def ran(text: str, filters: Filters = requests.ANYWHERE) -> SearchRequest:
    request = requests.start(text, filters)
    requests.run(request.pk)
    request.refresh_from_db()
    return request


def sent_to(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys that the task is sent from now on."""
    sent: list[str] = []
    monkeypatch.setattr(search, "apply_async", lambda args, **options: sent.extend(args))
    return sent


def test_a_search_is_stored_and_handed_to_a_worker(
    steel: Filing, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = sent_to(monkeypatch)
    with django_capture_on_commit_callbacks(execute=True):
        request = requests.start("  sheet\n steel\0 ")
    assert sent == [str(request.pk)]
    assert (request.text, request.status, request.is_open) == ("sheet steel", Status.QUEUED, True)


def test_it_finds_a_passage_with_its_place_and_its_words_marked(steel: Filing) -> None:
    request = ran("sheet steels")
    assert (request.status, request.problem, request.index) == (Status.DONE, "", "embedded")
    first = request.results[0]
    section = steel.sections.get()
    assert section.text[first["start"] :].startswith(first["snippet"])
    assert [first["snippet"][start:end] for start, end in first["highlights"]] == ["sheet", "steel"]
    assert first["ranges"] == steel.chunks.get(pk=first["chunk"]).ranges
    assert (first["accession"], first["item"], first["label"]) == (steel.accession, "1A", "Item 1A, Risk Factors")
    assert (first["section"], first["number"], first["headings"]) == (section.pk, 1, ["Supply", "Steel"])
    assert (first["company"], first["cik"], first["fiscal_year"]) == ("Halden Optics, Inc.", 9_999_999_911, 2025)


def test_it_keeps_to_its_filters(steel: Filing) -> None:
    other = annual_report(known("Else Inc.", "ZZELS", 9_999_999_912), 2023)
    store(other, [FOUND], item="7")
    index_filing(other.pk)
    for filters, accessions in (
        (Filters(), {steel.accession, other.accession}),
        (Filters(cik=9_999_999_912), {other.accession}),
        (Filters(accession=steel.accession), {steel.accession}),
        (Filters(fiscal_year=2023), {other.accession}),
        (Filters(item="7"), {other.accession}),
        (Filters(fiscal_year=2025, item="7"), set()),
        (Filters(cik=1), set()),
    ):
        request = ran("sheet steel mill", filters)
        assert request.status == Status.DONE
        assert {row["accession"] for row in request.results} == accessions, filters


@pytest.mark.parametrize("text", ["?", "   ", '"', "*"])
def test_a_search_for_nothing_finds_nothing(steel: Filing, text: str) -> None:
    request = ran(text)
    assert (request.status, request.results) == (Status.DONE, [])


def test_a_search_of_a_filing_that_waits_says_so(model: MadeUp, filing: Filing) -> None:
    store(filing, [FOUND])
    request = ran("steel", Filters(accession=filing.accession))
    assert request.status == Status.FAILED
    assert "still waiting to be indexed" in request.problem


def test_a_search_without_an_embedding_says_so(steel: Filing, model: MadeUp) -> None:
    model.down = True
    request = ran("steel")
    assert request.results
    assert request.model == ""
    assert request.notes == ["Searched by words alone: The embedding endpoint does not answer."]


def test_an_unforeseen_error_ends_the_search(steel: Filing, monkeypatch: pytest.MonkeyPatch) -> None:
    from filings.search import browsing

    def broken(*args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(browsing, "find", broken)
    request = ran("steel")
    assert (request.status, request.problem) == (Status.FAILED, "The search failed; the log says why.")


def test_a_search_runs_once(steel: Filing) -> None:
    request = requests.start("steel")
    assert SearchRequest.objects.claim(request.pk)
    assert not SearchRequest.objects.claim(request.pk)
    requests.run(request.pk)
    request.refresh_from_db()
    assert (request.status, request.attempt) == (Status.RUNNING, 1)


def test_a_search_whose_worker_died_is_run_again(steel: Filing, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = sent_to(monkeypatch)
    request = requests.start("steel")
    SearchRequest.objects.claim(request.pk)
    SearchRequest.objects.update(created=now() - timedelta(minutes=3), started=now() - timedelta(minutes=2))
    sweep_searches()
    assert sent == [str(request.pk)]
    search(str(request.pk))
    request.refresh_from_db()
    assert (request.status, request.attempt) == (Status.DONE, 2)


def test_a_result_that_comes_too_late_is_not_written(steel: Filing) -> None:
    request = requests.start("steel")
    SearchRequest.objects.claim(request.pk)
    late = SearchRequest.objects.get(pk=request.pk)
    SearchRequest.objects.filter(pk=request.pk).update(attempt=2)
    requests.finish(late, status=Status.DONE, results=[{}])
    late.refresh_from_db()
    assert (late.status, late.results) == (Status.RUNNING, [])


def test_a_search_nobody_has_run_ends_and_an_old_one_goes(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "delay", lambda pk: None)
    fresh, lost, old = (requests.start(text) for text in ("fresh", "lost", "old"))
    SearchRequest.objects.filter(pk=lost.pk).update(created=now() - timedelta(minutes=11))
    SearchRequest.objects.filter(pk=old.pk).update(created=now() - timedelta(days=2))
    assert requests.sweep() == 0
    lost.refresh_from_db()
    assert lost.status == Status.FAILED
    assert lost.problem
    assert set(SearchRequest.objects.values_list("pk", flat=True)) == {fresh.pk, lost.pk}


def test_who_searched_sees_it_and_nobody_else(alice: User, bob: User) -> None:
    visitor = uuid4()
    of_alice = requests.start("x", identity=Identity(user=alice))
    of_visitor = requests.start("x", identity=Identity(visitor=visitor))
    visible = SearchRequest.objects.visible_to
    assert list(visible(Identity(user=alice))) == [of_alice]
    assert list(visible(Identity(visitor=visitor))) == [of_visitor]
    assert not visible(Identity(user=bob)).exists()
    assert not visible(Identity(visitor=uuid4())).exists()
    assert not visible(Identity()).exists()


def test_a_search_runs_on_the_queue_of_questions() -> None:
    from diligence.celery import app

    for task, queue in (
        ("search", "ask"),
        ("sweep_searches", "ask"),
        ("index_waiting", "ingest"),
        ("sweep", "ingest"),
    ):
        route = app.amqp.router.route({}, f"filings.tasks.{task}")
        assert route["queue"].name == queue, task


def test_starting_a_search_loads_no_backend() -> None:
    code = (
        "import sys, django; django.setup(); import filings.search.requests, filings.web.search_views;"
        "print(sorted(set(sys.modules) & {'numpy', 'elasticsearch', 'onnxruntime', 'filings.search.embedded'}))"
    )
    result = run_python("-c", code, SECRET_KEY="x")
    assert (result.returncode, result.stdout.strip()) == (0, "[]"), result.stderr
