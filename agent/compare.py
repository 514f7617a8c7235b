"""Two answers beside each other: which figures, claims and refusals are the same, changed, added or gone."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Literal, TypeVar

from pydantic import ValidationError

from agent.models import Run
from agent.state import Answer, Block, Claim, Draft, Particular, Refusal
from agent.wording import lower_first

Status = Literal["same", "changed", "added", "gone"]
# Sentences with this share of their words in common are two wordings of one; below it they are two sentences.
ALIKE = 0.6
# Claims beyond these are not looked at pair by pair.
MOST_PAIRS = 10_000

Row_ = TypeVar("Row_")


@dataclass(frozen=True)
class Piece:
    """A stretch of words: in both texts, or in one."""

    text: str
    status: Literal["same", "added", "gone"]


@dataclass(frozen=True)
class Row:
    """One thing that an answer says, in the old answer and in the new one."""

    kind: Literal["Figure", "Claim", "Data", "Not answered"]
    status: Status
    title: str
    old: str = ""
    new: str = ""
    old_source: str = ""
    new_source: str = ""

    @property
    def moved(self) -> bool:
        """Whether the same is said from another place."""
        return self.status == "same" and self.old_source != self.new_source

    @property
    def was(self) -> tuple[Piece, ...]:
        """The old text, with what is no longer there marked."""
        return tuple(piece for piece in self.pieces if piece.status != "added")

    @property
    def now(self) -> tuple[Piece, ...]:
        """The new text, with what was not there marked."""
        return tuple(piece for piece in self.pieces if piece.status != "gone")

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        return differences(self.old, self.new)


@dataclass(frozen=True)
class Comparison:
    """All that two answers say, in the order of the new one, then what is gone."""

    rows: tuple[Row, ...]

    def count(self, status: Status) -> int:
        return sum(row.status == status for row in self.rows)

    @property
    def same(self) -> bool:
        """Whether the new answer says what the old one said, and nothing else."""
        return all(row.status == "same" for row in self.rows)

    @property
    def told(self) -> str:
        """1 changed, 2 added; empty where all is the same."""
        named: tuple[Status, ...] = ("changed", "added", "gone")
        return ", ".join(f"{count} {status}" for status in named if (count := self.count(status)))


def compare(old: Answer, new: Answer) -> Comparison:
    """The rows of two answers, matched by what they are about."""
    return Comparison(
        (
            *figures(old, new),
            *claims(old, new),
            *data(old, new),
            *refusals(old, new),
        )
    )


@dataclass(frozen=True)
class Again:
    """A run beside the one whose question it asks again."""

    old: Run
    comparison: Comparison | None  # None where one of the two has no answer


def of_run(run: Run) -> Again | None:
    """The run that this one asks again, and what differs; None for one that asks nothing again."""
    if run.again_of_id is None:
        return None
    old = Run.objects.get(pk=run.again_of_id)
    before, after = read(old), read(run)
    return Again(old, compare(before, after) if before and after else None)


def read(run: Run) -> Answer | None:
    """The answer of a run; None where there is none, or none that is read any more."""
    try:
        return Answer.model_validate(run.answer) if run.answer else None
    except ValidationError:
        return None


def matched(
    old: Sequence[Row_], new: Sequence[Row_], key: Callable[[Row_], Hashable]
) -> Iterator[tuple[Row_ | None, Row_ | None]]:
    """Pairs of equal key in the order of the new, then what of the old has none."""
    left: dict[Hashable, list[Row_]] = {}
    for one in old:
        left.setdefault(key(one), []).append(one)
    for one in new:
        waiting = left.get(key(one))
        yield (waiting.pop(0) if waiting else None), one
    for waiting in left.values():
        yield from ((one, None) for one in waiting)


# --- figures ---


def figures(old: Answer, new: Answer) -> Iterator[Row]:
    """Figures that are asserted, by company, measure and reading: of another year they are changed, not new."""
    for was, is_now in matched(drafts(old), drafts(new), lambda one: (one[0], one[1].found.concept, one[2])):
        if (shown := is_now or was) is None:
            continue
        status: Status = "added" if was is None else "gone" if is_now is None else "changed"
        if was and is_now and figure_key(was[1]) == figure_key(is_now[1]):
            status = "same"
        yield Row(
            "Figure",
            status,
            title=f"{shown[3]}, {lower_first(shown[1].found.label)}",
            old=figure(was[1]) if was else "",
            new=figure(is_now[1]) if is_now else "",
            old_source=source(was[1]) if was else "",
            new_source=source(is_now[1]) if is_now else "",
        )


def drafts(answer: Answer) -> list[tuple[int, Draft, int, str]]:
    """(CIK, draft, its number among those of its measure, company) for each figure asserted."""
    companies = {target.id: target.company for target in answer.plan.targets}
    found = []
    for block in answer.blocks:
        company = companies.get(block.target)
        seen: dict[str, int] = {}
        for draft in block.drafts:
            number = seen.get(draft.found.concept, 0)
            seen[draft.found.concept] = number + 1
            found.append((company.cik if company else 0, draft, number, company.name if company else ""))
    return found


def figure_key(draft: Draft) -> Hashable:
    return draft.found.value, draft.found.unit, draft.found.fiscal_year, draft.found.period_end


def figure(draft: Draft) -> str:
    """Fiscal 2024: $31,370 million (31,370,000,000 US dollars)."""
    found = draft.found
    reading = f", {lower_first(found.reading)}" if found.reading else ""
    headline = " ".join(filter(None, (draft.headline, draft.unit_word)))
    exact = "" if draft.exact == headline else f" ({draft.exact})"
    return f"Fiscal {found.fiscal_year}{reading}: {headline}{exact}"


def source(draft: Draft) -> str:
    return "; ".join(dict.fromkeys(f"{fact.form} {fact.accession}, {fact.tag}" for fact in draft.found.facts))


# --- claims ---


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


# --- data and refusals ---


def data(old: Answer, new: Answer) -> Iterator[Row]:
    """Data of filings, by what it is."""

    def shown(one: Particular | None) -> tuple[str, str]:
        return (f"Fiscal {one.fiscal_year}: {one.value}", f"{one.accession}, {one.source}") if one else ("", "")

    for was, is_now in matched(particulars(old), particulars(new), lambda one: (one.target, one.key)):
        if (named := is_now or was) is None:
            continue
        (before, old_source), (after, new_source) = shown(was), shown(is_now)
        status: Status = "added" if was is None else "gone" if is_now is None else "changed"
        status = "same" if before == after else status
        yield Row("Data", status, named.label, before, after, old_source, new_source)


def particulars(answer: Answer) -> list[Particular]:
    return [one for block in answer.blocks for one in block.particulars]


def refusals(old: Answer, new: Answer) -> Iterator[Row]:
    """Parts that are not answered, by code."""

    def shown(one: Refusal | None) -> str:
        return one.text if one else ""

    for was, is_now in matched(refused(old), refused(new), lambda one: one.target):
        if (named := is_now or was) is None:
            continue
        status: Status = "added" if was is None else "gone" if is_now is None else "changed"
        if was and is_now and (was.code, was.text) == (is_now.code, is_now.text):
            status = "same"
        yield Row("Not answered", status, str(named.code), shown(was), shown(is_now))


def refused(answer: Answer) -> list[Refusal]:
    return [block.refusal for block in answer.blocks if is_refused(block) and block.refusal]


def is_refused(block: Block) -> bool:
    return block.outcome == "refused"


def differences(old: str, new: str) -> tuple[Piece, ...]:
    """Two texts as stretches of words: in both, in the old one only, in the new one only."""
    before, after = old.split(), new.split()
    pieces: list[Piece] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            pieces.append(Piece(" ".join(before[a:b]), "same"))
            continue
        pieces += [Piece(" ".join(before[a:b]), "gone")] if b > a else []
        pieces += [Piece(" ".join(after[c:d]), "added")] if d > c else []
    return tuple(pieces)
