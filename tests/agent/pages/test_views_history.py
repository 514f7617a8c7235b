"""History: one's own runs, searched, asked again, deleted."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.timezone import now

from accounts.identity import Identity
from accounts.models import User
from accounts.tokens import issue
from agent import tasks
from agent.models import Run
from agent.web import mcp
from tests.support import answers


@pytest.fixture
def runs(alice: User) -> list[Run]:
    """Alice's: a figure, a refusal, a failure, one still open."""
    return [
        answers.run_with(answers.number_answer(), alice),
        answers.run_with(answers.refusal_answer(), alice),
        answers.open_run(alice, question="It broke", status=Run.Status.FAILED, outcome=Run.Outcome.ERROR),
        answers.open_run(alice, question="Still open"),
    ]


def questions(client: Client, **query: str) -> list[str]:
    return [run.question for run in client.get("/history", query).context["page"]]


def test_it_lists_ones_own_runs_newest_first(as_alice: Client, as_bob: Client, bob: User, runs: list[Run]) -> None:
    answers.open_run(bob, question="Not yours")
    assert questions(as_alice) == ["Still open", "It broke", runs[1].question, runs[0].question]
    assert questions(as_bob) == ["Not yours"]


def test_an_identity_with_neither_user_nor_visitor_sees_nothing(client: Client, runs: list[Run]) -> None:
    Run.objects.create(question="Of nobody")
    response = client.get("/history")
    assert list(response.context["page"]) == []
    assert b"Nothing here yet" in response.content


def test_a_visitor_sees_the_visitors_runs(client: Client, db: None) -> None:
    client.post("/ask", {"question": "Northwind revenue 2024"})
    assert questions(client) == ["Northwind revenue 2024"]
    assert questions(Client()) == []


def test_results_are_shown_in_a_line(as_alice: Client, runs: list[Run]) -> None:
    page = as_alice.get("/history").content.decode()
    for words in ("$9.412 million", "Measure not reported", "Failed", "Working"):
        assert words in page


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("R&D", 1),
        ("r&d SPEND", 1),
        ("northwind instruments", 2),  # the company, which the question does not spell out
        ("9.412", 1),
        ("concept_not", 1),
        ("spend advertising", 0),
        ("100%", 0),
        ("9_412", 0),
    ],
)
def test_it_searches_questions_companies_results_and_codes(
    as_alice: Client, runs: list[Run], typed: str, found: int
) -> None:
    assert len(questions(as_alice, q=typed)) == found


@pytest.mark.parametrize(("outcome", "found"), [("answered", 1), ("refused", 1), ("error", 1), ("meta", 0), ("", 4)])
def test_it_filters_by_outcome(as_alice: Client, runs: list[Run], outcome: str, found: int) -> None:
    assert len(questions(as_alice, outcome=outcome)) == found


def test_an_unknown_outcome_hides_nothing(as_alice: Client, runs: list[Run]) -> None:
    assert len(questions(as_alice, outcome="superseded")) == 4


@pytest.fixture
def dated(alice: User) -> list[Run]:
    """Alice's: today on a page, six days ago by the API, twenty by MCP, a year ago by a token of an older release."""
    token, _ = issue(alice, "Notebook", ["ask"])
    ages = [(0, "page"), (6, "api"), (20, "mcp"), (365, "")]
    return [
        answers.open_run(
            alice,
            question=f"{days} days",
            origin=origin or None,
            token=None if origin else token,
            created=now() - timedelta(days=days),
        )
        for days, origin in ages
    ]


@pytest.mark.parametrize(
    ("origin", "found"),
    [("page", ["0 days"]), ("api", ["6 days", "365 days"]), ("mcp", ["20 days"]), ("", 4), ("fax", 4)],
)
def test_it_filters_by_where_it_was_asked(
    as_alice: Client, dated: list[Run], origin: str, found: list[str] | int
) -> None:
    asked = questions(as_alice, origin=origin)
    assert asked == found if isinstance(found, list) else len(asked) == found


@pytest.mark.parametrize(("days", "found"), [("1", 1), ("7", 2), ("30", 3), ("", 4), ("x", 4)])
def test_it_filters_by_the_last_days(as_alice: Client, dated: list[Run], days: str, found: int) -> None:
    assert len(questions(as_alice, days=days)) == found


def test_it_filters_by_dates_and_both_ends_belong_to_it(as_alice: Client, dated: list[Run]) -> None:
    day = dated[1].created.date().isoformat()
    assert questions(as_alice, since=day, until=day) == ["6 days"]
    assert questions(as_alice, since=day) == ["0 days", "6 days"]
    assert questions(as_alice, until=day) == ["6 days", "20 days", "365 days"]
    assert questions(as_alice, since=day, days="1") == ["0 days"]
    assert len(questions(as_alice, since="0001-01-01", until="9999-12-31")) == 4


@pytest.mark.parametrize("wrong", [{"since": "soon"}, {"since": "2026-11-02", "until": "2026-11-01"}])
def test_a_wrong_date_is_named_and_ignored(as_alice: Client, dated: list[Run], wrong: dict[str, str]) -> None:
    page = as_alice.get("/history", wrong).content.decode()
    assert "This filter is ignored." in page
    assert questions(as_alice, until=wrong.get("until", "soon"), since=wrong.get("since", ""))


