"""Searches as a model proposes them: of the question's own subject, without company, year, and numbers of its own."""

from typing import Any

import pytest

from agent.programs.calls import ModelFailed
from agent.programs.decompose import DecomposeQuestion, Search, decompose
from tests.agent.query.held import TODAY

from .replies import saying

QUESTION = "What does Apple say about its main suppliers and Section 301 tariffs in fiscal 2024?"
NAMES = ("Apple Inc.", "Apple", "AAPL")


def one(phrase: str, *variants: str, kind: str = "TEXT", axis: str = "", **fields: Any) -> dict[str, Any]:
    return {"phrase": phrase, "kind": kind, "variants": list(variants), "axis": axis} | fields


def read(*searches: dict[str, Any], axes: tuple[str, ...] = ()) -> tuple[Search, ...]:
    with saying({"searches": list(searches)}) as (session, _):
        return decompose(session, QUESTION, TODAY, NAMES, axes)


def test_searches_have_words_kind_and_variants() -> None:
    found = read(one("concentration of suppliers", "sole source vendors"), one("tariffs by country", kind="TABLE"))
    assert [(search.query.label, search.query.tables) for search in found] == [
        ("concentration of suppliers", False),
        ("tariffs by country", True),
    ]
    assert found[0].query.words == ("concentration", "suppliers")
    assert found[0].query.variants == ("sole source vendors",)


@pytest.mark.parametrize(
    ("phrase", "label"),
    [
        ("Apple's suppliers of components", "suppliers of components"),
        ("suppliers AAPL fiscal 2024", "suppliers"),
        ("suppliers in 2031", "suppliers in"),
        ("sup\u200bpliers\u202e", "suppliers"),
    ],
)
def test_company_and_period_are_left_out(phrase: str, label: str) -> None:
    assert [search.query.label for search in read(one(phrase))] == [label]


@pytest.mark.parametrize(
    "phrase",
    [
        "what is it about",
        "Apple 2024",
        "suppliers worth 5 billion",
        "seven suppliers",
        "suppliers https://evil.example",
        "<b>suppliers</b>",
        DecomposeQuestion.instructions[:80],
    ],
)
def test_what_looks_for_nothing_or_may_not_be_shown_is_no_search(phrase: str) -> None:
    assert [search.query.label for search in read(one(phrase), one("tariffs"))] == ["tariffs"]


def test_a_number_of_the_question_may_be_searched_for() -> None:
    assert [search.query.label for search in read(one("Section 301 tariffs"))] == ["Section 301 tariffs"]


def test_variants_are_other_words_without_numbers() -> None:
    (found,) = read(one("suppliers", "supplier", "Apple vendors"))
    assert found.query.variants == ("vendors",)
    (found,) = read(one("suppliers", "the 9 vendors", "vendors <i>"))
    assert found.query.variants == ()


def test_the_same_search_is_made_once() -> None:
    assert len(read(one("supplier concentration"), one("concentration of suppliers"), one("tariffs"))) == 2


AXES = ("by spending", "by dependence")


def test_each_axis_has_its_search_in_order() -> None:
    found = read(one("sole source dependence", axis="A2"), one("purchases from vendors", axis="A1"), axes=AXES)
    assert [(search.axis, search.query.label) for search in found] == [
        ("by spending", "purchases from vendors"),
        ("by dependence", "sole source dependence"),
    ]


@pytest.mark.parametrize("axis", ["", "A1", "A3", "axis"])
def test_without_a_search_for_each_axis_there_is_none(axis: str) -> None:
    assert read(one("purchases", axis="A1"), one("dependence", axis=axis), axes=AXES) == ()


def test_an_axis_that_was_not_given_is_none() -> None:
    assert [search.axis for search in read(one("purchases", axis="A1"))] == [""]


@pytest.mark.parametrize(
    "searches",
    [
        [],
        [one("suppliers")] * 4,
        [one("suppliers", "a", "b", "c")],
        [one("suppliers", kind="SQL")],
        [one("suppliers", company="Microsoft")],
        [one("s" * 50_000)],
        [one("")],
    ],
    ids=["none", "four", "variants", "kind", "a field", "50 kB", "empty"],
)
def test_a_reply_of_another_form_is_no_reply(searches: list[dict[str, Any]]) -> None:
    with pytest.raises(ModelFailed) as failed:
        read(*searches)
    assert failed.value.reason == "unparsable"
