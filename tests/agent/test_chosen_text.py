"""The text of a chosen document is read by a model where its tables do not give the figure asked."""

import pytest

from agent.refusals.codes import Code
from agent.state import Scope
from filings.models import Company
from tests.filings.importing.conftest import halden, in_process, model
from tests.support.annual_report import prose
from tests.support.brought import brought
from tests.support.model_behaviours import says
from tests.support.model_replies import claims
from tests.support.model_runs import run, scripted
from tests.support.model_server import LocalModel
from tests.support.printed_report import report

__all__ = ["halden", "in_process", "model", "scripted"]

pytestmark = pytest.mark.django_db

PAID = "Halden Optics has paid cash dividends to its shareholders in every quarter since it was listed."
ASKED = "Did Halden Optics pay dividends in Q2 of FY2024?"


@pytest.fixture
def chosen(halden: Company) -> Scope:
    beside = f"{prose()}<h3>Dividends</h3><p>{PAID}</p>"
    filing = brought(
        report(beside=beside), "h.html", company="HLDN", kind="10-K", period="2024", date="2025-02-14"
    ).filing
    return Scope(document=filing.accession, cik=filing.company.cik)


def test_a_sentence_of_it_answers_and_says_that_no_figure_does(scripted: LocalModel, chosen: Scope) -> None:
    scripted.behave(
        lambda asked: says(
            {"claims": [one for one in claims(asked, most=20) if "dividends" in one["quote"]][:1], "not_found": []}
        )(asked),
        program="draft",
    )
    (block,) = run(ASKED, scope=chosen).answer.blocks
    assert (block.outcome, [one.quote for one in block.claims]) == ("answered", [PAID])
    assert "No figure of the document answers this, so its text was read." in block.notes


def test_where_no_sentence_does_the_figure_stays_refused(scripted: LocalModel, chosen: Scope) -> None:
    scripted.behave(says({"claims": [], "not_found": []}), program="draft")
    (block,) = run(ASKED, scope=chosen).answer.blocks
    assert block.refusal is not None
    assert block.refusal.code is Code.INTERIM_PERIOD
    assert block.claims == ()
