"""Guidance is answered as what a company expects, as of the day on which it said so, and never as a result."""

from datetime import datetime
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from agent.certificates.verify import reverify
from agent.numbers.verification.verify import verify
from agent.prose.ranking import calibration
from agent.refusals.codes import Code
from agent.runs.answer_json import as_text, row
from agent.state import AgentState, Answer, Scope
from agent.state.tables import Cell, Table
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.steps.guided_table import guided_table
from agent.steps.plan import plan
from agent.web.api.figures import value
from agent.web.cards.answer_card import parts
from evals.golden import TODAY
from filings.models import Company, Filing, PrintedTable, Section
from tests.filings.importing.conftest import halden, in_process, model
from tests.support.answers import run_with
from tests.support.brought import brought
from tests.support.printed_report import table
from tests.support.sample import Sample

__all__ = ["halden", "in_process", "model"]

pytestmark = pytest.mark.django_db

SAID = "We expect lens revenue of $410 million to $430 million in fiscal 2025."
MOVED = "For fiscal 2025, the Company now expects to deliver 9 percent core lens growth (previously 8 percent)."


def release(*said: str, quarter: str = "2024Q4", date: str = "2025-02-06") -> Filing:
    text = "".join(one if one.startswith("<") else f"<p>{one}</p>" for one in said)
    body = f"<html><body><h1>Halden Optics reports its quarter</h1><p>Lenses were sold.</p><h2>Outlook</h2>{text}</body></html>"
    return brought(body.encode(), f"{date}.html", company="HLDN", kind="8-K", period=quarter, date=date).filing


def ask(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY))


def asserted(question: str) -> tuple[Cell, ...]:
    return tuple(
        cell
        for block in ask(question).blocks
        if block.table and block.outcome == "answered"
        for cell in block.table.asserted
    )


def values(question: str) -> list[str]:
    return [format(cell.value.normalize(), "f") for cell in asserted(question) if cell.value is not None]


def only(question: str) -> Table:
    (block,) = ask(question).blocks
    assert block.table is not None, block.refusal
    return block.table


RANGE = ["410000000", "430000000"]


@pytest.mark.parametrize(
    "question",
    [
        "What is Halden Optics' guidance for lens revenue in fiscal 2025?",
        "What lens revenue does Halden Optics expect for 2025?",
        "Halden Optics lens revenue outlook",
        "Halden Optics lens revenue forecast for fiscal 2025 from the latest release",
        "Halden Optics guidance for lens sales 2025",  # another name of revenue
        "What will Halden Optics' lens revenue be in 2025?",
    ],
)
def test_what_a_document_guides_answers(halden: Company, question: str) -> None:
    release(SAID)
    assert values(question) == RANGE
    assert {cell.guided for cell in asserted(question)} == {"guided, as of 6 February 2025"}


@pytest.mark.parametrize(
    "question",
    [
        "What is Halden Optics' guidance for revenue in fiscal 2025?",  # a word of the row is not dropped
        "What is Halden Optics' guidance for organic lens revenue in fiscal 2025?",  # nor one of the question
        "What is Halden Optics' guidance for lens revenue in fiscal 2027?",
        "Why did Halden Optics raise its lens revenue guidance?",
        "What is the midpoint of Halden Optics' lens revenue guidance for 2025?",
        "What was Halden Optics' previous guidance for lens revenue in fiscal 2025?",
    ],
)
def test_what_is_not_just_what_is_guided_is_asked_of_the_text(halden: Company, question: str) -> None:
    release(SAID)
    assert values(question) == []


def test_guidance_is_no_result_and_a_result_no_guidance(halden: Company) -> None:
    release(SAID, "Mirror revenue was $90 million in the fourth quarter of 2024.")
    assert values("What was Halden Optics' lens revenue in fiscal 2025?") == []
    assert values("Halden Optics mirror revenue guidance") == []


def test_a_period_of_which_a_report_is_held_is_not_foretold_without_a_word_of_guidance(halden: Company) -> None:
    release(SAID)
    release("Lenses sold well.", quarter="2025Q4", date="2026-02-05")
    answer = ask("What will Halden Optics' lens revenue be in 2025?")
    assert answer.refusal_code == Code.PREDICTION
    assert values("What was Halden Optics' lens revenue guidance for 2025?") == RANGE


def test_the_newest_document_answers_or_the_one_that_is_named(halden: Company) -> None:
    release(SAID)
    release("We expect lens revenue of $450 million in fiscal 2025.", quarter="2025Q1", date="2025-05-06")
    assert values("Halden Optics lens revenue guidance for 2025") == ["450000000"]
    assert values("Halden Optics lens revenue guidance for 2025 as of Q4 2024") == RANGE


