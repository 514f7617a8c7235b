"""Claims put before the guards, and what becomes of them."""

from typing import Any

from agent.prose.verification.verify_quotations import MeaningUnknown, Verified, reverify, verify
from agent.state import Claim, Retrieval
from tests.support.quotable import Quotable


def near(text: str, quote: str) -> float:
    return 1.0


def far(text: str, quote: str) -> float:
    return 0.849


def nowhere(text: str, quote: str) -> float:
    raise MeaningUnknown("No embedding.")


def verified(filing: Quotable, *claims: Claim, found: Retrieval | None = None, compare: Any = nowhere) -> Verified:
    return verify(claims, filing.target, (filing.filing,), (found or filing.retrieval,), compare)


def one(filing: Quotable, claim: Claim, **given: Any) -> Claim:
    result = verified(filing, claim, **given)
    assert [check.detail for check in result.checks if not check.ok] == []
    return result.standing[0]


def why(filing: Quotable, claim: Claim, **given: Any) -> str:
    result = verified(filing, claim, **given)
    assert result.standing == ()
    return result.dropped[0].why


def changed(claim: Claim, **fields: Any) -> Claim:
    return claim.model_copy(update=fields)


def again(filing: Quotable, claim: Claim) -> bool:
    (check,) = reverify([claim], filings=[filing.filing])
    return check.ok
