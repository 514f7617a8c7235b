"""A saved answer read again: equal while the filing is what it was, and told to be broken when it is not."""

import pytest
from django.test import Client

from accounts.models import User
from agent.certificates.verify import reverify
from agent.state import Answer
from agent.steps import pipeline
from agent.steps.deps import Deps
from filings.models import Fact, Filing, Section
from tests.agent.pages.test_views_run import HTMX, text
from tests.support import answers, prose_answers
from tests.support.holdings import northwind
from tests.support.sample import Sample
from tests.support.texts import PERMIT, ten_k


@pytest.fixture
def sections(db: None) -> dict[str, Section]:
    return ten_k(northwind().filings.get(fiscal_year=2025))


@pytest.fixture
def answer(sections: dict[str, Section]) -> Answer:
    return prose_answers.supply_answer(sections)


def said(client: Client, answer: Answer, user: User) -> str:
    run = answers.run_with(answer, user)
    return text(client.post(f"/runs/{run.pk}/verify", headers=HTMX))


def test_quotations_that_still_stand_are_said_to_be_equal(as_alice: Client, alice: User, answer: Answer) -> None:
    assert [check.ok for check in reverify(answer)] == [True] * 4
    assert "all 4 re-read and unchanged" in said(as_alice, answer, alice)


def test_a_text_that_was_changed_under_its_hash_is_found(
    as_alice: Client, alice: User, answer: Answer, sections: dict[str, Section]
) -> None:
    old = sections["1A"]
    Section.objects.filter(pk=old.pk).update(text=old.text.replace("seven weeks", "nine weeks."))
    assert [check.ok for check in reverify(answer)] == [False, False, False, True]  # the last is of Item 7
    assert "3 of 4 no longer match the filing" in said(as_alice, answer, alice)


def test_a_claim_that_shows_other_words_than_it_cites_is_found(answer: Answer) -> None:
    block = answer.blocks[0]
    changed = block.claims[0].model_copy(update={"text": block.claims[0].text.replace("no contract", "a contract")})
    forged = answer.model_copy(update={"blocks": (block.model_copy(update={"claims": (changed, *block.claims[1:])}),)})
    assert [check.ok for check in reverify(forged)] == [False, True, True, True]


def test_a_text_that_is_gone_is_found(as_alice: Client, alice: User, answer: Answer) -> None:
    Section.objects.all().delete()
    page = said(as_alice, answer, alice)
    assert "4 of 4 no longer match the filing" in page
    assert PERMIT not in page


def test_data_of_the_filing_is_read_again(sections: dict[str, Section]) -> None:
    answer = prose_answers.particular_answer()
    filings = Filing.objects.filter(accession=prose_answers.ACCESSION)
    assert [check.ok for check in reverify(answer)] == [False]
    filings.update(cover={"AuditorName": "Fjord & Partner LLP"})
    assert [check.ok for check in reverify(answer)] == [True]


def test_a_figure_that_is_not_stored_is_found(as_alice: Client, alice: User, db: None) -> None:
    page = said(as_alice, answers.number_answer(), alice)
    assert "1 of 1 no longer matches the filing" in page


def test_a_table_is_read_again_with_what_is_made_of_it(as_alice: Client, alice: User, sample: Sample) -> None:
    question = "Apple and Microsoft average revenue from fiscal 2020 to fiscal 2024"
    answer = pipeline.answer(question, Deps.current())
    assert [check.ok for check in reverify(answer)] == [True] * 12
    table = answer.blocks[0].table
    assert table is not None
    Fact.objects.filter(pk=table.results[1].facts[0].fact).update(value=1)
    assert [check.id for check in reverify(answer) if not check.ok] == ["reported-10", "result-2"]
    assert "no longer match" in said(as_alice, answer, alice)


def test_it_works_without_a_script(as_alice: Client, alice: User, answer: Answer) -> None:
    run = answers.run_with(answer, alice)
    response = as_alice.post(f"/runs/{run.pk}/verify")
    assert b"<html" in response.content
    assert "all 4 re-read and unchanged" in text(response)


def test_a_refusal_offers_no_figure_to_verify(as_alice: Client, alice: User, db: None) -> None:
    run = answers.run_with(answers.refusal_answer(), alice)
    assert "Re-verify" not in text(as_alice.get(run.get_absolute_url()))
    assert "re-read and unchanged" in text(as_alice.post(f"/runs/{run.pk}/verify", headers=HTMX))