@pytest.mark.parametrize(
    "newer",
    [
        "We expect lens revenue of leased machines of $20 million in fiscal 2025.",
        "What we expect of lens revenue for the full year has grown by some distance.",
    ],
)
def test_what_a_newer_document_may_have_replaced_is_not_shown(halden: Company, newer: str) -> None:
    release(SAID)
    release(newer, quarter="2025Q1", date="2025-05-06")
    assert values("Halden Optics lens revenue guidance for 2025") == []


def test_two_figures_of_one_name_and_period_are_not_certain(halden: Company) -> None:
    release(SAID, "For fiscal 2025, we expect lens revenue of $500 million.")
    assert values("Halden Optics lens revenue guidance for 2025") == []


def test_without_a_period_each_that_is_guided_is_a_column(halden: Company) -> None:
    release("We expect lens revenue of $100 million in the first quarter of 2025.", SAID)
    cells = asserted("Halden Optics lens revenue guidance")
    assert [(cell.place.short, cell.limit) for cell in cells] == [
        ("Q1 FY2025", ""),
        ("FY2025", "low"),
        ("FY2025", "high"),
    ]


# --- its change ---


def test_a_change_is_computed_from_what_the_document_says_it_was(halden: Company) -> None:
    release(MOVED)
    found = only("By how many percentage points did Halden Optics raise its core lens growth guidance for 2025?")
    difference, now, before = found.asserted
    assert (difference.value, difference.unit) == (Decimal(1), "points")
    assert [one.fact.printed for one in difference.operands] == ["9 percent", "8 percent"]
    assert (now.value, before.value) == (Decimal(9), Decimal(8))
    assert before.guided == "guided before 6 February 2025"
    assert verify(found) == ()
    assert values("Halden Optics core lens growth guidance for 2025") == ["9"]


def test_a_change_is_computed_from_an_earlier_document(halden: Company) -> None:
    release(SAID)
    release(
        "We expect lens revenue of $415 million to $430 million in fiscal 2025.", quarter="2025Q1", date="2025-05-06"
    )
    found = only("By how much did Halden Optics raise its lens revenue guidance for 2025?")
    assert [cell.value for cell in found.asserted[:2]] == [Decimal(5_000_000), Decimal(0)]
    assert len({fact.accession for fact in found.asserted[0].facts}) == 2
    assert verify(found) == ()


def test_without_earlier_guidance_the_change_is_not_known(halden: Company) -> None:
    release(SAID)
    answer = ask("By how much did Halden Optics raise its lens revenue guidance for 2025?")
    assert "No earlier guidance of it is held" in as_text(answer)
    assert "410" in as_text(answer)


def test_a_column_of_what_was_guided_before_is_not_what_is_guided(halden: Company) -> None:
    rows = [("Lens margin", "41 %", "42 %")]
    release(table(("", "Prior outlook, fiscal 2025", "Current outlook, fiscal 2025"), rows))
    assert values("Halden Optics lens margin guidance for 2025") == ["42"]
    assert values("By how many points did Halden Optics raise its lens margin guidance for 2025?")[0] == "1"


# --- a question that goes on ---


def test_a_question_that_goes_on_keeps_to_guidance(halden: Company) -> None:
    release("We expect lens revenue of $100 million in the first quarter of 2025.", SAID)
    first = ask("Halden Optics lens revenue guidance for fiscal 2025")
    previous = first.plan.query

    def then(question: str) -> list[Decimal | None]:
        found = pipeline.answer(question, Deps.current(TODAY), previous=previous)
        return [cell.value for block in found.blocks if block.table for cell in block.table.asserted]

    assert then("And for Q1 2025?") == [Decimal(100_000_000)]
    assert then("And in 2023?") == []


# --- verified, and shown ---


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("$410 million to", "$411 million to"),
        ("$430 million", "$431 million"),
        ("We expect", "We doubt"),
        ("fiscal 2025", "fiscal 2026"),
    ],
)
def test_a_document_that_says_otherwise_now_is_not_cited(halden: Company, old: str, new: str) -> None:
    filing = release(SAID)
    found = only("Halden Optics lens revenue guidance for 2025")
    assert verify(found) == ()
    section = Section.objects.get(filing=filing, text__contains="lens revenue")
    Section.objects.filter(pk=section.pk).update(text=section.text.replace(old, new))
    assert verify(found) != ()


def test_guidance_of_a_table_is_read_again_at_its_place(halden: Company) -> None:
    release(table(("", "Fiscal 2025 outlook"), [("Lens margin", "18% - 20%")]))
    found = only("Halden Optics lens margin guidance for 2025")
    assert [cell.value for cell in found.asserted] == [Decimal(18), Decimal(20)]
    assert verify(found) == ()


def test_a_stored_digit_that_the_document_does_not_print_is_never_shown(halden: Company) -> None:
    filing = release(SAID)
    stored = PrintedTable.objects.get(filing=filing)
    stored.content["rows"] = [
        [label, heading, [[*cell[:4], cell[4].replace("41", "42"), *cell[5:]] for cell in cells], *rest]
        for label, heading, cells, *rest in stored.content["rows"]
    ]
    stored.save()
    answer = ask("Halden Optics lens revenue guidance for 2025")
    assert not any(block.outcome == "answered" and block.table for block in answer.blocks)


