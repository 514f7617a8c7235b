"""Of which figures a page says that they match the filing, and of which only that they match the SEC's data."""

import pytest
from django.test import Client

from accounts.models import User
from agent.state import FactRef
from agent.web.tables.verified_tables import printed_in_documents
from filings.models import Filing
from tests.support import answers
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db
HELD = Filing.DocumentStatus.HELD


def facts_of(sample: Sample, status: Filing.DocumentStatus, **changes: object) -> list[FactRef]:
    filing = sample.filing("AAPL", 2024)
    Filing.objects.filter(pk=filing.pk).update(document_status=status)
    return [answers.fact_ref().model_copy(update={"accession": filing.accession, **changes})]


def test_a_printed_row_of_a_stored_document(sample: Sample) -> None:
    assert printed_in_documents(facts_of(sample, HELD, source="companyfacts"))


@pytest.mark.parametrize("status", [Filing.DocumentStatus.PENDING, Filing.DocumentStatus.MISSING])
def test_a_document_that_is_not_stored(sample: Sample, status: Filing.DocumentStatus) -> None:
    assert not printed_in_documents(facts_of(sample, status, source="companyfacts"))


def test_a_fact_of_companyfacts_without_a_printed_row(sample: Sample) -> None:
    assert not printed_in_documents(facts_of(sample, HELD, source="companyfacts", label=""))


def test_a_fact_that_was_read_in_the_document(sample: Sample) -> None:
    assert printed_in_documents(facts_of(sample, HELD, source="document", label=""))


def test_one_figure_of_companyfacts_alone_counts_for_all(sample: Sample) -> None:
    printed, alone = facts_of(sample, HELD, source="document"), facts_of(sample, HELD, source="companyfacts", label="")
    assert not printed_in_documents([*printed, *alone])


def test_the_page_says_which(as_alice: Client, alice: User, sample: Sample) -> None:
    filing = sample.filing("AAPL", 2024)
    fact = answers.fact_ref(accession=filing.accession, source="companyfacts")
    run = answers.run_with(answers.number_answer(answers.cell(fact)), alice)
    for status, said in (
        (HELD, "The figure matches the filing<"),
        ("pending", "The figure matches the SEC's XBRL data<"),
    ):
        Filing.objects.filter(pk=filing.pk).update(document_status=status)
        assert said in as_alice.get(run.get_absolute_url()).content.decode()
