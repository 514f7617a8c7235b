"""Where a language model read the question, every place says so and offers what else may be meant."""

import csv
import io
import json
import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent.models import Run, Share
from agent.runs.answer_json import row
from agent.runs.stored_answer import read
from tests.agent.exports import sheets
from tests.agent.pages.test_views_run import text
from tests.support import answers

pytestmark = pytest.mark.django_db

SAID = "Read by a language model as"
CAPITAL = "Northwind capital expenditure in fiscal 2024"
INTENSITY = "Northwind R&D intensity in fiscal 2024"
BEFORE = "Northwind research and development expense in fiscal 2023"
READING = {
    "by": "model",
    "as": answers.MODEL_READ,
    "slots": [
        {"slot": "company", "label": "Northwind", "text": "Northwind", "others": []},
        {
            "slot": "measure",
            "label": "Research and development expense",
            "text": "put into its labs",
            "others": [CAPITAL, INTENSITY],
        },
        {"slot": "period", "label": "fiscal 2024", "text": "these days", "others": [BEFORE]},
    ],
}


@pytest.fixture
def run(alice: User) -> Run:
    return answers.run_with(answers.read_by_model(answers.number_answer()), alice)


def buttons(page: str) -> dict[str, str]:
    """Question -> what its button shows, with the words that only a screen reader says."""
    found = re.findall(r'<button class="btn" name="question" value="([^"]+)"[^>]*>(.*?)</button>', page)
    return {unescape(question): unescape(re.sub(r"<[^>]+>", "", label)) for question, label in found}


# --- the page ---


def test_the_slots_stand_above_the_figure_and_each_asks_another_question(run: Run, as_alice: Client) -> None:
    response = as_alice.get(run.get_absolute_url())
    page = text(response)
    assert page.index(f"{SAID} Company: Northwind Measure:") < page.index("Period: fiscal 2024")
    assert response.content.index(b'class="slots"') < response.content.index(b'class="figure"')
    assert "“put into its labs” was read as Research and development expense. Ask instead:" in page
    # A name shows alone; of a reason that is no name, the whole question shows.
    assert buttons(response.content.decode()) == {
        CAPITAL: f"Capital expenditure ({CAPITAL})",
        INTENSITY: INTENSITY,
        BEFORE: f"Fiscal 2023 ({BEFORE})",
    }


def test_a_press_asks_the_other_question(run: Run, as_alice: Client) -> None:
    page = as_alice.get(run.get_absolute_url()).content.decode()
    (other,) = [question for question in buttons(page) if "capital" in question]
    reply = as_alice.post(reverse("ask_question"), {"question": other})
    assert Run.objects.get(pk=reply.url.rpartition("/")[2]).question == CAPITAL


def test_a_slot_that_cannot_be_filled_otherwise_does_not_open(run: Run, as_alice: Client) -> None:
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert len(re.findall('<details class="slot"', page)) == 2
    assert re.search(r'<p class="chip slot--plain">.*Northwind</p>', page)


def test_readings_and_refusals_show_the_slots_too(as_alice: Client, alice: User) -> None:
    for answer in (answers.readings_answer(), answers.refusal_answer()):
        run = answers.run_with(answers.read_by_model(answer), alice)
        response = as_alice.get(run.get_absolute_url())
        assert SAID in text(response)
        assert CAPITAL in buttons(response.content.decode())


def test_a_shared_answer_shows_what_was_read_and_no_form(run: Run, client: Client) -> None:
    response = client.get(Share.objects.create(run=run).get_absolute_url())
    assert f"{SAID} Company: Northwind Measure: Research and development expense Period: fiscal 2024" in text(response)
    assert buttons(response.content.decode()) == {}
    assert 'class="slot"' not in response.content.decode()


def test_what_code_alone_read_shows_nothing_of_it(as_alice: Client, alice: User) -> None:
    run = answers.run_with(answers.number_answer(), alice)
    assert SAID not in text(as_alice.get(run.get_absolute_url()))
    (part,) = as_alice.get(f"/api/v1/runs/{run.pk}").json()["answer"]["parts"]
    assert part["reading"] is None
    answer = read(run.answer)
    assert answer is not None
    assert row("", answer, 1)["reading"] is None


# --- programs ---


def test_the_api_gives_the_reading(run: Run, as_alice: Client) -> None:
    (part,) = as_alice.get(f"/api/v1/runs/{run.pk}").json()["answer"]["parts"]
    assert part["reading"] == READING
    assert part["values"]


def test_a_batch_gives_the_reading_and_the_text_says_it(run: Run) -> None:
    answer = read(run.answer)
    assert answer is not None
    data = row("", answer, 1)
    assert data["reading"] == READING
    assert answers.MODEL_NOTE in data["text"]


def test_the_text_of_a_large_table_says_it() -> None:
    cells = [answers.cell(fiscal_year=year) for year in range(2021, 2025)]
    assert answers.MODEL_NOTE in row("", answers.read_by_model(answers.number_answer(*cells)), 1)["text"]


# --- files ---


def file_of(client: Client, run: Run, ending: str) -> bytes:
    response = client.get(reverse("run_table", args=[run.pk, ending]))
    assert response.status_code == 200
    return b"".join(response)


def test_a_workbook_and_markdown_have_the_note(run: Run, as_alice: Client) -> None:
    book = sheets.read(file_of(as_alice, run, "xlsx"))
    assert any(answers.MODEL_NOTE in sheet.texts() for sheet in book.values())
    assert f"- {answers.MODEL_NOTE}" in file_of(as_alice, run, "md").decode().splitlines()


def test_every_row_of_a_csv_file_has_the_reading(run: Run, as_alice: Client, alice: User) -> None:
    rows = list(csv.DictReader(io.StringIO(file_of(as_alice, run, "csv").decode("utf-8-sig"))))
    assert {one[SAID] for one in rows} == {answers.MODEL_READ}
    plain = answers.run_with(answers.number_answer(), alice)
    assert SAID not in file_of(as_alice, plain, "csv").decode("utf-8-sig")


def test_a_json_file_has_the_reading(run: Run, as_alice: Client) -> None:
    assert json.loads(file_of(as_alice, run, "json"))["reading"] == READING
