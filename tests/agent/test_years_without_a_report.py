"""A question for text on a year that no report is held of: with a model the newest report is read for what it tells of it."""

import pytest

from tests.support.model_behaviours import says
from tests.support.model_replies import Asked, Behaviour, Reply
from tests.support.model_runs import run, untrue
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = pytest.mark.django_db

STORMS = "How did storms affect Northwind in fiscal 2018?"
TOLD = "Storms have twice closed the port and the roads of Duluth for several days, in 2012 and 2018, without material loss."
ELSE = "We hold no contract that obliges this supplier to sell to us beyond the end of fiscal 2026."


def quoting(*sentences: str) -> Behaviour:
    """A draft that quotes those of these sentences that its passages have."""

    def behaviour(asked: Asked) -> Reply:
        told = [
            {"text": "", "quote": one, "passage": passage["id"]}
            for one in sentences
            for passage in asked.passages
            if one in passage["text"]
        ]
        return says({"claims": told, "not_found": []})(asked)

    return behaviour


def test_sentences_that_name_the_year_are_given_with_the_report_they_are_from(
    sample: Sample, scripted: LocalModel
) -> None:
    scripted.always(quoting(TOLD, ELSE), program="draft")
    made = run(STORMS)
    assert made.shown == [TOLD]
    (block,) = made.answer.blocks
    assert [one.fiscal_year for one in block.filings] == [2025]
    assert any("No 10-K of fiscal 2018 is in our data." in note for note in made.notes)
    assert not untrue(made)


def test_without_such_a_sentence_the_year_is_refused_as_before(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(quoting(ELSE), program="draft")
    made = run(STORMS)
    assert made.answer.refusal_code == "year_not_ingested"
    assert not made.shown


def test_without_a_model_the_year_is_refused(sample: Sample) -> None:
    from agent.steps import pipeline
    from agent.steps.deps import Deps
    from evals.golden import TODAY

    answer = pipeline.answer(STORMS, Deps.current(TODAY))
    assert answer.refusal_code == "year_not_ingested"


def test_what_a_report_that_is_not_held_said_itself_no_other_tells(sample: Sample, scripted: LocalModel) -> None:
    scripted.always(quoting(TOLD), program="draft")
    made = run("What risk factors did Northwind list in fiscal 2018?")
    assert made.answer.refusal_code == "year_not_ingested"
    assert not scripted.of("draft")
