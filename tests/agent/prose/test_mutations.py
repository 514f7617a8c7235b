"""No mutation of a claim is shown, and no claim is dropped for how it is set."""

from collections import Counter

import pytest

from agent.prose.text.folding import same_item
from agent.prose.verification.verify_quotations import verify
from agent.state import Claim
from evals.mutations.mutations import NAME, Mutation, benign, foreign, mutations
from tests.support.quotable import Quotable

pytestmark = pytest.mark.django_db

KINDS = {
    "number",
    "unit",
    "scale",
    "date",
    "period",
    "negation added",
    "negation removed",
    "negation outside",
    "negation outside, as a fragment",
    "clause cut",
    "clause cut, as a fragment",
    "modality",
    "direction",
    "quantifier",
    "comparison",
    "name",
    "facts merged",
    "quotation under other text",
}


def nearest(text: str, quote: str) -> float:
    """Every text as near to every other as can be, so that the words alone decide."""
    return 1.0


def shown(mutated: list[Mutation], asked: Quotable) -> list[Claim | None]:
    """What is shown of each mutated claim, each verified by itself."""
    filings, retrievals = (asked.filing,), (asked.retrieval,)
    results = [verify([one.claim], asked.target, filings, retrievals, compare=nearest) for one in mutated]
    return [result.standing[0] if result.standing else None for result in results]


def all_mutations(asked: Quotable, step: int) -> list[Mutation]:
    claims = list(asked.sentences())[::step]
    known = sorted({name for claim in claims for name in NAME.findall(claim.quote) if " " in name})
    return [
        mutation
        for claim, other in zip(claims, claims[1:] + claims[:1], strict=True)
        for mutation in mutations(claim, other, known)
    ]


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.soak)])
def test_every_mutation_is_caught_by_words_alone(asked: Quotable, step: int) -> None:
    """Of each third sentence, and in soak of all."""
    mutated = all_mutations(asked, step)
    assert len(mutated) >= 600 // step
    counted = Counter(one.kind for one in mutated)
    assert {kind: counted[kind] for kind in KINDS if counted[kind] < (5 if step == 1 else 1)} == {}
    passed = [
        (one.kind, one.claim.text)
        for one, claim in zip(mutated, shown(mutated, asked), strict=True)
        if claim is not None
    ]
    assert passed == []


def test_a_claim_of_another_company_or_year_is_caught(asked: Quotable, year_before: Quotable, rival: Quotable) -> None:
    mutated = [
        mutation
        for other, kind in ((rival, "company"), (year_before, "year"))
        for claim, same_words in zip(asked.sentences(), other.sentences(), strict=True)
        for mutation in foreign(claim, same_words, kind)
    ]
    assert len(mutated) >= 600
    assert [one for one, claim in zip(mutated, shown(mutated, asked), strict=True) if claim is not None] == []


def test_the_same_words_set_otherwise_are_never_dropped(asked: Quotable) -> None:
    kept = [(claim, one) for claim in asked.sentences() for one in benign(claim)]
    assert len(kept) >= 200
    results = shown([one for _, one in kept], asked)
    assert [one.kind for (_, one), result in zip(kept, results, strict=True) if result is None] == []
    for (claim, _), result in zip(kept, results, strict=True):
        assert result is not None
        assert result.verdict == "verbatim"
        assert (result.start, result.end) == (claim.start, claim.end)
        assert same_item(result.text, claim.quote)
