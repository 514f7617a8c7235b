"""A second look at a refusal: only over passages, never over a refusal of scope, and verified like any draft."""

from typing import Any

import pytest

from agent.programs.calls import ModelFailed
from agent.programs.draft import Drafted, Source
from agent.programs.review_refusal import Review, hedges, review_refusal
from agent.prose.text.quotations import citing
from agent.state.findings import Passage

from .replies import saying

QUESTION = "Does Halvorsen depend on a single supplier?"
YES = "We depend on a single supplier for our sensors."
NO = "We do not depend on any one supplier."
PASSAGE = Passage(
    chunk=11,
    filing=1,
    cik=1,
    accession="1",
    section=1,
    sha256="",
    item="1A",
    kind="prose",
    ranges=((0, 200),),
    text=f"{YES} {NO} A second source is being qualified.",
)
SOURCES = [Source(target=4, passage=PASSAGE)]


def said(text: str, quote: str = "", passage: str = "P1") -> dict[str, Any]:
    return {"text": text, "quote": quote or text, "passage": passage}


def read(question: str = QUESTION, **fields: Any) -> Review:
    told = {"refusal_stands": False, "direction": "yes", "claims": [said(YES)], "caveats": []} | fields
    with saying(told) as (session, _):
        return review_refusal(session, question, SOURCES)


def test_it_brings_evidence_direction_and_caveat_of_the_passages_given() -> None:
    found = read(caveats=[said("A second source is being qualified.")])
    assert [(one.text, one.chunk, one.target) for one in found.claims] == [
        (YES, 11, 4),
        ("A second source is being qualified.", 11, 4),
    ]
    assert (found.direction, found.caveats, found.stands, found.drafted) == ("yes", (1,), False, 2)


def test_a_refusal_that_stands_brings_nothing() -> None:
    assert read(refusal_stands=True) == Review()
    assert read(claims=[]).stands


@pytest.mark.parametrize(
    ("question", "direction", "evidence", "expected"),
    [
        (QUESTION, "yes", YES, "yes"),
        (QUESTION, "no", NO, "no"),
        (QUESTION, "no", YES, ""),
        (QUESTION, "yes", NO, ""),
        (QUESTION, "mixed", YES, "mixed"),
        (QUESTION, "not a yes/no question", YES, ""),
        ("Does Halvorsen not depend on one supplier?", "yes", YES, ""),
    ],
)
def test_a_direction_that_its_evidence_does_not_bear_is_not_given(
    question: str, direction: str, evidence: str, expected: str
) -> None:
    assert read(question, direction=direction, claims=[said(evidence)]).direction == expected


def test_a_direction_falls_with_its_evidence() -> None:
    found = read(claims=[said(YES, passage="P9"), said("A second source is being qualified.")])
    assert [one.text for one in found.claims] == ["A second source is being qualified."]
    assert (found.direction, found.drafted) == ("", 2)


def test_without_a_passage_given_nothing_is_left() -> None:
    found = read(claims=[said(YES, passage="P9")], caveats=[said(NO)])
    assert (found.claims, found.stands, found.direction) == ((), True, "")


@pytest.mark.parametrize(
    "fields",
    [
        {"direction": "probably"},
        {"verified": True},
        {"claims": [said("x" * 50_000)]},
        {"claims": [said(YES)] * 13},
        {"refusal_stands": "no"},
        {"claims": [said(YES) | {"verdict": "verbatim"}]},
    ],
    ids=["direction", "a field", "50 kB", "too many", "no boolean", "a field of a claim"],
)
def test_a_reply_of_another_form_is_no_reply(fields: dict[str, Any]) -> None:
    with pytest.raises(ModelFailed):
        read(**fields)


def test_it_is_never_asked_without_passages() -> None:
    with saying({}) as (session, server):
        with pytest.raises(ValueError, match="passages"):
            review_refusal(session, QUESTION, [])
        assert not server.asked


# --- when it runs ---


def draft(*claims: dict[str, Any]) -> Drafted:
    passage = SOURCES[0].passage
    made = [citing(passage, 1, one["quote"], passage.ranges[0], one["text"]) for one in claims]
    return Drafted(claims=tuple(made), drafted=len(made))


@pytest.mark.parametrize(
    "text",
    [
        "The passages do not disclose any supplier.",
        "The filing does not specify a supplier.",
        "No information was found on suppliers.",
        "There is insufficient information to answer.",
        "We cannot determine it from the context provided.",
    ],
)
def test_a_draft_that_says_nothing_is_looked_at_again(text: str) -> None:
    assert hedges(draft(said(text, YES)))
    assert hedges(draft())
    assert not hedges(draft(said(text, YES), said(YES)))


def test_the_filings_own_denial_is_no_hedge() -> None:
    assert not hedges(draft(said("We do not provide any information on our suppliers.")))
