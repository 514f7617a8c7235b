"""Pages where models are configured: the mode of a question, deeper searches, drafted claims, and what staff see."""

import re
from decimal import Decimal
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from agent.models import Run, Step
from agent.runs import answer_json
from agent.state import Answer, CompanyRef, Decision
from filings.models import Section
from tests.agent.pages.test_views_run import text
from tests.support import answers, prose_answers
from tests.support.holdings import northwind
from tests.support.texts import COSTS, STOPPED, SUPPLIER, ten_k

ASK = "/ask"
DRAFTED = "One supplier makes the stage, and no contract binds it."
MODE = "standard, drafted by scripted, checked by code"


@pytest.fixture
def sections(db: None) -> dict[str, Section]:
    return ten_k(northwind().filings.get(fiscal_year=2025))


# --- the mode of a question ---


def test_no_mode_can_be_chosen_where_no_model_is_asked(client: Client, db: None) -> None:
    assert b'name="mode"' not in client.get("/").content
    client.post(ASK, {"question": answers.QUESTION, "mode": "detailed"})
    assert Run.objects.get().mode == ""


def test_no_mode_can_be_chosen_where_the_models_are_set_wrongly(
    client: Client, db: None, models: None, settings: Settings
) -> None:
    settings.DRAFT_MODEL = ""
    assert b'name="mode"' not in client.get("/").content


def test_the_mode_is_chosen_on_the_form_and_kept_with_the_run(client: Client, db: None, models: None) -> None:
    page = client.get("/").content.decode()
    offered = re.findall(r'<option value="(\w*)"[^>]*>([^<]+)<', page.split('name="mode"')[1].split("</select>")[0])
    assert offered == [
        ("", "Automatic"),
        ("direct", "Direct"),
        ("standard", "Standard"),
        ("detailed", "Detailed"),
    ]
    client.post(ASK, {"question": answers.QUESTION, "mode": "detailed"})
    client.post(ASK, {"question": answers.QUESTION})
    assert set(Run.objects.values_list("mode", flat=True)) == {"detailed", ""}


@pytest.mark.parametrize("mode", ["deep_search", "reckless"])
def test_other_modes_are_not_taken_from_the_form(client: Client, db: None, models: None, mode: str) -> None:
    response = client.post(ASK, {"question": answers.QUESTION, "mode": mode})
    assert response.status_code == 422
    assert b"Select a valid choice" in response.content
    assert not Run.objects.exists()


def test_a_mode_stays_chosen_when_the_question_is_wrong(client: Client, db: None, models: None) -> None:
    page = client.post(ASK, {"question": "", "mode": "direct"}).content.decode()
    assert '<option value="direct" selected>' in page


def test_asking_again_keeps_the_mode(as_alice: Client, alice: User) -> None:
    run = answers.run_with(answers.number_answer(), alice, mode="direct")
    as_alice.post(f"/runs/{run.pk}/again")
    assert set(Run.objects.values_list("mode", flat=True)) == {"direct"}


def test_what_a_model_does_is_told_where_one_is_asked(client: Client, settings: Settings, models: None) -> None:
    page = text(client.get("/method"))
    assert "What a language model does" in page
    assert "Deep search 10 0.95" in page
    settings.PLAN_MODEL = settings.DRAFT_MODEL = ""
    settings.PLAN_MODEL_BASE_URL = settings.DRAFT_MODEL_BASE_URL = ""
    assert "No language model writes figures or sentences" in text(client.get("/method"))


# --- deeper ---


def judged(user: User, score: float | None, mode: str = "") -> Run:
    """A closed run that was judged so in the end, where 0.80 was enough."""
    decision = None if score is None else Decision(again=False, score=score, threshold=0.8, why="iterations")
    return answers.run_with(answers.number_answer().model_copy(update={"judged": decision}), user, mode=mode)


