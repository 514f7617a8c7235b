"""Figures in drafted sentences: behind the name of their own measure, put in by code, or nowhere."""

import pytest

from agent.found import with_figures
from agent.language.concepts import measures_of
from agent.numbers import registry as registry_file
from agent.programs.figures import figures, unbound
from tests.support import answers

MEASURES = measures_of(registry_file.load())
COMPANY = answers.COMPANY
OFFERED = figures([(COMPANY, answers.draft(answers.found()))])
SHOWN = OFFERED[0].draft.inline


def bound(text: str, cik: int = COMPANY.cik) -> str | None:
    """The text with its figures; None where one may not stand where it does."""
    found = unbound(text, cik, OFFERED, MEASURES)
    if found is None:
        return None
    left, placed = found
    return with_figures(left, [(at, OFFERED[number - 1].draft.inline) for at, number in placed])


def test_a_program_is_told_of_a_figure_without_its_value() -> None:
    told = OFFERED[0].given.model_dump_json()
    assert "{{fact:1}}" in told
    assert "9.412" not in told
    assert "9412" not in told


@pytest.mark.parametrize(
    ("text", "left", "right"),
    [
        ("Research and development expense {{fact:1}} increased due to wages.", "Research and development expense", " increased due to wages."),
        ("The increase in R&D ({{fact:1}}) was due to wages.", "The increase in R&D", " was due to wages."),
        ("Wages raised the company's R&D expense {{ fact : 1 }}.", "Wages raised the company's R&D expense", "."),
        ("Northwind's R&D {{fact:1}}, which rose, is charged at once.", "Northwind's R&D", ", which rose, is charged at once."),
    ],
)  # fmt: skip
def test_a_figure_stands_behind_its_measure_with_its_year(text: str, left: str, right: str) -> None:
    assert SHOWN.startswith(" (fiscal 2024: ")
    assert "$9.412 million" in SHOWN
    assert bound(text) == f"{left}{SHOWN}{right}"


def test_the_sentence_that_is_verified_has_no_figure() -> None:
    found = unbound("The increase in R&D ({{fact:1}}) was due to wages.", COMPANY.cik, OFFERED, MEASURES)
    assert found == ("The increase in R&D was due to wages.", [(len("The increase in R&D"), 1)])


@pytest.mark.parametrize(
    "text",
    [
        "Net income {{fact:1}} increased.",
        "R&D was {{fact:1}} in the year.",
        "Wages rose by {{fact:1}}.",
        "{{fact:1}} was spent.",
        "Adjusted R&D {{fact:1}} increased.",
        "Sensor R&D {{fact:1}} increased.",
        "R&D {{fact:1}} per employee increased.",
        "R&D {{fact:1}} of the sensors increased.",
        "R&D {{fact:1}} million was spent.",
        "R&D {{fact:2}} increased.",
        "R&D {{fact:01}}{{fact:1}} increased.",
        "R&D {{fact:one}} increased.",
        "R&D {{fact:1} increased.",
        "R&D {{fact:1}} increased }}.",
        "R&D {{value}} increased.",
        "R&D, {{fact:1}} increased.",
        "R&D ({{fact:1}}, up by half) increased.",
    ],
)
def test_a_figure_anywhere_else_drops_the_claim(text: str) -> None:
    assert bound(text) is None


def test_a_measure_inside_the_name_of_another_takes_no_figure() -> None:
    revenue = answers.found(concept="revenue", label="Total revenue")
    offered = figures([(COMPANY, answers.draft(revenue))])
    assert unbound("Revenue {{fact:1}} increased.", COMPANY.cik, offered, MEASURES)
    assert unbound("Cost of revenue {{fact:1}} increased.", COMPANY.cik, offered, MEASURES) is None


def test_a_figure_of_another_company_is_not_put_in() -> None:
    assert bound("R&D {{fact:1}} increased.", cik=320193) is None


def test_several_figures_keep_their_places() -> None:
    found = bound("R&D {{fact:1}} and total R&D ({{fact:1}}) increased.")
    assert found == f"R&D{SHOWN} and total R&D{SHOWN} increased."
