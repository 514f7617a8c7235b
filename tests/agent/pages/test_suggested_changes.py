"""Changes of a table that are offered below an answer: each of them is answered."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent.models import Run
from agent.runs.stored_answer import read
from agent.web.pages.suggested_changes import MOST, suggested_changes
from tests.agent.query.test_follow_up_runs import asked, worked
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db


def offered(run: Run) -> list[str]:
    answer = read(run.answer)
    assert answer is not None
    return suggested_changes(answer)


@pytest.mark.parametrize(
    ("question", "changes"),
    [
        ("Apple revenue in FY2024", ["As a chart", "Year over year", "Since 2015"]),
        ("Apple and NVIDIA revenue in FY2024", ["As a chart", "Since 2015"]),
        ("Apple revenue from 2022 to 2024", ["Year over year", "Since 2015"]),
        ("Apple revenue growth in FY2024", ["As a chart"]),
        ("What risks does Northwind face from its suppliers?", []),
        ("Apple balance sheet FY2024", []),
    ],
)
def test_what_is_offered_is_answered(alice: User, sample: Sample, question: str, changes: list[str]) -> None:
    run = asked(alice, question)
    assert offered(run) == changes
    assert len(changes) <= MOST
    for change in changes:
        found = asked(alice, change, continues=run)
        assert (change, found.outcome) == (change, "answered")
        assert change not in offered(found)


def test_a_press_asks_it_of_the_answer(as_alice: Client, alice: User, sample: Sample) -> None:
    run = asked(alice, "Apple revenue in FY2024")
    page = as_alice.get(run.get_absolute_url()).content.decode()
    (form,) = re.findall(r'<form class="chips".*?</form>', page, re.DOTALL)
    assert f'name="continues" value="{run.pk}"' in form
    as_alice.post(reverse("ask_question"), {"question": "As a chart", "continues": run.pk})
    assert worked(Run.objects.get(continues=run)).outcome == "answered"