def test_text_json_and_api_say_that_it_is_guided_and_when(halden: Company) -> None:
    release(SAID)
    answer = ask("Halden Optics lens revenue guidance for 2025")
    text = as_text(answer)
    assert text.startswith(
        "Halden Optics, lens revenue, fiscal 2025, guided, as of 6 February 2025: $410 million \u2013 $430 million"
    )
    assert " was " not in text
    assert "ended" not in text
    said = row("1", answer, 0)
    assert {one["guided_as_of"] for one in (*said["values"], *said["table"])} == {"2025-02-06"}
    (cell, _) = answer.blocks[0].table.asserted if answer.blocks[0].table else ()
    shown = value(cell)
    assert shown.guided_as_of is not None
    assert "guided, as of 6 February 2025" in shown.reading


@pytest.mark.parametrize(
    ("line", "day"), [("February 4, 2025", "4 February 2025"), ("May 8, 2025", "6 February 2025")]
)
def test_guidance_is_of_the_day_in_the_dateline_of_its_text(halden: Company, line: str, day: str) -> None:
    filing = release(f"HALDEN, Ohio \u2013 {line} \u2013 Lenses were sold.", SAID)
    assert filing.filed.isoformat() == "2025-02-06"
    answer = ask("Halden Optics lens revenue guidance for 2025")
    assert f"guided, as of {day}:" in as_text(answer)
    assert f"filed {filing.filed}" in as_text(answer)
    assert {one["guided_as_of"][:10] for one in row("1", answer, 0)["values"]} == {
        str(datetime.strptime(day, "%d %B %Y").date())  # noqa: DTZ007 - a day has no time zone
    }


def test_who_speaks_in_a_heading_narrows_nothing(halden: Company) -> None:
    release("<h3>CFO Outlook Commentary</h3>", SAID)
    assert values("Halden Optics lens revenue guidance for 2025") == RANGE


def test_each_figure_of_guidance_is_read_once(halden: Company) -> None:
    release(MOVED)
    question = "By how many percentage points did Halden Optics raise its core lens growth guidance for 2025?"
    planned = plan(AgentState(question=question), Deps.current(TODAY)).plan
    assert planned is not None
    assert planned.query is not None
    with CaptureQueriesContext(connection) as made:
        found = guided_table(planned.query)
    texts = [one for one in made.captured_queries if '"filings_section"."text"' in one["sql"].partition("FROM")[0]]
    assert len(found.asserted) == 3
    assert len(texts) == 2


@pytest.mark.parametrize("said", [SAID, "We expect lens revenue of $410 million in fiscal 2025.", MOVED])
def test_its_page_and_exports_say_that_it_is_guided_and_lead_to_the_line(
    halden: Company, as_alice: Client, alice: User, said: str
) -> None:
    release(said)
    of_change = "By how many points did Halden Optics raise its core lens growth guidance for 2025?"
    answer = ask(of_change if said == MOVED else "Halden Optics lens revenue guidance for 2025")
    assert all(check.ok for check in reverify(answer))
    run = run_with(answer, alice)
    (shown,) = parts(answer, run.pk)
    assert shown.table is not None
    assert not shown.table.ambiguous
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert "guided, as of 6 February 2025" in page
    assert "31 Dec 2025" not in page
    for kind in ("csv", "xlsx", "md"):
        told = as_alice.get(reverse("run_table", args=[run.pk, kind]))
        assert told.status_code == 200
        assert kind == "xlsx" or "guided, as of 6 February 2025" in told.content.decode()
    figure = shown.table.asserted[-1]
    assert as_alice.get(figure.reader).status_code == 200


def test_the_guidance_of_the_sample_is_answered_with_the_range_and_its_change(sample: Sample) -> None:
    assert values("What is Larkfield's revenue guidance for fiscal 2026?") == ["1020000000", "1060000000"]
    assert values("What was Larkfield's revenue in fiscal 2025?") == ["1214000000"]
    assert values("By how much did Larkfield raise its fiscal 2026 revenue guidance?")[:2] == ["20000000", "0"]


def test_a_sentence_under_an_outlook_is_no_text_for_a_period_that_is_over(
    halden: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "answers", lambda worth, kind: kind == "yes_no")
    filing = release("Lens spending is higher as more lenses are polished in our own works.")
    scope = Scope(document=filing.accession, cik=filing.company.cik)

    def outcome(question: str) -> str:
        return pipeline.answer(question, Deps.current(TODAY), scope=scope).outcome

    assert outcome("Is lens spending higher in Q4 FY2024 as more lenses are polished in works?") == "passages"
    assert outcome("Is lens spending higher as more lenses are polished in works?") == "answered"
