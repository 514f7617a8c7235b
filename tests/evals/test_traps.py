"""Traps and rewordings as they are stored, and the check of an answerer against them."""

from collections import Counter
from decimal import Decimal

import pytest
from pydantic import ValidationError

from evals.traps import (
    Harmless,
    Reply,
    TableRow,
    Trap,
    asked_rows,
    check,
    read_harmless,
    read_traps,
    words_apart,
)

TRAPS, HARMLESS = read_traps(), read_harmless()
BASE = "Acme revenue 2024"


def row(measure: str = "Revenue", value: str = "10", *, asked: bool = True) -> TableRow:
    return {
        "company": "Acme",
        "fiscal_year": 2024,
        "measure": measure,
        "value": value,
        "unit": "USD",
        "asked": asked,
    }


def trap(sentence: str, expect: str = "either") -> Trap:
    return Trap.model_validate(
        {"id": "t1", "base": BASE, "trap": sentence, "kind": "measure", "expect": expect, "why": "Another line."}
    )


def reworded(sentence: str) -> Harmless:
    return Harmless(id="h1", base=BASE, same=sentence, kind="case")


REPLIES: dict[str, Reply] = {
    BASE: [row(), row("Cost", "4", asked=False)],
    "Acme REVENUE 2024": [row(value="10.0")],
    "Acme online revenue 2024": [row()],
    "Acme net income 2024": [row("Net income", "1")],
    "Acme revenue 2024 in euros": "not_understood",
    "Acme revenue policy 2024": [],
    "Acme sales mix 2024": "concept_not_found",
}


def faults(*pairs: Trap | Harmless) -> list[str]:
    traps = [pair for pair in pairs if isinstance(pair, Trap)]
    harmless = [pair for pair in pairs if isinstance(pair, Harmless)]
    return [finding.fault for finding in check(REPLIES.__getitem__, traps, harmless)]


@pytest.mark.parametrize("expect", ["differs", "refused", "either"])
def test_a_trap_with_the_table_of_its_base_is_reported_whatever_was_expected(expect: str) -> None:
    assert faults(trap("Acme online revenue 2024", expect)) == ["same_table"]


@pytest.mark.parametrize(("expect", "found"), [("differs", []), ("refused", ["answered"]), ("either", [])])
def test_a_trap_with_another_table_is_reported_where_no_figure_is_due(expect: str, found: list[str]) -> None:
    assert faults(trap("Acme net income 2024", expect)) == found


@pytest.mark.parametrize("sentence", ["Acme revenue 2024 in euros", "Acme revenue policy 2024"])
@pytest.mark.parametrize(("expect", "found"), [("differs", ["refused"]), ("refused", []), ("either", [])])
def test_a_trap_without_a_figure_is_reported_where_one_is_due(sentence: str, expect: str, found: list[str]) -> None:
    assert faults(trap(sentence, expect)) == found


def test_a_rewording_must_get_the_same_rows() -> None:
    assert faults(reworded("Acme REVENUE 2024")) == []
    assert faults(reworded("Acme net income 2024")) == ["other_table"]
    assert faults(reworded("Acme revenue 2024 in euros")) == ["refused"]


def test_a_refused_base_is_reported_since_its_pairs_show_nothing() -> None:
    refused = {"base": "Acme sales mix 2024"}
    assert faults(
        trap("Acme revenue policy 2024").model_copy(update=refused),
        reworded("Acme revenue 2024 in euros").model_copy(update=refused),
    ) == ["base_refused", "base_refused"]


def test_a_figure_that_is_not_due_is_reported_though_the_base_is_refused() -> None:
    assert faults(trap("Acme net income 2024", "refused").model_copy(update={"base": "Acme sales mix 2024"})) == [
        "answered"
    ]


def test_operands_shown_beside_the_answer_and_the_order_of_rows_do_not_count() -> None:
    assert asked_rows([row("Cost", asked=False), row("A"), row("B")]) == asked_rows([row("B"), row("A")])
    assert asked_rows([row(value="10")]) != asked_rows([row(value="11")])


def test_a_sentence_is_asked_once() -> None:
    asked: list[str] = []

    def answer(question: str) -> Reply:
        asked.append(question)
        return REPLIES[question]

    check(answer, [trap("Acme net income 2024"), trap("Acme online revenue 2024")], [reworded("Acme REVENUE 2024")])
    assert Counter(asked).most_common(1)[0][1] == 1
    assert len(asked) == 4


def test_a_value_that_is_not_held_is_a_row_all_the_same() -> None:
    missing: TableRow = {**row(), "value": None}
    assert asked_rows([missing]) != asked_rows([row()])
    assert {cell[3] for cell in asked_rows([row(value="1.50")])} == {Decimal("1.5")}


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("Acme revenue 2024?", "acme revenue, 2024", 0),
        ("Acme revenue 2024", "Acme net revenue 2024", 1),
        ("Acme operating income", "Acme net income", 1),
        ("Acme revenue 2024", "Acme revenue 2024 in US dollars", 3),
        ("Acme revenue", "revenue Acme", 1),
    ],
)
def test_words_apart_counts_words_added_dropped_or_swapped(one: str, other: str, apart: int) -> None:
    assert words_apart(one, other) == apart


def test_there_are_enough_traps_of_every_kind() -> None:
    assert len(TRAPS) == 500
    kinds = Counter(pair.kind for pair in TRAPS)
    assert len(kinds) == 16
    assert min(kinds.values()) >= 25
    assert len({pair.base for pair in TRAPS}) >= 60


def test_there_are_enough_rewordings_of_every_kind() -> None:
    assert len(HARMLESS) == 250
    kinds = Counter(pair.kind for pair in HARMLESS)
    assert len(kinds) == 14
    assert min(kinds.values()) >= 8


def test_a_trap_is_at_most_three_words_from_its_base() -> None:
    assert [pair.trap for pair in TRAPS if not 1 <= words_apart(pair.base, pair.trap) <= 3] == []


def test_every_id_and_sentence_is_there_once() -> None:
    ids = [pair.id for pair in TRAPS] + [pair.id for pair in HARMLESS]
    assert max(Counter(ids).values()) == 1
    sentences = [pair.trap.lower() for pair in TRAPS] + [pair.same for pair in HARMLESS]
    assert max(Counter(sentences).values()) == 1


def test_no_trap_stands_elsewhere_as_a_plain_question() -> None:
    plain = {text.lower() for pair in HARMLESS for text in (pair.base, pair.same)} | {
        pair.base.lower() for pair in TRAPS
    }
    assert [pair.trap for pair in TRAPS if pair.trap.lower() in plain] == []


def test_every_reason_is_a_short_sentence() -> None:
    assert [pair.why for pair in TRAPS if not pair.why.endswith(".") or len(pair.why) > 80] == []


def test_an_expectation_of_another_name_is_not_read() -> None:
    with pytest.raises(ValidationError, match="expect"):
        trap("Acme net income 2024", "same")
