"""A verdict on figures: whatever is replied, each reason kept follows from the figures, or is a quotation of the answer."""

from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.numbers.tables.reasons import is_so, sentence
from agent.programs.judge_figures import ABOUT, checked, judge
from agent.programs.schemas import JudgeReply, ReasonReply, Relation
from agent.state import Cell, Claim, Table
from tests.support import answers

from .replies import prompt, saying

QUESTION = "Is Northwind's margin above 20% and steady?"


def cell(value: str, year: int, unit: str = "percent", row: int = 0) -> Cell:
    changes = {"value": Decimal(value), "unit": unit, "fiscal_year": year, "row": row, "fact": None, "restated": ()}
    return answers.cell(**{**changes, "label": f"Margin {row}", "measure": f"margin_{row}"})


TABLE = Table(cells=(cell("22.4", 2022), cell("22.5", 2023), cell("21.4", 2024), cell("7", 2024, "ratio", 1)))
CLAIM = Claim(
    target=0, text="We sell less.", quote="We sell less.", chunk=1, section=1, sha256="", start=0, end=13,
    cik=answers.CIK, accession=answers.ACCESSION, item="7",
)  # fmt: skip
IDS = st.sampled_from(["", "F1", "F2", "F3", "F4", "F5", "Q1", "Q2", "m1", "98765"])
REASONS = st.builds(
    ReasonReply,
    figure=IDS,
    relation=st.sampled_from(["", *get_args(Relation)]),
    other=IDS,
    bound=st.sampled_from(["", "0", "1", "20", "20%", "22", "98765", "many", "-1"]),
    within=st.integers(0, 25),
    quotation=st.sampled_from(["", "", "", "Q1", "Q2", "F1"]),
)


@given(st.lists(REASONS, max_size=2), st.sampled_from(["yes", "no", "mixed", "not meaningful"]))
def test_every_reason_that_is_kept_stands(reasons: list[ReasonReply], verdict: str) -> None:
    reply = JudgeReply.model_validate({"verdict": verdict, "reasons": [one.model_dump() for one in reasons]})
    found = checked(QUESTION, 0, reply, TABLE.asserted, [CLAIM], TABLE)
    for one in found.reasons if found else ():
        assert (one.quote == CLAIM.shown and one.accession == CLAIM.accession) or is_so(one, TABLE)
        assert one.quote or sentence(one, TABLE, None)
        assert one.bound in {None, Decimal(0), Decimal(1), Decimal(20)}
        assert one.within in {0, 20, *ABOUT}


def test_a_model_is_told_the_figures_and_quotations_by_id() -> None:
    reply = {"verdict": "yes", "reasons": [{"figure": "F3", "relation": "above", "bound": "20%"}]}
    with saying(reply) as (session, server):
        found = judge(session, QUESTION, 0, TABLE, [CLAIM], {answers.CIK: "Northwind"}, None)
        told = prompt(server)
    assert found is not None
    assert sentence(found.reasons[0], TABLE, None) == "Margin 0 of Northwind (21.4% in fiscal 2024) is above 20%."
    assert '"id": "F3"' in told
    assert '"value": "21.4%"' in told
    assert '"id": "Q1"' in told


@pytest.mark.parametrize("reasons", [[], [{}], [{"figure": "F1", "relation": "negative"}]])
def test_a_verdict_without_a_reason_that_stands_is_none(reasons: list[dict[str, str]]) -> None:
    reply = JudgeReply.model_validate({"verdict": "yes", "reasons": reasons})
    assert checked(QUESTION, 0, reply, TABLE.asserted, [CLAIM], TABLE) is None
