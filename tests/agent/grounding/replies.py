"""Readings of a model as tests write them, and what code makes of them."""

from collections.abc import Sequence
from typing import Any

from agent.grounding.candidates import candidates
from agent.grounding.grounding import Grounding, ground
from agent.grounding.named_slots import Known
from agent.programs.schemas import UnderstandReply
from agent.programs.understand import checked
from agent.query.explain import line
from agent.query.question import read
from agent.query.words.lexicon import lexicon_of, measure_of
from agent.query.words.refused_question import Read
from agent.registrants.registrant_index import Companies
from tests.agent.query.held import REGISTRY, TODAY, WIDER
from tests.support.model_replies import understood

OFFERED = candidates("", REGISTRY, lexicon_of(REGISTRY), most=1_000)


def by_rules(question: str, index: Companies = WIDER) -> Read:
    return read(question, index, REGISTRY, TODAY)


def grounded(
    question: str,
    kind: str,
    companies: Sequence[str] = (),
    periods: Sequence[str] = (),
    rows: Sequence[tuple[Any, ...]] = (),
    topics: Sequence[str] = (),
    index: Companies = WIDER,
    halves: Read | None = None,
    **fields: Any,
) -> Grounding:
    """What is made of a reply. rows: (span, registry keys of its ids, other fields)."""
    said = understood(
        type=kind,
        companies=list(companies),
        periods=list(periods),
        rows=[row(*one) for one in rows],
        topics=list(topics),
        **fields,
    )
    understanding = checked(question, UnderstandReply.model_validate(said), OFFERED)
    return ground(question, understanding, halves or by_rules(question, index), Known(index, REGISTRY, TODAY))


def row(span: str, keys: Sequence[str], fields: dict[str, Any] | None = None) -> dict[str, Any]:
    ids = [next(one.id for one in OFFERED if one.measure == measure_of(REGISTRY, key)) for key in keys]
    return {"span": span, "form": "value", "ids": ids, **(fields or {})}


def left(*spans: str, why: str = "background") -> list[dict[str, str]]:
    return [{"span": span, "why": why} for span in spans]


def told(found: Grounding) -> str:
    """The query in one line: "AAPL | FY2023 | revenue"; empty where there is none."""
    return line(found.halves[0]) if found.halves else ""


def offered(found: Grounding) -> list[str]:
    return [one.question for one in found.proposals]
