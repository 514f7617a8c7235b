"""What the history finds, how it is narrowed, grouped, starred and noted, and whose it is."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from agent.models import Run, RunText
from agent.runs.history_index import folded, tokens
from agent.state import Answer
from agent.web.forms import HistoryForm
from tests.support import answers, prose_answers
from tests.support.holdings import northwind
from tests.support.texts import SUPPLIER, ten_k

HTMX = {"HX-Request": "true"}


@pytest.fixture
def run(alice: User) -> Run:
    return answers.run_with(answers.number_answer(), alice)


def questions(client: Client, **query: str) -> list[str]:
    return [run.question for run in client.get("/history", query).context["page"]]


# --- words ---


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What was Apple's R&D?", ["what", "was", "apple", "r&d"]),
        ("$9.412 million (9,412,000)", ["9.412", "million", "9,412,000"]),
        ("Crédit — “Zürich”", ["credit", "zurich"]),
        ("10-K/A, p. 7", ["10-k", "a", "p", "7"]),
        ("concept_not_reported", ["concept_not_reported"]),
        ("% _ * ' \" #", []),
    ],
)
def test_words_are_compared_without_case_accents_and_marks(text: str, words: list[str]) -> None:
    assert tokens(text) == words


def test_each_word_is_kept_once_and_a_hyphenated_one_by_its_parts() -> None:
    assert folded("supply-chain risk", "Risk of supply") == "supply-chain supply chain risk of"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("advert", True),  # the beginning of a word
        ("vertising", False),  # and not its middle
        ("advertising northwind", True),  # of question and company, in any order
        ("advertising dividends", False),
        ("nearest line holds", True),  # words of the refusal alone
        ("9_412", False),  # no character is a wildcard
        ("adv%", True),
        ("_", False),
        ('adv" OR "zz', False),  # what is typed is no query
        ("adv' & 'x", False),
        ("adv\\", True),
        ("-advertising", True),
        ("NEAR(advertising northwind)", False),
        ("words:advertising", False),
        ("x" * 200, False),
    ],
)
def test_every_word_typed_begins_a_word_of_question_or_answer(
    as_alice: Client, alice: User, typed: str, found: bool
) -> None:
    answers.run_with(answers.refusal_answer(), alice)
    assert bool(questions(as_alice, q=typed)) is found


def test_it_finds_the_words_of_quotations(as_alice: Client, alice: User) -> None:
    sections = ten_k(northwind().filings.get(fiscal_year=2025))
    run = answers.run_with(prose_answers.supply_answer(sections), alice)
    assert questions(as_alice, q=" ".join(SUPPLIER.split()[:4])) == [run.question]
    assert questions(as_alice, q="magnets fragile") == [run.question]
    assert questions(as_alice, q="zzqx") == []


def test_nobody_finds_what_another_asked(as_bob: Client, run: Run) -> None:
    assert questions(as_bob, q="northwind") == []


def test_an_answer_of_another_form_is_found_by_its_question(as_alice: Client, alice: User) -> None:
    answers.open_run(alice, question="Zebra crossings", answer={"of": "a former release"}, status=Run.Status.DONE)
    assert questions(as_alice, q="zebra") == ["Zebra crossings"]


@pytest.mark.parametrize("query", [{}, {"group": "company"}, {"q": "northwind"}, {"starred": "1"}])
def test_a_page_costs_the_same_with_one_run_and_with_thirty(as_alice: Client, alice: User, query: dict) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as held:
            as_alice.get("/history", query)
        assert not any('"answer"' in one["sql"] for one in held.captured_queries)
        return len(held)

    answers.run_with(answers.number_answer(), alice, starred=True)
    few = queries()
    for number in range(29):
        answers.run_with(answers.number_answer(), alice, company=f"Company {number % 7}", starred=True)
    assert queries() == few


def test_words_are_looked_up_in_the_index_once_and_not_for_each_run(alice: User) -> None:
    plan = HistoryForm({"q": "northwind"}).matching(Run.objects.filter(user=alice)).explain()
    if connection.vendor == "sqlite":
        assert "LIST SUBQUERY" in plan
        assert "run_id=? AND rowid=?" not in plan
    else:
        assert "agent_runtext" in plan


def test_the_index_follows_the_words(as_alice: Client, run: Run) -> None:
    RunText.objects.filter(run=run).update(words="walrus")
    assert questions(as_alice, q="northwind") == []
    assert questions(as_alice, q="walrus") == [run.question]
    RunText.objects.all().delete()
    assert questions(as_alice, q="walrus") == []


# --- filters and groups ---


def test_it_narrows_by_company_kind_and_star(as_alice: Client, alice: User, run: Run) -> None:
    other = answers.run_with(answers.number_answer(question="Of another"), alice, company="Other", type="B")
    Run.objects.filter(pk=other.pk).update(starred=True)
    assert questions(as_alice, company="Other") == ["Of another"]
    assert questions(as_alice, kind="A") == [run.question]
    assert questions(as_alice, kind="B") == ["Of another"]
    assert questions(as_alice, starred="1") == ["Of another"]
    assert questions(as_alice, starred="1", kind="A") == []
    assert len(questions(as_alice)) == 2


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_filter_that_cannot_be_read_is_said_and_the_others_hold(
    as_alice: Client, alice: User, run: Run, headers: dict
) -> None:
    answers.run_with(answers.refusal_answer(), alice)
    response = as_alice.get("/history", {"q": "x" * 201, "outcome": "refused"}, headers=headers)
    assert [one.outcome for one in response.context["page"]] == ["refused"]
    assert "at most 200 characters" in response.content.decode()
    assert "1 of 2 answers match" in response.content.decode()
    response = as_alice.get("/history", {"outcome": "zzqx", "group": "company", "starred": "1"}, headers=headers)
    assert list(response.context["page"]) == []
    assert "zzqx is not one of the available choices" in response.content.decode()


def test_it_offers_the_companies_that_were_asked_about(as_alice: Client, as_bob: Client, run: Run) -> None:
    page = as_alice.get("/history").content.decode()
    assert '<option value="Northwind Instruments, Inc.">Northwind Instruments</option>' in page
    assert "Northwind" not in as_bob.get("/history").content.decode()


def test_runs_stand_under_their_company_with_its_count(as_alice: Client, alice: User) -> None:
    for company in ("Beta", "Alpha", "Beta", ""):
        answers.open_run(alice, company=company)
    response = as_alice.get("/history", {"group": "company"})
    assert [(company, count) for company, _, count, _ in response.context["groups"]] == [
        ("", 1),
        ("Alpha", 1),
        ("Beta", 2),
    ]
    assert '<a href="/history?company=Beta">Beta</a>' in response.content.decode()


def test_a_count_under_a_company_is_of_what_was_searched(as_alice: Client, alice: User) -> None:
    answers.open_run(alice, company="Beta", question="Find me")
    answers.open_run(alice, company="Beta", question="Not this")
    groups = as_alice.get("/history", {"group": "company", "q": "find"}).context["groups"]
    assert [(company, count) for company, _, count, _ in groups] == [("Beta", 1)]


# --- stars and notes ---


def test_a_star_is_put_and_taken_away_and_twice_is_once(as_alice: Client, run: Run) -> None:
    for sent, kept in (("1", True), ("1", True), ("0", False)):
        as_alice.post(f"/runs/{run.pk}/star", {"starred": sent})
        run.refresh_from_db()
        assert run.starred is kept


def test_a_star_is_swapped_alone(as_alice: Client, run: Run) -> None:
    fragment = as_alice.post(f"/runs/{run.pk}/star", {"starred": "1"}, headers=HTMX).content.decode()
    assert 'aria-pressed="true"' in fragment
    assert "<html" not in fragment


def test_a_note_is_kept_shown_and_found(as_alice: Client, run: Run) -> None:
    as_alice.post(f"/runs/{run.pk}/note", {"note": "  Ask the auditors <b>first</b> "})
    run.refresh_from_db()
    assert run.note == "Ask the auditors <b>first</b>"
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert "Ask the auditors &lt;b&gt;first&lt;/b&gt;</textarea>" in page
    assert questions(as_alice, q="auditors") == [run.question]
    as_alice.post(f"/runs/{run.pk}/note", {"note": ""})
    assert questions(as_alice, q="auditors") == []


def test_a_note_that_is_too_long_is_not_kept_and_not_lost(as_alice: Client, run: Run) -> None:
    long = "x" * 2001
    response = as_alice.post(f"/runs/{run.pk}/note", {"note": long}, headers=HTMX)
    assert response.status_code == 422
    assert long in response.content.decode()
    run.refresh_from_db()
    assert run.note == ""


# --- whose ---

VIEWS = [("star", {"starred": "1"}), ("note", {"note": "Mine now"})]


@pytest.mark.parametrize(("view", "sent"), VIEWS)
def test_nobody_else_writes_to_a_run(
    client: Client, as_bob: Client, as_charlie: Client, run: Run, view: str, sent: dict
) -> None:
    client.post("/ask", {"question": "makes a visitor"})
    for stranger in (client, Client(), as_bob, as_charlie):
        assert stranger.post(f"/runs/{run.pk}/{view}", sent).status_code == 404
    run.refresh_from_db()
    assert (run.starred, run.note) == (False, "")


@pytest.mark.parametrize(("view", "sent"), VIEWS)
def test_a_link_writes_nothing(as_alice: Client, run: Run, view: str, sent: dict) -> None:
    assert as_alice.get(f"/runs/{run.pk}/{view}", sent).status_code == 405
    assert as_alice.post(f"/runs/{uuid4()}/{view}", sent).status_code == 404


def test_a_deleted_run_leaves_no_words_behind(as_alice: Client, run: Run) -> None:
    as_alice.post(f"/runs/{run.pk}/delete")
    assert not RunText.objects.exists()


def test_a_visitors_runs_are_found_by_the_account_they_move_to(client: Client, db: None) -> None:
    client.post("/ask", {"question": "Northwind revenue 2024"})
    sent = {"email": "new@example.com", "password1": "a-long-one-42", "password2": "a-long-one-42"}
    client.post("/accounts/signup/", sent)
    assert questions(client, q="revenue") == ["Northwind revenue 2024"]


# --- asked again ---


def as_of(answer: Answer, year: str) -> Answer:
    """The same answer with another figure."""
    table = answers.table(answers.cell(answers.fact_ref(value=year)))
    return answer.model_copy(update={"blocks": (answer.blocks[0].model_copy(update={"table": table}),)})


def test_an_answer_asked_again_says_what_differs(as_alice: Client, alice: User, run: Run) -> None:
    as_alice.post(f"/runs/{run.pk}/again")
    again = Run.objects.get(again_of=run)
    changed = as_of(answers.number_answer(), "9000000")
    Run.objects.filter(pk=again.pk).update(
        status=Run.Status.DONE, outcome="answered", answer=changed.model_dump(mode="json")
    )
    page = as_alice.get(again.get_absolute_url()).content.decode()
    assert "Differs from" in page
    assert "1 changed" in page
    compared = f"/runs/{again.pk}/compare/{run.pk}"
    assert f'href="{compared}"' in page
    both = as_alice.get(compared).content.decode()
    assert "<del>$9.412</del>" in both
    assert "<ins>$9.000</ins>" in both or "<ins>$9</ins>" in both


def test_a_comparison_names_a_refusal_in_words_and_what_is_gone_as_removed(
    as_alice: Client, alice: User, run: Run
) -> None:
    again = answers.run_with(answers.refusal_answer(), alice, again_of=run)
    both = as_alice.get(f"/runs/{again.pk}/compare/{run.pk}").content.decode()
    assert "<strong>Measure not reported</strong>" in both
    assert " removed. Text in only one of the answers is marked." in both
    assert ">Removed</span>" in both


def test_an_answer_that_is_the_same_again_says_so(as_alice: Client, alice: User, run: Run) -> None:
    again = answers.run_with(answers.number_answer(), alice, again_of=run)
    assert "The same as" in as_alice.get(again.get_absolute_url()).content.decode()


def test_the_older_of_two_answers_stands_first_whichever_is_named_first(
    as_alice: Client, alice: User, run: Run
) -> None:
    again = answers.run_with(answers.number_answer(), alice, again_of=run)
    for first, second in ((run, again), (again, run)):
        response = as_alice.get(f"/runs/{first.pk}/compare/{second.pk}")
        assert (response.context["old"], response.context["new"]) == (run, again)


def test_ones_answer_is_compared_with_no_strangers(as_alice: Client, as_bob: Client, bob: User, run: Run) -> None:
    other = answers.run_with(answers.number_answer(), bob)
    for client in (as_alice, as_bob, Client()):
        assert client.get(f"/runs/{run.pk}/compare/{other.pk}").status_code == 404
        assert client.get(f"/runs/{other.pk}/compare/{run.pk}").status_code == 404


def test_an_open_run_has_nothing_to_compare(as_alice: Client, alice: User, run: Run) -> None:
    waiting = answers.open_run(alice, again_of=run)
    assert as_alice.get(f"/runs/{waiting.pk}/compare/{run.pk}").status_code == 404
    assert as_alice.get(waiting.get_absolute_url()).status_code == 200


def test_an_answer_that_is_read_no_more_is_compared_with_none(as_alice: Client, alice: User, run: Run) -> None:
    again = answers.run_with(answers.number_answer(), alice, again_of=run)
    Run.objects.filter(pk=run.pk).update(answer={"of": "a former release"})
    assert b"has no answer to compare with" in as_alice.get(again.get_absolute_url()).content
    assert as_alice.get(f"/runs/{again.pk}/compare/{run.pk}").status_code == 404


def test_the_page_of_an_answer_asks_as_often_with_a_history_behind_it(as_alice: Client, alice: User, run: Run) -> None:
    def queries(of: Run) -> int:
        with CaptureQueriesContext(connection) as held:
            as_alice.get(of.get_absolute_url())
        return len(held)

    second = answers.run_with(answers.number_answer(), alice, again_of=run, continues=run)
    few = queries(second)
    for _ in range(10):
        second = answers.run_with(answers.number_answer(), alice, again_of=second, continues=second)
    assert queries(second) == few
