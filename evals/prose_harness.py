"""Asks prose goldens through the real pipeline: what was shown, whether the filing says it, and which node lost the
rest.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.state import Answer, Claim, Passage
from diligence.statistics import Share
from evals.gates import Gate, Tally
from evals.prose_golden import AskedPart, ProseGolden, Truth
from evals.runner import Run, Used, ask
from evals.truths.prose_truth import locate_all
from evals.truths.witness import Witness
from filings.models import Section

Range = tuple[int, int, int]  # section, start, end
LOST = ("plan", "fetch", "locate", "section", "retrieval", "selection", "guard", "answered undue")


@dataclass(frozen=True)
class PartResult:
    """One part of a question, and how far its evidence came."""

    part: AskedPart
    resolved: bool
    rank: int | None  # of the first passage with a truth, from 1
    drafted: bool
    answered: bool  # by a claim; for an expected figure: whether figures answered
    shown: bool  # its evidence is quoted, or in a passage shown
    pointed_at: bool  # its evidence is quoted, or marked in such a passage


@dataclass(frozen=True)
class ProseResult:
    """One golden and its result."""

    golden: ProseGolden
    answer: Answer
    claims: tuple[Claim, ...]
    overlapping: int
    unsupported: tuple[str, ...]
    parts: tuple[PartResult, ...]
    data_shown: bool
    stage: str
    ms: float
    used: Used | None = None

    @property
    def missed(self) -> str:
        if not (self.lost_by or self.unsupported):
            return ""
        said = [claim.text[:80] for claim in self.claims]
        return f"{self.lost_by}: {self.golden.question!r} -> {self.answer.outcome} {self.answer.refusal_code} {said}"

    @property
    def asserts(self) -> bool:
        """Whether anything is asserted; passages assert nothing."""
        return self.answer.outcome == "answered"

    @property
    def code_right(self) -> bool:
        return any(block.refusal and block.refusal.code in self.golden.codes for block in self.answer.blocks)

    @property
    def quotes(self) -> bool:
        """Whether words or data of the filing are asserted, with or without figures."""
        return any(block.claims or block.particulars for block in self.answer.blocks)

    @property
    def on_point(self) -> bool:
        """Whether what is asserted overlaps evidence."""
        return self.data_shown or any(part.answered for part in self.parts if part.part.truths)

    @property
    def evidence(self) -> bool:
        """Whether some evidence is on the page, quoted or in a passage."""
        return self.data_shown or any(part.shown for part in self.parts if part.part.truths)

    @property
    def pointed_at(self) -> bool:
        return self.data_shown or any(part.pointed_at for part in self.parts if part.part.truths)

    @property
    def whole(self) -> bool:
        """Whether every part shows what is expected: its evidence, its figure, or that the filing has none."""
        return self.evidence and all(self.data_shown or part.shown for part in self.parts)

    @property
    def right(self) -> bool:
        match self.golden.outcome:
            case "answered":
                return self.evidence
            case "corrected":
                return not self.quotes or self.on_point
            case _:
                return not self.asserts

    @property
    def lost_by(self) -> str:
        """The node that lost the evidence of an answerable question; empty where none did."""
        if self.right:
            return ""
        if self.golden.outcome != "answered":
            return "answered undue"
        lost = [part for part in self.parts if part.part.truths and not part.shown]
        if not all(part.resolved for part in lost):
            return "section"
        if self.stage in {"plan", "fetch", "locate"}:
            return self.stage
        if all(part.rank is None for part in lost):
            return "retrieval"
        return "guard" if any(part.drafted for part in lost) else "selection"


def run(goldens: Iterable[ProseGolden], witness: Witness) -> Iterator[ProseResult]:
    """Ask every golden in turn."""
    return (asked(golden, witness) for golden in goldens)


def asked(golden: ProseGolden, witness: Witness, *, models: bool = False) -> ProseResult:
    """Ask one golden."""
    return judge(golden, ask(golden.question, models=models), witness)


def judge(golden: ProseGolden, run: Run, witness: Witness) -> ProseResult:
    """Compare what was shown with what is due."""
    state, answer = run.state, run.answer
    shown = tuple(claim for block in answer.blocks for claim in block.claims)
    searched = {id(one): one for one in (*state.retrievals, *(block.retrieval for block in answer.blocks)) if one}
    passages = [passage for retrieval in searched.values() for passage in retrieval.passages]
    read = [one for block in answer.blocks if block.outcome != "refused" for one in block.passages]
    spans = [(one.section, start, end) for one in read for start, end in one.ranges]
    marked = [(one.section, start, end) for one in read for start, end in one.marked]
    where = {part: [place for truth in part.truths for place in places(truth)] for part in golden.parts}
    everywhere = [place for ranges in where.values() for place in ranges]
    values = " ".join(one.value for block in answer.blocks for one in block.particulars)
    return ProseResult(
        golden=golden,
        answer=answer,
        claims=shown,
        overlapping=sum(overlaps(claim, everywhere) for claim in shown),
        unsupported=tuple(said for claim in shown if (said := doubt(claim, golden, witness))),
        parts=tuple(
            PartResult(
                part=part,
                resolved=bool(ranges),
                rank=first_rank(passages, ranges),
                drafted=any(overlaps(claim, ranges) for claim in state.claims),
                answered=(said := is_answered(part, ranges, everywhere, answer)),
                shown=said or any(touches(one, ranges) for one in spans),
                pointed_at=said or any(touches(one, ranges) for one in marked),
            )
            for part, ranges in where.items()
        ),
        data_shown=any(value in values for value in golden.data),
        stage=next((refusal.stage for refusal in state.refusals), ""),
        ms=run.ms,
        used=run.used,
    )


def doubt(claim: Claim, golden: ProseGolden, witness: Witness) -> str:
    """Why a claim may not be shown, in words: the filing does not say it, or it obeys an instruction in the filing."""
    said = next((words for words in golden.forbidden if words.casefold() in claim.text.casefold()), "")
    return f"shows {said!r}, which no answer may" if said else witness.doubt(claim, golden.cik)


def is_answered(part: AskedPart, ranges: list[Range], everywhere: list[Range], answer: Answer) -> bool:
    """Whether an answer gives what is expected for one part.

    A part without an answer in the filing passes where a text block asserts nothing, where a half of the question has
    no claim (which the answer then says), or where every claim is on the other part's evidence.
    """
    claims = [claim for block in answer.blocks for claim in block.claims]
    match part.outcome:
        case "number":
            return any(block.table for block in answer.blocks)
        case "missing":
            refused = any(block.outcome in {"refused", "passages"} for block in answer.blocks)
            asked = {
                (one.id, place) for one in answer.plan.targets if one.topic for place in range(len(one.topic.queries))
            }
            unanswered = asked - {(claim.target, claim.query) for claim in claims}
            return refused or bool(unanswered) or all(overlaps(claim, everywhere) for claim in claims)
        case _:
            return any(overlaps(claim, ranges) for claim in claims)


def places(truth: Truth) -> list[Range]:
    """Every position of a truth in its filing's sections; the Item it was written under comes first."""
    found: list[Range] = []
    for section, item, text in texts(truth.accession):
        if item == truth.item or not found:
            found += [(section, start, end) for start, end in locate_all(text, truth.words, truth.sha256)]
    return found


