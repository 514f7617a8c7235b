"""The quotations of two answers beside each other: the same words, another wording of them, or one alone."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from agent.state import Answer, Claim
from agent.web.history.compared import Row, Status, matched

# Sentences with this share of their words in common are two wordings of one; below it they are two sentences.
ALIKE = 0.6
# Claims beyond these are not looked at pair by pair.
MOST_PAIRS = 10_000


def claims(old: Answer, new: Answer) -> Iterator[Row]:
    """Sentences quoted: the same words, another wording of them, or one of the two alone."""
    before, after = shown_claims(old), shown_claims(new)
    pairs = matched(before, after, said)
    same = list(pairs)
    gone = [was for was, is_now in same if was and not is_now]
    added = [is_now for was, is_now in same if is_now and not was]
    reworded = nearest(gone, added)
    for was, is_now in same:
        if is_now is not None:
            earlier = was or reworded.get(id(is_now))
            yield row_of(earlier, is_now, "same" if was else "changed" if earlier else "added")
    kept = {id(one) for one in reworded.values()}
    yield from (row_of(one, None, "gone") for one in gone if id(one) not in kept)


def shown_claims(answer: Answer) -> list[Claim]:
    return [claim for block in answer.blocks for claim in block.claims]


def said(claim: Claim) -> str:
    return " ".join(claim.shown.split())


def nearest(gone: Sequence[Claim], added: Sequence[Claim]) -> dict[int, Claim]:
    """id of a new claim -> the old one that it is another wording of; the most alike first, each once."""
    if len(gone) * len(added) > MOST_PAIRS:
        return {}
    alike = sorted(
        (
            (-ratio, place, at, one, other)
            for at, one in enumerate(gone)
            for place, other in enumerate(added)
            if one.cik == other.cik and (ratio := likeness(said(one), said(other))) >= ALIKE
        ),
        key=lambda pair: pair[:3],
    )
    found: dict[int, Claim] = {}
    taken: set[int] = set()
    for _, _, _, one, other in alike:
        if id(one) not in taken and id(other) not in found:
            found[id(other)] = one
            taken.add(id(one))
    return found


def likeness(one: str, other: str) -> float:
    """The share of their words that two texts have in common and in order, from 0 to 1."""
    matcher = SequenceMatcher(None, one.split(), other.split(), autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= ALIKE else 0.0


def row_of(was: Claim | None, is_now: Claim | None, status: Status) -> Row:
    shown = is_now or was
    return Row(
        "Claim",
        status,
        title=f"Quotation, Item {shown.item}" if shown and shown.item else "Quotation",
        old=said(was) if was else "",
        new=said(is_now) if is_now else "",
        old_source=place(was) if was else "",
        new_source=place(is_now) if is_now else "",
    )


def place(claim: Claim) -> str:
    """0000320193-24-000123, Item 1A, page 14."""
    item = f"Item {claim.item}" if claim.item else ""
    page = f"page {claim.page}" if claim.page else ""
    return ", ".join(filter(None, (claim.accession, item, page)))
