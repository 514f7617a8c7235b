"""The other way to align companies whose fiscal years differ, one click from an answer."""

import re
from html import unescape

import pytest
from django.test import Client

from agent import tasks
from agent.models import Run
from agent.query.wording.answer_form import with_choice
from agent.state.query import Alignment, Query, Years
from agent.state.question_words import Role, Word
from tests.support.sample import Sample

QUESTION = "Which had higher revenue in fiscal 2024, Apple or NVIDIA?"


def page_of(client: Client, question: str) -> str:
    run = Run.objects.get(pk=client.post("/ask", {"question": question}).url.rpartition("/")[2])
    tasks.answer(str(run.pk))
    return unescape(client.get(run.get_absolute_url()).content.decode())


def offered(page: str) -> str:
    """The question behind the link below the table."""
    (found,) = re.findall(
        r'<input type="hidden" name="question" value="([^"]*)">\s*<button class="btn btn--link small">', page
    )
    return found


@pytest.mark.django_db
def test_the_link_leads_to_the_other_alignment_and_back(as_alice: Client, sample: Sample) -> None:
    page = page_of(as_alice, QUESTION)
    assert "CY2024" in page
    assert '<span class="years__end muted">FY2025</span><br><span class="years__end muted">Jan 2025</span>' in page
    assert "Show each company's own fiscal periods" in page
    other = page_of(as_alice, offered(page))
    assert "CY2024" not in other
    assert "end on different days: Apple 28 Sep 2024 and NVIDIA 28 Jan 2024." in other
    assert "Align by calendar" in other
    assert "CY2024" in page_of(as_alice, offered(other))


@pytest.mark.django_db
def test_no_link_is_shown_where_years_end_together(as_alice: Client, sample: Sample) -> None:
    page = page_of(as_alice, "Which had higher revenue in fiscal 2024, Apple or Visa?")
    assert "FY2024" in page
    assert "own fiscal periods" not in page


@pytest.mark.parametrize(
    ("question", "said", "other"),
    [
        (QUESTION, "", f"{QUESTION[:-1]}, by each company's own fiscal calendar?"),
        (
            "Apple and NVIDIA revenue 2024, by calendar year.",
            "by calendar year",
            "Apple and NVIDIA revenue 2024, by each company's own fiscal calendar",
        ),
    ],
)
def test_words_that_align_are_replaced(question: str, said: str, other: str) -> None:
    start = question.index(said) if said else 0
    word = Word(start=start, end=start + len(said), text=said, role=Role.PERIOD, meaning="calendar" if said else "")
    query = Query(periods=Years(periods=()), words=(word,))
    assert with_choice(question, query, Alignment.FISCAL) == other