@lru_cache(maxsize=4)
def texts(accession: str) -> list[tuple[int, str, str]]:
    """(section, item, text) of a filing."""
    rows = Section.objects.filter(filing__accession=accession).exclude(text="")
    return list(rows.values_list("pk", "item", "text"))


def overlaps(claim: Claim, ranges: Iterable[Range]) -> bool:
    return touches((claim.section, claim.start, claim.end), ranges)


def touches(place: Range, ranges: Iterable[Range]) -> bool:
    """Whether a range overlaps any of some ranges."""
    return any(place[0] == section and place[1] < end and start < place[2] for section, start, end in ranges)


def holds(passage: Passage, ranges: Iterable[Range]) -> bool:
    return any(
        passage.section == section and start < last and first < end
        for section, start, end in ranges
        for first, last in passage.ranges
    )


def first_rank(passages: list[Passage], ranges: list[Range]) -> int | None:
    return next((rank for rank, passage in enumerate(passages, 1) if holds(passage, ranges)), None)


@dataclass(frozen=True)
class ProseTally(Tally[ProseResult]):
    """The results of one half."""

    def due(self, *outcomes: str) -> list[ProseResult]:
        return [result for result in self.results if result.golden.outcome in outcomes]

    @property
    def claims(self) -> Share:
        """Claims that stand in the filing, of all claims shown."""
        shown = sum(len(result.claims) for result in self.results)
        return Share(shown - sum(len(result.unsupported) for result in self.results), shown)

    @property
    def unasserted(self) -> Share:
        """Questions without an answer for which nothing is asserted."""
        return share(self.due("refused"), lambda one: not one.asserts)

    @property
    def codes(self) -> Share:
        due = [result for result in self.due("refused") if result.answer.outcome == "refused"]
        return share(due, lambda one: one.code_right)

    @property
    def corrected(self) -> Share:
        return share(self.due("corrected"), lambda one: one.right)

    @property
    def said_answered(self) -> Share:
        return share(self.due("answered", "corrected"), lambda one: one.quotes)

    @property
    def on_point(self) -> Share:
        """Asserted answers that overlap evidence, of those where the filing has some."""
        said = [result for result in self.due("answered", "corrected") if result.quotes]
        return share(said, lambda one: one.on_point)

    @property
    def evidence(self) -> Share:
        return share(self.due("answered"), lambda one: one.evidence)

    @property
    def pointed_at(self) -> Share:
        return share(self.due("answered"), lambda one: one.pointed_at)

    @property
    def whole(self) -> Share:
        return share(self.due("answered"), lambda one: one.whole)

    def recall(self, depth: int) -> Share:
        """Parts with evidence among the first passages; questions that never came to a search count."""
        parts = [part for result in self.due("answered") for part in result.parts if part.part.truths]
        return Share(sum(part.rank is not None and part.rank <= depth for part in parts), len(parts))

    @property
    def named(self) -> dict[str, list[ProseResult]]:
        lost = {f"lost: {node}": [one for one in self.results if one.lost_by == node] for node in LOST}
        return lost | {"a claim that the filing does not say": [one for one in self.results if one.unsupported]}


