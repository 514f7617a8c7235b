"""Real replies are read, grounded and verified: they stand beside the project, and quote filings that are not in it."""

import sys
from collections import Counter

import pytest

from agent.programs import calls
from agent.programs.adapter import StrictJSON
from agent.programs.decompose import DecomposeQuestion
from agent.programs.draft import DraftClaims, Reader
from agent.programs.follow_up import FollowUpSearches
from agent.programs.review_refusal import ReviewRefusal
from agent.prose.text.folding import places
from tests.support.exchanges import FILE, exchanges, held

if not FILE.is_file():
    sys.stderr.write(f"SKIPPED: real exchanges are not at {FILE}, so no real reply is tried.\n")
pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="real exchanges are not beside the project")

SIGNATURES = {
    "draft": DraftClaims,
    "review_refusal": ReviewRefusal,
    "decompose": DecomposeQuestion,
    "follow_up": FollowUpSearches,
}


@pytest.mark.parametrize("program", SIGNATURES)
def test_every_real_reply_is_read(program: str) -> None:
    adapter = StrictJSON()
    replies = [one.reply for one in exchanges(program)]
    assert replies
    for reply in replies:
        assert adapter.parse(SIGNATURES[program], reply)


@pytest.mark.django_db
def test_nearly_every_real_claim_that_quotes_its_passage_stands() -> None:
    tally: Counter[str] = Counter()
    adapter, told = StrictJSON(), calls.instructions(DraftClaims)
    for exchange in exchanges("draft", "review_refusal"):
        reply = next(iter(adapter.parse(SIGNATURES[exchange.program], exchange.reply).values()))
        if not reply.claims:
            continue
        source = held(exchange)
        reader = Reader(exchange.asked.inputs["question"], source.sources, told=told)
        reader.add(reply.claims)
        result = source.verified(reader.result([]))
        tally["claims"] += len(reply.claims)
        tally["stand"] += sum(check.ok for check in result.checks)
        tally.update(claim.verdict for claim in result.standing)
        tally["replies of which something stands"] += result.ok
        texts = {one.passage.text for one in source.sources}
        for claim in result.standing:
            # Never a word that is in no passage.
            assert any(places(claim.quote, text) for text in texts)
            assert all(any(one.text in text for text in texts) for one in claim.about if one.kind == "lead")
    assert tally["claims"] >= 150
    assert tally["stand"] >= 0.97 * tally["claims"], tally
