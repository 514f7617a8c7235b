"""Headings of the documents of one company where several answer, as of several quarters."""

from collections import Counter
from collections.abc import Iterable, Sequence

from agent.state import Block, Plan, Target


def headed(targets: Iterable[Target]) -> frozenset[int]:
    """Those of the targets whose document is named in a heading: each of several of one company, and the newest of a kind."""
    text = [one for one in targets if one.topic]
    asked = Counter((one.company.cik, one.topic) for one in text)
    return frozenset(
        one.id for one in text if asked[one.company.cik, one.topic] > 1 or (one.topic and one.topic.newest)
    )


def with_headings(blocks: Sequence[Block], plan: Plan, wanted: frozenset[int]) -> tuple[Block, ...]:
    """The blocks, in their order, with the headings of those wanted. wanted: numbers of targets."""
    targets = {one.id: one for one in plan.targets}
    several = len({targets[number].company.cik for number in wanted}) > 1
    found = []
    for block in blocks:
        if block.target in wanted and block.filings:
            company, filing = targets[block.target].company, block.filings[0]
            heading = f"{company.called} \u00b7 {filing.heading}" if several else filing.heading
            block = block.model_copy(update={"heading": heading, "missing": targets[block.target].missing})
        found.append(block)
    return tuple(found)