@pytest.mark.parametrize(
    ("score", "mode", "offered"),
    [
        (0.6, "", True),
        (0.0, "detailed", True),
        (0.8, "", False),
        (0.9, "", False),
        (None, "", False),
        (0.6, "deep_search", False),
    ],
)
def test_a_deeper_search_is_offered_where_the_last_judgement_was_not_enough(
    as_alice: Client, alice: User, models: None, score: float | None, mode: str, offered: bool
) -> None:
    run = judged(alice, score, mode=mode)
    assert (f'action="/runs/{run.pk}/deeper"' in as_alice.get(run.get_absolute_url()).content.decode()) is offered
    response = as_alice.post(f"/runs/{run.pk}/deeper")
    new = Run.objects.exclude(pk=run.pk).first()
    assert (new is not None) is offered
    if new:
        assert (new.mode, new.question, new.user) == ("deep_search", run.question, alice)
        assert response.url == new.get_absolute_url()


def test_nothing_deeper_is_offered_once_no_model_is_configured(as_alice: Client, alice: User) -> None:
    run = judged(alice, 0.5)
    assert "Search deeper" not in text(as_alice.get(run.get_absolute_url()))
    as_alice.post(f"/runs/{run.pk}/deeper")
    assert Run.objects.count() == 1


def test_only_who_asked_searches_deeper(as_bob: Client, as_charlie: Client, alice: User, models: None) -> None:
    run = judged(alice, 0.5)
    for stranger in (Client(), as_bob, as_charlie):
        assert stranger.post(f"/runs/{run.pk}/deeper").status_code == 404
    assert as_bob.post(f"/runs/{uuid4()}/deeper").status_code == 404
    assert as_bob.get(f"/runs/{run.pk}/deeper").status_code == 405
    assert Run.objects.count() == 1


# --- the trail ---


def step(run: Run, sequence: int, event: str, iteration: int, **fields: object) -> None:
    told = {"node": "reflect", "said": f"What {event} said.", "ms": 0, **fields}
    Step.objects.create(run=run, attempt=1, sequence=sequence, event=event, iteration=iteration, **told)


def test_the_trail_is_told_round_by_round(as_alice: Client, alice: User) -> None:
    run = answers.open_run(alice)
    step(run, 1, "reasoning", 0, node="plan")
    step(run, 2, "iteration_start", 1, node="locate", said="Round 1 of at most 3")
    step(run, 3, "search", 1, node="retrieve", ms=1234.5)
    step(run, 4, "fallback", 1, node="validate")
    page = text(as_alice.get(run.get_absolute_url()))
    assert (
        "Reading the question In the model's words , done What reasoning said. Round 1 of at most 3 Search , done 1.2 s"
        in page
    )
    assert "Without the model , note" in page
    assert "Check citations , in progress" in page
    assert "Round 1 of at most 3: Check citations." in page
    assert "<b>" not in page


def test_words_of_a_model_are_never_markup(as_alice: Client, alice: User) -> None:
    run = answers.open_run(alice)
    step(run, 1, "reasoning", 0, node="plan", said="<script>alert(1)</script>")
    assert b"<script>alert" not in as_alice.get(run.get_absolute_url()).content


def test_the_cost_of_an_answer_is_shown_to_staff_alone(
    as_alice: Client, alice: User, as_charlie: Client, charlie: User
) -> None:
    for user, client, shown in ((alice, as_alice, False), (charlie, as_charlie, True)):
        run = answers.run_with(answers.number_answer(), user)
        spent = {"requests": 2, "tokens_in": 700, "tokens_out": 30, "cost": Decimal("0.00042")}
        Step.objects.filter(run=run, node="plan").update(**spent)
        page = text(client.get(run.get_absolute_url()))
        assert ("2 requests, 700 tokens in, 30 out, 0.000420 US dollars" in page) is shown


# --- drafted claims ---


def drafted(section: Section, **fields: object):  # type: ignore[no-untyped-def]
    return prose_answers.claim(section, SUPPLIER, text=DRAFTED, verdict="paraphrase", **fields)


def opened(client: Client, answer: Answer, user: User) -> str:
    answer = answer.model_copy(update={"mode": MODE})
    return client.get(answers.run_with(answer, user).get_absolute_url()).content.decode()


