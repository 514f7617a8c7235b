"""A model's judgement wherever an answer is shown: apart from the figures, as a reading, with reasons that code worded."""

import csv
import io
import json

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent.models import Run, Share
from agent.runs.answer_json import row
from agent.runs.judgement_text import TITLE
from agent.runs.stored_answer import read
from tests.agent.exports import sheets
from tests.agent.pages.test_views_run import text
from tests.support import answers

pytestmark = pytest.mark.django_db

REASON = "Research and development expense of Northwind ($9.412 million in fiscal 2024) is positive."


@pytest.fixture
def run(alice: User) -> Run:
    return answers.run_with(answers.judged(answers.number_answer()), alice)


def file_of(client: Client, run: Run, ending: str) -> bytes:
    response = client.get(reverse("run_table", args=[run.pk, ending]))
    assert response.status_code == 200
    return b"".join(response)


def test_the_page_has_it_above_the_figure_and_says_whose_it_is(run: Run, as_alice: Client) -> None:
    response = as_alice.get(run.get_absolute_url())
    page = text(response)
    assert f"{TITLE} Yes {REASON}" in page
    assert "the verdict itself is the model\u2019s, and no evidence" in page
    assert response.content.index(b'class="judgement') < response.content.index(b'class="figure"')


def test_a_shared_answer_has_it(run: Run, client: Client) -> None:
    assert TITLE in text(client.get(Share.objects.create(run=run).get_absolute_url()))


def test_without_one_nothing_is_said(as_alice: Client, alice: User) -> None:
    run = answers.run_with(answers.number_answer(), alice)
    assert TITLE not in text(as_alice.get(run.get_absolute_url()))
    (part,) = as_alice.get(f"/api/v1/runs/{run.pk}").json()["answer"]["parts"]
    assert part["judgement"] is None


def test_the_api_gives_the_verdict_and_its_reasons(run: Run, as_alice: Client) -> None:
    found = as_alice.get(f"/api/v1/runs/{run.pk}").json()["answer"]
    (part,) = found["parts"]
    reason = {"kind": "comparison", "text": REASON, "mark": ""}
    assert part["judgement"] == {"by": "model", "verdict": "yes", "reasons": [reason]}
    assert part["values"]
    assert found["text"].startswith(f"{TITLE}: yes.\n  {REASON}\n\n")


def test_a_batch_gives_it(run: Run) -> None:
    answer = read(run.answer)
    assert answer is not None
    (found,) = row("", answer, 1)["judgement"]
    assert found["verdict"] == "yes"


def test_files_say_it(run: Run, as_alice: Client) -> None:
    line = f"{TITLE}: yes."
    book = sheets.read(file_of(as_alice, run, "xlsx"))
    assert any(line in sheet.texts() for sheet in book.values())
    markdown = file_of(as_alice, run, "md").decode()
    assert line in markdown
    rows = list(csv.DictReader(io.StringIO(file_of(as_alice, run, "csv").decode("utf-8-sig"))))
    assert {one[TITLE] for one in rows} == {f"yes. {REASON}"}
    assert json.loads(file_of(as_alice, run, "json"))["judgement"][0] == line


def test_a_reason_that_does_not_hold_is_not_shown(as_alice: Client, alice: User) -> None:
    run = answers.run_with(answers.judged(answers.number_answer(), relation="negative"), alice)
    assert TITLE not in text(as_alice.get(run.get_absolute_url()))
