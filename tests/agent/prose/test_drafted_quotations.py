"""How the quotations that a model has chosen are shown one below the other."""

import pytest

from agent.prose.verification.verify_quotations import reverify, verify
from agent.state import Block, Claim, QuestionType
from agent.web.cards.citations import Citation
from agent.web.cards.prose_card import prose
from tests.support.quotable import Quotable, company, quotable

pytestmark = pytest.mark.django_db

LINES = [
    "We have never sold any of the following:",
    "- weapons of any kind;",
    "- lenses for 3D glasses",
    "Our plants are old. In addition, we rely on two ships to carry our lenses.",
]
SHIPS = "In addition, we rely on two ships to carry our lenses."


@pytest.fixture
def filing(db: None) -> Quotable:
    return quotable(company(), 2023, LINES)


def verified(filing: Quotable, *quotes: str, drafted: bool = True) -> list[Claim]:
    claims = [filing.claim(one) for one in quotes]
    result = verify(
        claims, filing.target, (filing.filing,), (filing.retrieval,), lambda one, other: 0.0, drafted=drafted
    )
    return list(result.standing)


def test_a_lead_in_is_left_out_and_said_so(filing: Quotable) -> None:
    (claim,) = verified(filing, SHIPS)
    assert (claim.text, claim.quote) == ("We rely on two ships to carry our lenses.", SHIPS)
    assert (claim.verdict, claim.edits) == ("edited", ("“In addition” is left out",))
    assert [check.ok for check in reverify([claim], filings=[filing.filing])] == [True]


def test_what_no_model_chose_is_shown_as_it_is_printed(filing: Quotable) -> None:
    (claim,) = verified(filing, SHIPS, drafted=False)
    assert (claim.text, claim.verdict) == (SHIPS, "verbatim")


def test_the_opening_of_a_list_is_shown_once_above_its_points(filing: Quotable) -> None:
    claims = verified(filing, "weapons of any kind;", SHIPS, "lenses for 3D glasses")
    assert shown(claims[0], claims[2]) == [
        "We have never sold any of the following: weapons of any kind;",
        "… lenses for 3D glasses",
    ]
    assert shown(*claims)[2] == "We have never sold any of the following: lenses for 3D glasses"


def shown(*claims: Claim) -> list[str]:
    block = Block(target=0, type=QuestionType.PROSE, outcome="answered", claims=claims)
    citations = [Citation(number, claim, None, ("run", "")) for number, claim in enumerate(claims, 1)]
    return [one.quotation for one in prose(block, None, citations).claims]