def test_origin_and_dates_go_with_search_paging_and_downloads(as_alice: Client, alice: User) -> None:
    for number in range(31):
        answers.open_run(alice, question=f"Question {number}", origin="api")
    answers.open_run(alice, question="Question of a page", origin="page")
    first = as_alice.get("/history", {"q": "question", "origin": "api", "days": "7"})
    page = first.content.decode()
    assert first.context["page"].paginator.count == 31
    assert 'href="?q=question&amp;origin=api&amp;days=7&amp;page=2"' in page
    assert '<option value="api" selected>' in page
    assert "Asked by API" in page
    assert "origin=api&amp;days=7" in page.partition("/history/export.csv")[2][:60]


def test_each_way_to_ask_is_recorded(as_alice: Client, alice: User) -> None:
    as_alice.post("/ask", {"question": "Apple revenue 2024"})
    as_alice.post("/api/v1/ask", {"question": "Apple revenue 2023"}, "application/json", headers={"Prefer": "wait=0"})
    mcp.asked(Identity(user=alice), "Apple revenue 2022", "", None)
    assert dict(Run.objects.values_list("question", "origin")) == {
        "Apple revenue 2024": "page",
        "Apple revenue 2023": "api",
        "Apple revenue 2022": "mcp",
    }


def test_a_search_without_a_match_says_so(as_alice: Client, runs: list[Run]) -> None:
    assert b"No answers match" in as_alice.get("/history", {"q": "buyback"}).content


def test_it_shows_thirty_a_page_and_keeps_the_search_in_the_links(as_alice: Client, alice: User) -> None:
    for number in range(31):
        answers.open_run(alice, question=f"Question {number}", created=now() - timedelta(minutes=number))
    first = as_alice.get("/history", {"q": "Question"})
    assert len(first.context["page"]) == 30
    assert b'href="?q=Question&amp;page=2"' in first.content
    assert questions(as_alice, q="Question", page="2") == ["Question 30"]
    assert questions(as_alice, page="ninety-nine")[0] == "Question 0"


def test_htmx_gets_the_list_alone(as_alice: Client, runs: list[Run]) -> None:
    fragment = as_alice.get("/history", headers={"HX-Request": "true"})
    assert b"<html" not in fragment.content
    assert b'id="runs"' in fragment.content
    assert "HX-Request" in fragment.headers["Vary"]


def test_a_list_restored_by_the_back_button_is_a_whole_page(as_alice: Client, runs: list[Run]) -> None:
    restored = as_alice.get("/history", headers={"HX-Request": "true", "HX-History-Restore-Request": "true"})
    assert b"<html" in restored.content


def test_selected_runs_are_deleted_and_no_others(as_alice: Client, runs: list[Run]) -> None:
    chosen = [str(run.pk) for run in runs[:2]]
    response = as_alice.post("/history/selected", {"run": chosen, "action": "delete"}, follow=True)
    assert b"2 answers deleted." in response.content
    assert set(Run.objects.all()) == set(runs[2:])


def test_selected_questions_are_asked_again_in_their_order(as_alice: Client, alice: User, runs: list[Run]) -> None:
    chosen = [str(run.pk) for run in runs[:2]]
    as_alice.post("/history/selected", {"run": chosen, "action": "ask_again"})
    assert [run.question for run in Run.objects.all()[:2]] == [runs[1].question, runs[0].question]
    assert Run.objects.filter(user=alice).count() == 6


@pytest.mark.parametrize(("many", "priority"), [(1, 0), (2, 9)])
def test_many_that_are_asked_again_wait_behind_what_somebody_waits_for(
    as_alice: Client,
    runs: list[Run],
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
    many: int,
    priority: int,
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.answer, "apply_async", lambda args, priority: sent.append(priority))
    chosen = [str(run.pk) for run in runs[:many]]
    with django_capture_on_commit_callbacks(execute=True):
        as_alice.post("/history/selected", {"run": chosen, "action": "ask_again"})
    assert sent == [priority] * many


@pytest.mark.parametrize("action", ["delete", "ask_again"])
def test_a_strangers_run_in_the_selection_changes_nothing_at_all(
    as_bob: Client, bob: User, runs: list[Run], action: str
) -> None:
    own = answers.open_run(bob)
    chosen = [str(own.pk), str(runs[0].pk)]
    response = as_bob.post("/history/selected", {"run": chosen, "action": action}, follow=True)
    assert b"Nothing was changed." in response.content
    assert Run.objects.count() == 5


@pytest.mark.parametrize(
    "sent",
    [{}, {"action": "delete"}, {"run": ["no uuid"], "action": "delete"}, {"run": [str(uuid4())], "action": "delete"}],
)
def test_a_selection_that_makes_no_sense_changes_nothing(as_alice: Client, runs: list[Run], sent: dict) -> None:
    assert b"Nothing was changed." in as_alice.post("/history/selected", sent, follow=True).content
    assert Run.objects.count() == 4


def test_an_unknown_action_changes_nothing(as_alice: Client, runs: list[Run]) -> None:
    as_alice.post("/history/selected", {"run": [str(runs[0].pk)], "action": "publish"})
    assert Run.objects.count() == 4
