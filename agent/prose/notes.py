"""What the reader of a block of quotations must know beside them."""

from collections.abc import Sequence

from agent.prose.wording import listed, year_said
from agent.state import Claim, FilingRef, Remark, Retrieval, Target


def notes(
    target: Target,
    filings: Sequence[FilingRef],
    claims: Sequence[Claim],
    retrievals: Sequence[Retrieval],
    remarks: Sequence[Remark] = (),
) -> tuple[str, ...]:
    """Sentences, the most important first: which half has no answer, which year is quoted, what was not searched."""
    found: list[str] = [remark.text for remark in remarks]
    if target.topic and claims:
        answered = {claim.query for claim in claims}
        labels = [query.label for query in target.topic.queries]
        parts = dict(enumerate(labels))
        if target.topic.axes and min(answered) >= len(labels):
            # Of an ambiguous question, drafted for each of its readings: which stand behind its sub-queries.
            parts = dict(enumerate(target.topic.axes, start=len(labels)))
        missing = [label for place, label in parts.items() if place not in answered]
        if missing:
            said = listed([f"\u201c{label}\u201d" for label in missing])
            found.append(f"No sentence was found that answers {said}.")
    if filings and (year := year_said(target, filings[0])):
        found.append(year)
    found += [note for retrieval in retrievals for note in retrieval.notes]
    return tuple(dict.fromkeys(found))
