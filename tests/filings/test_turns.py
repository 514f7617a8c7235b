"""Speakers in the reader: names as headings, a list of them, and jumps from a question to its answer and back."""

import hashlib
import re
from collections.abc import Sequence
from datetime import date

import pytest
from django.test import Client

from filings.document.any_file import read_layout_of
from filings.document.blocks import stored_blocks
from filings.models import Filing, Section
from filings.models.report import imported_accession
from filings.sections import ParsedSection
from filings.sections.call import read_call
from filings.web.turns import Turn, joined, speakers, turns_of
from tests.support.calls import CALL, FORMS, Said, labelled
from tests.support.holdings import northwind


def read(content: bytes) -> tuple[ParsedSection, ParsedSection]:
    prepared, questions, *_ = read_call(read_layout_of(content, "call"), "call")
    return prepared, questions


def asked(content: bytes) -> list[tuple[str, str, str]]:
    """Each turn of the questions: who, whose answer it leads to, and whose question."""
    prepared, questions = read(content)
    heard = {turn.key for turn in turns_of(prepared.text, prepared.blocks)}
    found = joined(turns_of(questions.text, questions.blocks), heard)
    return [(turn.name, name_of(turn.answer), name_of(turn.question)) for turn in found]


def name_of(turn: Turn | None) -> str:
    return turn.name if turn else ""


def test_a_question_leads_to_its_answer_and_back() -> None:
    assert asked(labelled(CALL)) == [
        ("Operator", "", ""),
        ("Hugo Lindqvist", "Tom Vale", ""),
        ("Tom Vale", "", "Hugo Lindqvist"),
        ("Hugo Lindqvist", "", ""),
        ("Operator", "", ""),
        ("Petra Sand", "Mary O'Neil-Roth", ""),
        ("Mary O'Neil-Roth", "", "Petra Sand"),
        ("Operator", "", ""),
    ]


@pytest.mark.parametrize("form", FORMS)
def test_questions_are_joined_in_every_form_of_transcript(form: str) -> None:
    found = asked(FORMS[form](CALL))
    assert sum(bool(answer) for _, answer, _ in found) == 2
    assert sum(bool(question) for *_, question in found) == 2


def test_an_officer_who_held_no_speech_answers_and_does_not_ask() -> None:
    officer = Said("Nils Arden", "", ("The second line opens in March.",))
    call: Sequence[Said] = [*CALL[:7], officer, *CALL[7:12], officer, *CALL[12:]]
    found = asked(labelled(call))
    assert found[1:4] == [
        ("Hugo Lindqvist", "Nils Arden", ""),
        ("Nils Arden", "", "Hugo Lindqvist"),
        ("Tom Vale", "", "Hugo Lindqvist"),
    ]
    assert ("Nils Arden", "", "Petra Sand") in found


def test_nothing_is_joined_where_nobody_was_heard_before() -> None:
    _, questions = read(labelled(CALL))
    found = joined(turns_of(questions.text, questions.blocks), ())
    assert not any(turn.answer or turn.question for turn in found)


def test_speakers_stand_in_the_order_in_which_they_begin() -> None:
    prepared, _ = read(FORMS["page_with_roles_below"](CALL))
    found = speakers(turns_of(prepared.text, prepared.blocks))
    assert [(one.first.name, one.count) for one in found] == [
        ("Operator", 1),
        ("Ida Brandt", 1),
        ("Tom Vale", 2),
        ("Mary O'Neil-Roth", 1),
    ]
    assert found[2].first.role == "Chief Executive Officer"


@pytest.fixture
def call(db: None) -> Filing:
    filing = Filing.objects.create(
        company=northwind(),
        source="call",
        accession=imported_accession(b"call"),
        filed=date(2025, 10, 28),
        fiscal_year=2025,
        fiscal_quarter=3,
        chunks_stored=1,
    )
    for number, one in enumerate(read(labelled(CALL)), 1):
        Section.objects.create(
            filing=filing,
            number=number,
            item=one.item,
            status=str(one.status),
            text=one.text,
            sha256=hashlib.sha256(one.text.encode()).hexdigest(),
            blocks=stored_blocks(one.blocks),
        )
    return filing


def test_the_reader_shows_speakers_and_jumps(client: Client, call: Filing) -> None:
    page = client.get(f"/filings/{call.accession}/questions").content.decode()
    assert "<h1>Questions and answers</h1>" in page
    assert "Earnings call, Q3 fiscal 2025" in page
    turns = re.findall(r'<div class="turn"><h3 id="(t\d+)">([^<]+)</h3>(?:<a href="#(t\d+)">([^<]+)</a>)?</div>', page)
    places = {anchor: name for anchor, name, *_ in turns}
    said = [(name, label, places.get(target, "")) for _, name, target, label in turns]
    assert ("Hugo Lindqvist", "Answer by Tom Vale", "Tom Vale") in said
    assert ("Tom Vale", "Question by Hugo Lindqvist", "Hugo Lindqvist") in said
    listed = page.partition('<nav class="speakers"')[2].partition("</nav>")[0]
    assert re.findall(r'<a href="#t\d+">([^<]+)</a>', listed) == [
        "Operator",
        "Hugo Lindqvist",
        "Tom Vale",
        "Petra Sand",
        "Mary O&#x27;Neil-Roth",
    ]


def test_a_document_without_speakers_has_no_list_of_them(client: Client, call: Filing) -> None:
    Section.objects.update(blocks=[])
    assert 'class="speakers"' not in client.get(f"/filings/{call.accession}/questions").content.decode()
