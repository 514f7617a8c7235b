"""Quoted rows of tables, and lists of risks, through the whole pipeline over the fictional sample."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from agent.models import Run
from agent.prose.text.quotation_context import about, printed_row
from agent.prose.text.section_text import SectionText
from agent.runs.answer_json import as_text, row
from agent.state import Answer, Claim, NearPassage
from agent.steps import pipeline
from agent.steps.deps import Deps
from agent.web.cards.answer_card import parts
from agent.web.cards.nearest_passages import ShownPassage
from evals.golden import TODAY
from filings.models import Section
from tests.agent.pages.test_views_run import text
from tests.support.answers import run_with
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

DIVIDED = "Northwind cost of sales by segment 2024"
ROW = "Software\t3,420"
RISKS = "What are Northwind's main risks in fiscal 2025?"


def ask(question: str) -> Answer:
    return pipeline.answer(question, Deps.current(TODAY))


def first(answer: Answer) -> Claim:
    return answer.blocks[0].claims[0]


def test_a_word_of_the_text_is_not_looked_for_in_tables_of_other_things(sample: Sample) -> None:
    answer = ask("What does Northwind say about Mars colonies?")
    assert not any("\t" in claim.quote for block in answer.blocks for claim in block.claims)


def test_the_card_the_pasted_text_and_the_row_of_a_batch_have_the_headings(
    sample: Sample, as_alice: Client, alice: User
) -> None:
    answer = ask(RISKS)
    section = Section.objects.get(filing=sample.filing("NWND", 2024), text__contains=ROW)
    start = section.text.index(ROW)
    end = section.text.index("\n", start)
    read, quote = SectionText(section), section.text[start:end]
    rows = {
        "about": about(read, start, end),
        "row": printed_row(read, start, end, None),
        "text": quote,
        "quote": quote,
    }
    claim = first(answer).model_copy(update={**rows, "section": section.pk, "start": start, "end": end})
    answer = answer.model_copy(update={"blocks": (answer.blocks[0].model_copy(update={"claims": (claim,)}),)})
    page = text(as_alice.get(run_with(answer, alice).get_absolute_url()))
    for said in ("As printed, not computed", "3,420", "2024 2023 2022"):
        assert said in page
    (shown,) = parts(answer, run_with(answer, alice).pk)
    assert shown.prose is not None
    assert "2024 | 2023 | 2022" in shown.prose.plain
    assert "As printed, not computed" in as_text(answer)
    exported = row(1, answer, 0.0)["claims"][0]
    assert exported["about"][-1]["kind"] == "header"


def test_a_sentence_is_shown_with_the_headings_it_stands_under(sample: Sample, as_alice: Client, alice: User) -> None:
    answer = ask("What are Northwind's critical accounting estimates in fiscal 2025?")
    claim = first(answer)
    assert claim.path
    assert claim.path in text(as_alice.get(run_with(answer, alice).get_absolute_url()))


def test_a_list_of_risks_can_be_opened_to_the_end(
    sample: Sample, as_alice: Client, alice: User, client: Client
) -> None:
    answer = ask("What risks does Northwind describe about machine tools in fiscal 2025?")
    claim = first(answer)
    address = reverse("captions", args=[claim.accession, "1A"])
    assert f'href="{address}"' in as_alice.get(run_with(answer, alice).get_absolute_url()).content.decode()
    page = client.get(address)
    assert page.status_code == 200
    section = Section.objects.get(pk=claim.section)
    listed = page.context["captions"]
    assert len(listed) > len(answer.blocks[0].claims)
    for said, number, at in listed:
        start, end = map(int, at.removeprefix("at=").split("-"))
        assert (section.text[start:end], section.page(start).label) == (said, number)
        assert client.get(f"{section.get_absolute_url()}?{at}").status_code == 200
    assert {one.caption or one.quote for one in answer.blocks[0].claims} <= {said for said, _, _ in listed}


def test_an_item_without_captions_or_with_a_changed_text_has_no_list(sample: Sample, client: Client) -> None:
    filing = sample.filing("NWND", 2025)
    assert client.get(reverse("captions", args=[filing.accession, "1B"])).status_code == 404
    assert client.get(reverse("captions", args=[filing.accession, "99"])).status_code == 404
    Section.objects.filter(filing=filing, item="1A").update(sha256="0" * 64)
    assert client.get(reverse("captions", args=[filing.accession, "1A"])).status_code == 404


def test_an_answer_that_quotes_no_risk_leads_to_no_list(sample: Sample, as_alice: Client, alice: User) -> None:
    run: Run = run_with(ask(DIVIDED), alice)
    assert "/captions" not in as_alice.get(run.get_absolute_url()).content.decode()


def test_rows_of_a_passage_keep_their_columns() -> None:
    text = "Years ended\tMore\n\t2024\t2023\nOrders\t\t8"
    spans = tuple((text.index(one), text.index(one) + len(one)) for one in text.split("\n"))
    passage = NearPassage(
        target=0, cik=1, accession="a", section=1, sha256="", item="7", start=0, end=len(text), ranges=spans,
        text=text, marked=spans[-1:],
    )  # fmt: skip
    shown = ShownPassage(passage, None)
    assert [[cell for cell, _ in line.cells] for line in shown.paragraphs] == [
        ["Years ended | More"],
        ["", "2024", "2023"],
        ["Orders", "", "8"],
    ]
