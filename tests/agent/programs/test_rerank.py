"""The order of passages: a model may order those that were found, and add, drop or change none."""

from typing import Any

import pytest

from agent.programs.calls import ModelFailed
from agent.programs.rerank import order, rerank
from agent.state.findings import Passage

from .replies import saying


def passages(count: int) -> list[Passage]:
    return [
        Passage(
            chunk=number,
            filing=1,
            cik=1,
            accession="1",
            section=1,
            sha256="",
            item="1A",
            kind="prose",
            ranges=((number, number + 1),),
            text=f"Text {number}.",
        )
        for number in range(count)
    ]


def ranked(count: int, told: Any) -> list[int]:
    with saying({"order": told}) as (session, _):
        return [passage.chunk for passage in rerank(session, "Which suppliers?", passages(count))]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (["P3", "P1", "P2"], [2, 0, 1]),
        (["P2"], [1, 0, 2]),
        (["P2", "P2", "P9", "P0", "x"], [1, 0, 2]),
        ([], [0, 1, 2]),
    ],
)
def test_every_passage_is_kept_once(told: list[str], expected: list[int]) -> None:
    assert ranked(3, told) == expected


def test_only_the_first_twenty_are_ordered() -> None:
    with saying({"order": ["P21", "P20"]}) as (session, server):
        found = rerank(session, "Which suppliers?", passages(23))
        assert len(server.asked[-1].passages) == 20
    assert [passage.chunk for passage in found] == [19, *range(19), 20, 21, 22]


def test_one_passage_has_no_order_to_ask_for() -> None:
    with saying({"order": []}) as (session, server):
        assert rerank(session, "Which suppliers?", passages(1)) == tuple(passages(1))
        assert not server.asked


@pytest.mark.parametrize("told", ["P1", [1, 2], ["P1"] * 21, ["P" * 50_000], {"P1": 1}], ids=str)
def test_a_reply_of_another_form_is_no_reply(told: Any) -> None:
    with pytest.raises(ModelFailed):
        ranked(3, told)


def test_places_are_all_there() -> None:
    assert order(["P2", "P7"], 3) == [1, 0, 2]
