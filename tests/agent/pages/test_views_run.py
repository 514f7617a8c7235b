"""The page of a run: who sees it, how it follows the steps, and what an answer shows."""

import re
from datetime import timedelta
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries

from accounts.identity_middleware import SESSION_KEY
from accounts.models import User
from agent.models import Run
from agent.refusals.codes import Code
from agent.state import Answer
from filings.models import Company, Fact, Filing
from tests.support import answers

HTMX = {"HX-Request": "true"}


def text(response) -> str:
    """The words of a page, without its markup."""
    body = re.sub(r"<(script|style).*?</\1>", "", response.content.decode(), flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<wbr>", "", re.sub(r"</?(?!wbr)[^>]+>", " ", body))).split())


def shown(client: Client, answer: Answer, user: User) -> str:
    return text(client.get(answers.run_with(answer, user).get_absolute_url()))


# --- whose ---


@pytest.fixture
def run(alice: User) -> Run:
    return answers.run_with(answers.number_answer(), alice)


VIEWS = [("get", ""), ("get", "/progress"), ("post", "/again"), ("post", "/delete"), ("post", "/verify")]


@pytest.mark.parametrize(("verb", "view"), VIEWS)
def test_it_hides_a_run_from_everybody_else(
    client: Client, as_bob: Client, as_charlie: Client, run: Run, verb: str, view: str
) -> None:
    client.post("/ask", {"question": "makes a visitor"})
    for stranger in (client, Client(), as_bob, as_charlie):
        assert getattr(stranger, verb)(f"/runs/{run.pk}{view}").status_code == 404
    assert Run.objects.filter(pk=run.pk).exists()


@pytest.mark.parametrize(("verb", "view"), VIEWS)
def test_a_run_that_never_was_is_not_found(as_alice: Client, verb: str, view: str) -> None:
    assert getattr(as_alice, verb)(f"/runs/{uuid4()}{view}").status_code == 404


def test_it_shows_a_run_to_its_owner(as_alice: Client, run: Run) -> None:
    assert as_alice.get(run.get_absolute_url()).status_code == 200


def test_a_visitor_sees_what_the_visitor_asked(client: Client, db: None) -> None:
    client.post("/ask", {"question": "Northwind revenue 2024"})
    assert "Working…" in text(client.get(Run.objects.get().get_absolute_url()))


def test_a_visitor_never_sees_a_run_that_moved_to_an_account(client: Client, alice: User) -> None:
    client.post("/ask", {"question": "Northwind revenue 2024"})
    Run.objects.update(user=alice)
    assert client.get(Run.objects.get().get_absolute_url()).status_code == 404


def test_a_damaged_session_sees_nothing(client: Client, run: Run) -> None:
    session = client.session
    session[SESSION_KEY] = "no uuid"
    session.save()
    assert client.get(run.get_absolute_url()).status_code == 404


# --- while it runs ---


def test_an_open_run_is_polled_and_a_closed_one_is_not(as_alice: Client, alice: User, run: Run) -> None:
    waiting = answers.open_run(alice)
    assert f'hx-get="/runs/{waiting.pk}/progress?' in as_alice.get(waiting.get_absolute_url()).content.decode()
    assert b"hx-trigger" not in as_alice.get(run.get_absolute_url()).content
    assert b"hx-trigger" not in as_alice.get(f"/runs/{run.pk}/progress", headers=HTMX).content


def test_the_fragment_is_not_a_page_and_holds_nothing_to_focus(as_alice: Client, alice: User) -> None:
    fragment = as_alice.get(f"/runs/{answers.open_run(alice).pk}/progress", headers=HTMX).content.decode()
    assert "<html" not in fragment
    assert not re.search(r"<(a|button|input|summary|textarea|select)\b", fragment)


def test_the_page_can_be_followed_without_a_script(as_alice: Client, alice: User) -> None:
    run = answers.open_run(alice)
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert f'<a href="{run.get_absolute_url()}">Check for the answer</a>' in page


def test_it_shows_the_steps_done_the_one_under_way_and_those_to_come(as_alice: Client, alice: User) -> None:
    run = answers.open_run(alice)
    answers.add_step(run, 1, "plan")
    page = text(as_alice.get(run.get_absolute_url()))
    assert "Step 2 of 6" in page
    assert "Plan , done 2.5 ms What plan found." in page
    assert "Fetch , in progress" in page
    assert "Locate , waiting" in page


def test_steps_of_an_earlier_attempt_are_not_shown(as_alice: Client, alice: User) -> None:
    run = answers.open_run(alice)
    answers.add_step(run, 1, "plan")
    Run.objects.filter(pk=run.pk).update(attempt=2)
    assert "What plan found." not in text(as_alice.get(run.get_absolute_url()))


def next_poll(page: str) -> str:
    """The address that a page or a fragment polls."""
    found = re.search(r'hx-get="([^"]+)" hx-trigger="[^"]*every', page)
    assert found
    return found[1]


def test_a_poll_that_finds_nothing_new_changes_only_the_seconds(as_alice: Client, alice: User) -> None:
    run = answers.open_run(alice)
    address = next_poll(as_alice.get(run.get_absolute_url()).content.decode())
    still = as_alice.get(address, headers=HTMX)
    assert still.headers["HX-Reswap"] == "none"
    assert re.fullmatch(
        r'<span id="so-far" hx-swap-oob="innerHTML">\d\.\d s so far</span>', still.content.decode().strip()
    )
    answers.add_step(run, 1, "plan")
    changed = as_alice.get(address, headers=HTMX)
    assert "HX-Reswap" not in changed.headers
    assert 'id="run-status" hx-swap-oob="innerHTML">Step 2 of 6: Fetch.' in changed.content.decode()
    assert as_alice.get(next_poll(changed.content.decode()), headers=HTMX).headers["HX-Reswap"] == "none"


@pytest.mark.parametrize("change", [{"status": Run.Status.FAILED}, {"attempt": 2}, {"status": Run.Status.QUEUED}])
def test_a_poll_shows_what_became_of_the_run(as_alice: Client, alice: User, change: dict[str, Any]) -> None:
    run = answers.open_run(alice)
    address = next_poll(as_alice.get(run.get_absolute_url()).content.decode())
    Run.objects.filter(pk=run.pk).update(**change)
    assert 'id="run"' in as_alice.get(address, headers=HTMX).content.decode()


def test_what_takes_long_is_looked_at_less_often(as_alice: Client, alice: User) -> None:
    run = answers.open_run(alice)
    young = next_poll(as_alice.get(run.get_absolute_url()).content.decode())
    Run.objects.filter(pk=run.pk).update(created=now() - timedelta(seconds=30))
    page = as_alice.get(young, headers=HTMX).content.decode()
    assert 'hx-trigger="every 2s"' in page
    Run.objects.filter(pk=run.pk).update(created=now() - timedelta(minutes=2))
    assert 'hx-trigger="every 3s"' in as_alice.get(next_poll(page), headers=HTMX).content.decode()


def test_a_poll_that_finds_nothing_new_asks_the_database_little(
    as_alice: Client, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    run = answers.open_run(alice)
    address = next_poll(as_alice.get(run.get_absolute_url()).content.decode())
    with django_assert_num_queries(3):  # the session, the account, the run
        as_alice.get(address, headers=HTMX)


def test_a_poll_finds_what_it_asks_for_by_an_index_however_long_the_history(as_alice: Client, alice: User) -> None:
    address = next_poll(as_alice.get(answers.open_run(alice).get_absolute_url()).content.decode())
    with CaptureQueriesContext(connection) as queries:
        as_alice.get(address, headers=HTMX)
    with connection.cursor() as cursor:
        for query in queries.captured_queries:
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
            assert all(line.startswith("SEARCH ") for *_, line in cursor.fetchall()), query["sql"]


def test_the_poll_of_a_stranger_learns_nothing(as_alice: Client, as_bob: Client, alice: User) -> None:
    address = next_poll(as_alice.get(answers.open_run(alice).get_absolute_url()).content.decode())
    assert as_bob.get(address, headers=HTMX).status_code == 404


def test_a_poll_without_a_session_reloads_the_whole_page(as_alice: Client, alice: User) -> None:
    run = answers.open_run(alice)
    as_alice.logout()
    response = as_alice.get(f"/runs/{run.pk}/progress", headers=HTMX)
    assert response.status_code == 404
    assert response.headers["HX-Redirect"] == run.get_absolute_url()


def test_a_run_page_is_not_kept_by_the_browser(as_alice: Client, run: Run) -> None:
    assert "no-store" in as_alice.get(run.get_absolute_url()).headers["Cache-Control"]


def test_a_failed_run_says_so_and_can_be_asked_again(as_alice: Client, alice: User) -> None:
    run = answers.open_run(alice, status=Run.Status.FAILED, outcome=Run.Outcome.ERROR)
    answers.add_step(run, 1, "plan")
    page = as_alice.get(run.get_absolute_url())
    assert "This question could not be processed." in text(page)
    assert "Fetch , failed here" in text(page)
    assert f'action="/runs/{run.pk}/again"' in page.content.decode()


# --- what an answer shows ---


def test_a_number_stands_with_all_that_is_needed_to_find_it_again(as_alice: Client, alice: User) -> None:
    page = shown(as_alice, answers.number_answer(), alice)
    for words in (
        "Northwind, research and development expense, fiscal 2024",
        "$9.412 million",
        "9,412,000 US dollars, for the year ended 31 December 2024",
        "The figure matches the filing",
        "2024, from 1 Jan 2024 to 31 Dec 2024",
        "10-K, 20 Feb 2025",
        "Consolidated Statements of Operations",
        "Printed row Research and development",
        "us-gaap:ResearchAndDevelopmentExpense",
        "USD, tagged to the nearest thousand",
        "9999988801-25-000010",
        "No year was given.",
        "Candidates not used, 1",
        "A deferred tax asset at year end, not an expense of the year.",
        "Restated later: $9.38 million in the fiscal 2025 10-K",
        "How every word was used",
        "6 steps, 18 ms, no language model",
    ):
        assert words in page


def test_the_printed_line_shows_the_other_years_of_the_same_row(as_alice: Client, alice: User) -> None:
    company = Company.objects.create(cik=answers.CIK, name="Northwind", facts_stored=3)
    filing = Filing.objects.create(
        company=company, accession=answers.ACCESSION, form="10-K", filed=answers.fact_ref().filed
    )
    for years_ago, printed in enumerate(("9,412", "8,870", "(15)")):
        fact = answers.fact_ref()
        Fact.objects.create(
            company=company,
            filing=filing,
            source="document",
            taxonomy="us-gaap",
            tag=fact.tag,
            unit="USD",
            start=fact.start.replace(year=2024 - years_ago),
            end=fact.end.replace(year=2024 - years_ago),
            raw="1",
            value=1,
            form="10-K",
            filed=fact.filed,
            statement="income",
            label=fact.label,
            printed=printed,
        )
    page = shown(as_alice, answers.number_answer(), alice)
    assert "Year ended 31 Dec 2024 31 Dec 2023 31 Dec 2022 Research and development 9,412 8,870 (15)" in page


def test_without_a_document_no_line_is_called_printed(as_alice: Client, alice: User) -> None:
    fact = answers.fact_ref(source="companyfacts", label="", printed="", statement="", title="")
    page = shown(as_alice, answers.number_answer(answers.cell(fact)), alice)
    assert "The line as printed" not in page
    assert "Not on a loaded statement" in page
    assert "SEC companyfacts" in page


def test_a_derived_number_shows_its_formula_in_words_and_figures_with_every_operand(
    as_alice: Client, alice: User
) -> None:
    page = shown(as_alice, answers.derived_answer(), alice)
    assert "Gross profit is revenue − cost of revenue." in page  # noqa: RUF001 - typographic minus
    assert "86.214 − 51.2005" in page  # noqa: RUF001 - typographic minus
    assert "= $35.0135 million" in page
    assert "us-gaap:CostOfRevenue" in page


def test_parts_stand_under_their_sum(as_alice: Client, alice: User) -> None:
    page = shown(as_alice, answers.breakdown_answer(), alice)
    assert page.index("Term debt, current portion") < page.index("Term debt, non-current portion")
    assert "$10.912 million" in page
    assert "$85.75 million" in page
    assert "Total term debt $96.662 million" in page


def test_two_readings_stand_side_by_side_and_the_mention_apart(as_alice: Client, alice: User) -> None:
    page = shown(as_alice, answers.readings_answer(), alice)
    assert "Northwind, common shares outstanding, fiscal 2024" in page
    assert "15,116,786,000 shares as of 31 December 2024" in page
    assert "15,115,823,000 shares as of 7 February 2025" in page
    assert "All 2 figures match the filing" in page
    # Among the rows it is said to stand beside the answer, and again below where it comes from.
    assert "Diluted weighted average shares See also 15,408,095,000" in page
    assert "15,408,095,000" in page[page.index("See also") :]


def test_the_concierge_offers_examples(as_alice: Client, alice: User, sample) -> None:
    assert "What was Apple's R&D spend in FY2024?" in shown(as_alice, answers.meta_answer(), alice)


def test_an_unchecked_figure_is_not_called_checked(as_alice: Client, alice: User) -> None:
    assert "Re-read" not in shown(as_alice, answers.number_answer(checks=()), alice)


def test_a_refusal_says_why_offers_other_questions_and_shows_no_figure(as_alice: Client, alice: User) -> None:
    run = answers.run_with(answers.refusal_answer(), alice)
    response = as_alice.get(run.get_absolute_url())
    page = text(response)
    assert "Not answered Northwind does not report advertising expense" in page
    assert "us-gaap:MarketingAndAdvertisingExpense" in page
    assert "Reason Measure not reported" in page
    assert (
        '<input type="hidden" name="question" value="Northwind revenue in fiscal 2024">' in response.content.decode()
    )
    assert "figure__value" not in response.content.decode()
    assert "Where it comes from" not in page


def test_a_conflict_lists_the_facts_that_disagree(as_alice: Client, alice: User) -> None:
    page = shown(as_alice, answers.conflict_answer(), alice)
    assert "The figures that disagree" in page
    assert "9.412" in page
    assert "0.483" in page


@pytest.mark.parametrize("code", list(Code))
def test_every_refusal_has_a_page(as_alice: Client, alice: User, code: Code) -> None:
    answer = answers.refusal_answer(code, stage="plan", looked_for=(), tags=(), detail="")
    plan = answer.plan.model_copy(update={"targets": ()})
    assert code.row.title in shown(as_alice, answer.model_copy(update={"plan": plan}), alice)


def test_the_concierge_speaks_without_figures(as_alice: Client, alice: User) -> None:
    page = shown(as_alice, answers.meta_answer(), alice)
    assert "What you can ask" in page
    assert "Figures of 13 companies can be asked" in page


def test_what_people_type_is_never_markup(as_alice: Client, alice: User) -> None:
    run = answers.open_run(alice, question="<script>alert(1)</script>")
    assert b"<script>alert" not in as_alice.get(run.get_absolute_url()).content


def test_the_line_to_copy_names_figure_tag_and_filing(as_alice: Client, alice: User) -> None:
    run = answers.run_with(answers.number_answer(), alice)
    page = as_alice.get(run.get_absolute_url()).content.decode()
    # Once for each part, beside its figures; not again for the whole answer, which has no words to cite.
    assert "answer-plain" not in page
    assert (
        '<span id="plain-1" hidden>Northwind, research and development expense, fiscal 2024 '
        "(year ended 31 Dec 2024): $9.412 million (9,412,000 US dollars). us-gaap:ResearchAndDevelopmentExpense, "
        "10-K 9999988801-25-000010, filed 20 Feb 2025.</span>" in page
    )


# --- what can be done with it ---


def test_asking_again_makes_a_new_run_and_leaves_the_old(as_alice: Client, alice: User, run: Run) -> None:
    response = as_alice.post(f"/runs/{run.pk}/again")
    new = Run.objects.exclude(pk=run.pk).get()
    assert response.url == new.get_absolute_url()
    assert (new.user, new.question, new.status) == (alice, run.question, Run.Status.QUEUED)


@pytest.mark.parametrize("view", ["again", "delete", "verify"])
def test_a_link_changes_nothing(as_alice: Client, run: Run, view: str) -> None:
    assert as_alice.get(f"/runs/{run.pk}/{view}").status_code == 405
    assert Run.objects.count() == 1


def test_a_deleted_run_is_gone_with_its_steps_and_its_address(as_alice: Client, run: Run) -> None:
    response = as_alice.post(f"/runs/{run.pk}/delete", follow=True)
    assert b"The answer has been deleted." in response.content
    assert not Run.objects.exists()
    assert not run.steps.model.objects.exists()
    assert as_alice.get(run.get_absolute_url()).status_code == 404


def test_an_open_run_can_be_deleted(as_alice: Client, alice: User) -> None:
    run = answers.open_run(alice)
    as_alice.post(f"/runs/{run.pk}/delete")
    assert not Run.objects.exists()