def test_a_drafted_claim_stands_in_its_words_with_its_quotation_one_click_away(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    claims = (drafted(sections["1A"]), prose_answers.claim(sections["1A"], STOPPED))
    page = opened(as_alice, prose_answers.answer(prose_answers.block(*claims)), alice)
    card = page[page.index('<ol class="claims">') : page.index("</ol>", page.index('<ol class="claims">'))]
    first, second = card.split('<li class="claim">')[1:]
    assert f"<p>{DRAFTED} <a" in first
    assert first.index("<details") < first.index(f"“{SUPPLIER}”") < first.index("</details>")
    assert "<details" not in second
    assert f"“{STOPPED}” <a" in second
    assert "Drafted by a model, checked against the filing" in page
    assert "2 of 2 claims backed by quotations</span>" in page
    assert MODE in page


def test_figures_stand_in_a_drafted_text(as_alice: Client, alice: User, sections: dict[str, Section]) -> None:
    claim = drafted(sections["1A"], figures=((12, " (fiscal 2025: $7 million)"),))
    page = opened(as_alice, prose_answers.answer(prose_answers.block(claim)), alice)
    assert "One supplier (fiscal 2025: $7 million) makes the stage" in page


def test_what_is_copied_has_the_draft_and_below_it_what_it_stands_on(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    answer = prose_answers.answer(prose_answers.block(drafted(sections["1A"])))
    copied = opened(as_alice, answer, alice).split('<p id="answer-plain" hidden>')[1].split("</p>")[0]
    assert copied.index(f"{DRAFTED} [10K1]") < copied.index(f"“{SUPPLIER}”")
    lines = answer_json.as_text(answer).splitlines()
    assert lines[0] == f"[10K1] {DRAFTED}"
    assert lines[1] == f"    “{SUPPLIER}”"
    assert "1 of 1 claim backed by quotations." in lines


def test_readings_of_an_ambiguous_question_are_told_apart(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    claims = (drafted(sections["1A"], query=1), prose_answers.claim(sections["7"], COSTS, query=2))
    answer = prose_answers.answer(prose_answers.block(*claims))
    axes = ("largest by spending", "hardest to replace")
    page = opened(as_alice, answer.model_copy(update={"plan": answer.plan.model_copy(update={"axes": axes})}), alice)
    titles = [page.index(f">{title}</h3>") for title in ("Largest by spending", "Hardest to replace")]
    assert titles[0] < page.index(DRAFTED) < titles[1] < page.index(COSTS)


def test_companies_of_a_comparison_are_named_above_what_each_says(
    as_alice: Client, alice: User, sections: dict[str, Section]
) -> None:
    other = CompanyRef(cik=5, name="Lantern Optics Corp", short="Lantern", covered=True)
    answer = prose_answers.answer(
        prose_answers.block(drafted(sections["1A"])),
        prose_answers.block(prose_answers.claim(sections["7"], COSTS, number=2), number=2),
        targets=(prose_answers.target(1), prose_answers.target(2, company=other)),
    )
    page = opened(as_alice, answer, alice)
    assert "Northwind: drafted by a model, checked against the filing</h2>" in page
    assert "Lantern: in the filing&#x27;s own words</h2>" in page


def test_years_of_one_company_are_told_apart(as_alice: Client, alice: User, sections: dict[str, Section]) -> None:
    earlier = prose_answers.filing_ref(2).model_copy(update={"fiscal_year": 2024})
    answer = prose_answers.answer(
        prose_answers.block(prose_answers.claim(sections["1A"], SUPPLIER)),
        prose_answers.block(prose_answers.claim(sections["7"], COSTS, number=2), number=2, filings=(earlier,)),
        targets=(prose_answers.target(1), prose_answers.target(2)),
    )
    page = opened(as_alice, answer, alice)
    assert "Fiscal 2025: in the filing&#x27;s own words</h2>" in page
    assert "Fiscal 2024: in the filing&#x27;s own words</h2>" in page
