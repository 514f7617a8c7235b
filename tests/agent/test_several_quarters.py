"""What is said in several quarters: each under the heading of its document, those that are missing named in their place."""

import threading
from datetime import date
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from agent import tasks
from agent.models import Run
from agent.runs.answer_json import as_text
from agent.state import Answer
from agent.steps import pipeline
from agent.steps.deps import Deps
from filings.importing.document_fields import DocumentFields
from filings.importing.importing import import_document
from filings.models import Company
from filings.models.source_kinds import CALL, QUARTERLY, SourceKind
from filings.search import passages
from tests.agent.test_news_asked import model
from tests.filings.importing.conftest import halden, in_process

__all__ = ["halden", "in_process", "model"]

pytestmark = pytest.mark.django_db

QUESTION = "What did Halden Optics' management say about the supply of lens blanks in the last four quarters?"
SAID = {
    (2023, 4): "The supply of lens blanks was tight because a furnace in Brevik stood still.",
    (2024, 1): "The supply of lens blanks improved because the furnace in Brevik runs again.",
    (2024, 3): "The supply of lens blanks is ample because we bought a second furnace.",
}


def brought(company: Company, kind: SourceKind, year: int, quarter: int, said: str) -> None:
    day = date(year + quarter // 4, quarter * 3 % 12 + 2, 6)
    text = f"{company.name}\n\nFiscal {year}, quarter {quarter}\n\nNora Vik: {said}\n\nPer Lunde: Orders grew in every region."
    fields = DocumentFields(company, kind, year, quarter, day, f"Halden Optics, Q{quarter} {year} {kind.called}")
    import_document(text.encode(), f"{kind.called}-{year}-{quarter}.txt", fields, bundled=True, beat=lambda: None)


@pytest.fixture
def calls(halden: Company) -> Company:
    """A company with the calls of three of four quarters."""
    for (year, quarter), said in SAID.items():
        brought(halden, CALL, year, quarter, said)
    return halden


def asked(question: str = QUESTION) -> Answer:
    return pipeline.answer(question, Deps.current(date(2025, 1, 15)))


HEADINGS = [
    "Q4 FY2023 \u00b7 earnings call held 6 Feb 2024",
    "Q1 FY2024 \u00b7 earnings call held 6 May 2024",
    "Q3 FY2024 \u00b7 earnings call held 6 Nov 2024",
]


def test_each_quarter_is_under_the_heading_of_its_document(calls: Company) -> None:
    answer = asked()
    assert [block.heading for block in answer.blocks] == HEADINGS
    assert [block.missing for block in answer.blocks] == [(), (), ("Q2 FY2024: no document of it is in our data.",)]
    for block, said in zip(answer.blocks, SAID.values(), strict=True):
        shown = [claim.text for claim in block.claims] or [one.text for one in block.passages]
        assert any(said in one for one in shown)
    # The heading says it.
    assert not any(note.startswith("Quoted from") for block in answer.blocks for note in block.notes)


def test_quarters_are_searched_at_the_same_time(calls: Company, monkeypatch: pytest.MonkeyPatch) -> None:
    together = threading.Barrier(3)
    listed_by = passages.listed_by

    def waiting(*told: Any) -> Any:
        together.wait(20.0)
        return listed_by(*told)

    monkeypatch.setattr(passages, "listed_by", waiting)
    assert len(asked().blocks) == 3


def test_a_quarter_without_a_call_is_told_by_its_report(calls: Company) -> None:
    brought(calls, QUARTERLY, 2024, 2, "The supply of lens blanks was short of demand in May.")
    answer = asked()
    assert [block.heading.split(" \u00b7 ")[0] for block in answer.blocks] == [
        "Q4 FY2023", "Q1 FY2024", "Q2 FY2024", "Q3 FY2024",
    ]  # fmt: skip
    assert answer.blocks[2].filings[0].source == "10-Q"
    assert not any(block.missing for block in answer.blocks)


def test_only_quarters_that_are_asked_are_missing(calls: Company) -> None:
    answer = asked("What did Halden Optics say about the supply of lens blanks in Q1 2024 and Q3 2024?")
    assert [block.heading for block in answer.blocks] == HEADINGS[1:]
    assert not any(block.missing for block in answer.blocks)
    answer = asked(
        "What did Halden Optics say about the supply of lens blanks in Q1, Q2 and Q3 of fiscal 2023 and Q4 2023?"
    )
    assert not any(block.missing for block in answer.blocks)


def test_quarters_before_the_first_that_is_held_are_told_of(calls: Company) -> None:
    answer = asked(QUESTION.replace("four", "five"))
    assert answer.blocks[0].heading == HEADINGS[0]
    (note,) = [one for one in answer.blocks[0].notes if "in our data" in one]
    assert note == "Q3 FY2023: no document of it is in our data."


@pytest.mark.parametrize("words", ["on its last two earnings calls", "in the two most recent transcripts"])
def test_documents_are_counted_back_by_their_kind(calls: Company, words: str) -> None:
    answer = asked(f"What did Halden Optics say about the supply of lens blanks {words}?")
    assert [block.heading for block in answer.blocks] == HEADINGS[1:]
    assert answer.blocks[1].missing == ("Q2 FY2024: no earnings call is in our data.",)


def test_more_than_are_held_is_told_of(calls: Company) -> None:
    answer = asked("What did Halden Optics say about the supply of lens blanks on its last five earnings calls?")
    assert "Earnings calls asked: 5; in our data: 3." in answer.blocks[0].notes


def test_page_text_and_api_have_the_quarters_in_order(calls: Company, as_alice: Client, alice: User) -> None:
    run = Run.objects.create(question=QUESTION, user=alice)
    tasks.answer(str(run.pk))
    run.refresh_from_db()
    answer = Answer.model_validate(run.answer)
    missing = "Q2 FY2024: no document of it is in our data."
    told = [*HEADINGS[:2], missing, HEADINGS[2]]
    page = as_alice.get(run.get_absolute_url()).content.decode()
    file = as_alice.get(f"{run.get_absolute_url()}/table.md").content.decode()
    for text in (page, as_text(answer), file):
        places = [text.index(one) for one in told]
        assert places == sorted(places)
    assert f"## {HEADINGS[0]}" in file
    assert f"*{missing}*" in file
    assert f'href="{run.get_absolute_url()}/table.md"' in page
    parts = as_alice.get(f"/api/v1/runs/{run.pk}").json()["answer"]["parts"]
    assert [part["heading"] for part in parts] == HEADINGS
    assert [part["missing"] for part in parts] == [[], [], [missing]]
    document = parts[0]["documents"][0]
    assert (document["kind"], document["fiscal_year"], document["fiscal_quarter"]) == ("call", 2023, 4)