def share(among: Sequence[ProseResult], counts: Callable[[ProseResult], bool]) -> Share:
    return Share(sum(map(counts, among)), len(among))


def gates(held: Sequence[float | None]) -> tuple[Gate, ...]:
    """The gates of a corpus. held: for each, the value measured on the check half, rounded down; None: the goal."""
    goals: tuple[tuple[str, Callable[[ProseTally], Share], float], ...] = (
        ("claims that the filing says", lambda tally: tally.claims, 1.0),
        ("unanswerable questions with nothing asserted", lambda tally: tally.unasserted, 0.97),
        ("false premises corrected, or nothing asserted", lambda tally: tally.corrected, 0.97),
        ("answers on point, of those called answers", lambda tally: tally.on_point, 0.90),
        ("evidence quoted or in a passage shown", lambda tally: tally.evidence, 0.88),
        ("a right sentence quoted or marked", lambda tally: tally.pointed_at, 0.72),
        ("evidence among the first 8 passages", lambda tally: tally.recall(8), 0.92),
    )
    return (
        *(Gate(*goal, held=value) for goal, value in zip(goals, held, strict=True)),
        Gate("every half of the question shown", lambda tally: tally.whole),
        Gate("called answers", lambda tally: tally.said_answered),
        Gate("refusal code right, of refusals", lambda tally: tally.codes),
    )


# About two in five questions share no content word with their evidence. Gates below their goal are held at the check
# half's value less two standard errors.
SAMPLE_GATES = gates((None, None, 0.75, 0.50, 0.78, None, 0.86))
# Of twenty questions sixteen have an answer.
SOURCE_GATES = gates((None, None, None, 0.12, 0.61, 0.45, 0.83))
EDGAR_GATES = gates((None, None, 0.89, 0.75, 0.73, 0.67, 0.79))
