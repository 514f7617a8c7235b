"""Figures in drafted sentences of a whole run: beside the measure of the whole company, never beside a part of it."""

import re

import pytest

from agent.numbers.facts.render import inline
from agent.runs.answer_json import asserted
from tests.support.model_behaviours import says
from tests.support.model_replies import Asked, Reply
from tests.support.model_runs import Made, run, untrue
from tests.support.model_server import LocalModel
from tests.support.sample import Sample

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("searched_once")]

RESEARCH = "What was Northwind's research and development expense in fiscal 2025 and why did it increase?"
SALES = "What was Northwind's revenue in fiscal 2025 and why did revenue in Europe change?"


def drafted(model: LocalModel, question: str, begins: str, text: str) -> Made:
    """A run whose draft quotes the sentence that begins with these words, and says this of it."""
    quotes: list[str] = []

    def drafting(asked: Asked) -> Reply:
        for passage in asked.passages:
            if found := re.search(rf"{begins}[^\n]*?\.(?=\s|$)", passage["text"]):
                quotes.append(found[0])
                claim = {"text": text, "quote": found[0], "passage": passage["id"]}
                return says({"claims": [claim], "not_found": []})(asked)
        return says({"claims": [], "not_found": []})(asked)

    model.always(drafting, program="draft")
    made = run(question)
    assert quotes
    assert untrue(made) == []
    return made


def test_a_figure_of_the_whole_company_is_placed_behind_its_measure(sample: Sample, scripted: LocalModel) -> None:
    begins = "Research and development expense increased"
    made = drafted(scripted, RESEARCH, begins, "Research and development expense {{fact:1}} increased.")
    (figure,) = [inline(cell, None) for cell in asserted(made.answer)]
    assert made.state.claims[0].figures == ((len("Research and development expense"), figure),)


def test_a_figure_of_the_whole_company_is_not_placed_beside_a_region(sample: Sample, scripted: LocalModel) -> None:
    made = drafted(scripted, SALES, "Revenue in Europe", "Revenue {{fact:1}} in Europe increased.")
    assert asserted(made.answer)
    assert not any(claim.figures for claim in made.state.claims)
