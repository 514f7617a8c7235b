"""What a page says outside its details: results in plain words, without codes, tags and axes, and notes of one line."""

import re

import pytest
from django.test import Client
from lxml import html

from accounts.models import User
from agent.refusals.codes import Code
from agent.state import Answer
from agent.steps import pipeline
from agent.steps.deps import Deps
from evals import golden
from tests.support import answers
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

# The most characters of a note: a line of the page.
ONE_LINE = 110
# An axis or a member of a taxonomy, an element of one, or a name of code.
CODES = re.compile(
    r"\w*Axis\b|\w+Member\b|\b(?:us-gaap|dei|srt|[a-z]{2,6}):[A-Z]\w+|\b[a-z]+(?:_[a-z]+)+\b|\b(?:[A-Z][a-z]+){3,}\b"
)
# Not shown: closed details but for their first line, what is kept for copying, and what only a screen reader says.
HIDDEN = ".//details/*[not(self::summary)]|.//*[@hidden]|.//script|.//*[@aria-hidden='true']"

REFUSED = {row.code: row.question for row in reversed(golden.read()) if row.outcome == "refused"}
ASKED = (
    *REFUSED.values(),
    "Apple total revenue in fiscal 2024",
    "Apple operating margin over the last five years",
    "Compare the net income of Apple, Microsoft and NVIDIA in fiscal 2023",
    "Which of Apple, Microsoft and AMD had the highest R&D intensity in fiscal 2023?",
    "Apple inventory turnover in fiscal 2023",
    "NVIDIA diluted EPS since fiscal 2019",
    "NVIDIA shares outstanding CAGR 2019-2024",
    "Procter & Gamble free cash flow 2019 to 2024",
    "Tesla EBITDA 2023",
    "JPMorgan gross margin 2023",
    "Apple goodwill 2024",
    "Apple balance sheet 2024",
    "Apple cash flow statement 2023",
    "Calder total revenue by segment over the last three years",
    "Calder grid revenue 2025",
    "Calder revenue of Services and Grid in 2025",
    "Calder rocket revenue 2025",
    "Northwind total revenue in the latest quarter",
    "Northwind net income Q2 2025",
    "Northwind operating cash flow Q3 2024",
    "Northwind EPS over the last 8 quarters",
    "Northwind revenue in Q4 2031",
    "What supply risks did Northwind Instruments disclose in fiscal 2025?",
    "What does Northwind say about Mars colonies?",
    "What supply risks does Apple disclose in fiscal 2024?",
    "Which companies mention tariffs?",
    "Umsatz Apple 2023",
)


def answer_to(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(golden.TODAY))


@pytest.mark.parametrize("question", ASKED)
def test_no_code_tag_or_axis_stands_outside_the_details(
    sample: Sample, as_alice: Client, alice: User, question: str
) -> None:
    answer = answer_to(question)
    run = answers.run_with(answer, alice)
    (main,) = html.fromstring(as_alice.get(run.get_absolute_url()).content).xpath("//main")
    for unseen in main.xpath(HIDDEN):
        unseen.drop_tree()
    quoted = main.xpath(".//blockquote|.//*[@class='quoted']|.//input|.//textarea")
    for words_of_the_filing in quoted:
        words_of_the_filing.drop_tree()
    shown = main.text_content()
    assert shown.strip()
    assert CODES.findall(shown.replace(question, "")) == []
    refused = [block.refusal for block in answer.blocks if block.refusal]
    assert not [one for one in refused if str(one.code) in shown and "_" in str(one.code)]


@pytest.mark.parametrize("question", ASKED)
def test_a_note_or_a_sentence_of_a_refusal_is_one_line(sample: Sample, question: str) -> None:
    answer = answer_to(question)
    tables = [block.table for block in answer.blocks if block.table]
    notes = [note for table in tables for note in table.notes]
    notes += [note for table in tables for cell in table.cells for note in cell.notes]
    notes += [note for table in tables for result in table.results for note in result.notes]
    assert [note for note in notes if len(note) > ONE_LINE] == []


@pytest.mark.parametrize("code", list(Code))
def test_a_sentence_of_a_code_is_one_line_before_its_words_are_filled_in(code: Code) -> None:
    row = code.row
    for said in filter(None, (row.asked, row.of_text, row.looked)):
        sentences = (said.first, said.second, said.bare_first, said.bare_second)
        assert [one for one in sentences if len(one) > ONE_LINE] == []
        assert not CODES.search(re.sub(r"\{\w+\}", "", " ".join(sentences)))


def test_only_staff_read_how_to_set_up_a_model(as_alice: Client, alice: User) -> None:
    assert "PLAN_MODEL" not in as_alice.get("/method").content.decode()
    alice.is_staff = True
    alice.save()
    assert "PLAN_MODEL" in as_alice.get("/method").content.decode()
