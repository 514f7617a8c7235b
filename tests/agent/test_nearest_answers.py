"""An answer to the nearest question is marked so wherever it is shown, and asserted nowhere."""

import csv
import io
import json

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent.models import Run
from agent.runs.answer_json import row
from agent.runs.stored_answer import read
from tests.agent.pages.test_views_run import text
from tests.agent.query.test_follow_up_runs import asked, worked
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

QUESTION = "How much cash is Apple hoarding?"
SAID = "Nearest question I can answer"
LEFT_OUT = "Left out, because I don\u2019t understand it: \u201choarding\u201d."


@pytest.fixture
def run(sample: Sample, alice: User) -> Run:
    found = asked(alice, QUESTION)
    assert found.outcome == Run.Outcome.NEAREST
    return found


def test_the_page_says_it_before_the_figure_and_offers_the_question_itself(run: Run, as_alice: Client) -> None:
    page = text(as_alice.get(run.get_absolute_url()))
    assert page.index(SAID) < page.index(LEFT_OUT) < page.rindex("29,943")
    assert "not asserted as the answer to yours" in page
    again = as_alice.post(reverse("ask_question"), {"question": "Apple cash and cash equivalents in the latest year"})
    assert asked_again(again.url).outcome == Run.Outcome.ANSWERED


def asked_again(address: str) -> Run:
    return worked(Run.objects.get(pk=address.rstrip("/").rpartition("/")[2]))


def test_the_history_shows_it_and_filters_by_it(run: Run, as_alice: Client) -> None:
    assert "Nearest question" in text(as_alice.get(reverse("history"), {"outcome": "nearest"}))
    assert QUESTION not in text(as_alice.get(reverse("history"), {"outcome": "answered"}))


def test_the_api_gives_the_table_and_no_value(run: Run, as_alice: Client) -> None:
    data = as_alice.get(f"/api/v1/runs/{run.pk}").json()
    (part,) = data["answer"]["parts"]
    assert (data["outcome"], data["refused"], part["outcome"], part["values"]) == ("nearest", False, "nearest", [])
    assert part["nearest"] == {
        "question": "Apple cash and cash equivalents in the latest year",
        "left_out": ["hoarding"],
    }
    assert part["table"]
    assert as_alice.get("/api/v1/runs", {"outcome": "nearest"}).json()["items"][0]["id"] == str(run.pk)


@pytest.mark.parametrize("ending", ["csv", "xlsx", "md", "json"])
def test_every_file_says_it(run: Run, as_alice: Client, ending: str) -> None:
    response = as_alice.get(reverse("run_table", args=[run.pk, ending]))
    assert response.status_code == 200
    if ending != "xlsx":
        assert SAID in b"".join(response).decode()


def test_the_history_file_marks_its_figures(run: Run, as_alice: Client) -> None:
    file = b"".join(as_alice.get(reverse("history_file", args=["csv"])).streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(file)))
    assert {one["Result"] for one in rows} == {"Figure of the nearest question, not asserted"}


def test_text_says_it_first_and_a_batch_asserts_nothing(run: Run) -> None:
    answer = read(run.answer)
    assert answer is not None
    data = row("", answer, 1)
    assert (data["outcome"], data["values"], data["left_out"]) == ("nearest", [], ["hoarding"])
    assert data["table"]
    assert data["text"].startswith(SAID)


def test_a_follow_up_is_of_the_reading_and_asserted(run: Run, alice: User) -> None:
    following = asked(alice, "and in FY2023?", continues=run)
    assert following.outcome == Run.Outcome.ANSWERED


def test_the_command_prints_it(sample: Sample, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("ask", QUESTION, "--json")
    assert json.loads(capsys.readouterr().out)["outcome"] == "nearest"
