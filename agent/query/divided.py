"""What of a company a measure is asked of: parts by their names, or all parts of a kind."""

from collections.abc import Sequence
from itertools import pairwise

from agent.query.aside import Aside
from agent.query.definitions import Phrase
from agent.query.lexicon import Named
from agent.query.members import LISTING
from agent.query.misread import Refused
from agent.query.sentence import Clause, Part, Sentence
from agent.refusals.codes import Code
from agent.state.query import Breakdown, Change, Combined, Measure, Member, Row, Share

QUOTIENTS = (("/",), ("over",), ("to",), ("divided", "by"))


class Divided(Aside):
    """The phrases of a sentence, with the parts of the company that they are asked of."""

    def of_member(self, clause: Clause, place: int) -> None:
        """A part of the company, which the measures beside it are of.

        Before measures it is of all that are listed: "AWS revenue, operating income and margin". Behind one it is of that
        and of those listed before. What is listed behind it could be of it too, and is refused.
        """
        part, number = clause.parts[place], self.sentence.clauses.index(clause)
        said = [one for one in self.phrases if one.clause in self.sentence.sentence_at(number)]
        behind = [one for one in said if part.first < one.first < self._ended(part, number)]
        if part.value("side") == "ahead":
            for phrase in behind:
                phrase.members.append(part)
            return
        if behind:
            raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(part, behind[0].part))
        before = [one for one in said if one.first < part.first]
        for phrase in [one for one in before if self._may_be_of(one)] or before[-1:]:
            phrase.members.append(part)

    @staticmethod
    def _may_be_of(phrase: Phrase) -> bool:
        """Whether a measure before a part is of it: it has no part before it."""
        return not any(one.value("side") == "ahead" for one in phrase.members)

    def _ended(self, part: Part, number: int) -> int:
        """Where behind a part the measures that are of it end: another part, "total", or more than a list.

        Parts that follow it at once are listed with it: "Beauty and Grooming net sales".
        """
        after = [
            one
            for at in self.sentence.sentence_at(number)
            for one in self.sentence.clauses[at].parts
            if one.first > part.first
        ]
        measured = part.value("side") != "ahead"
        for one in after:
            whole = bool({"total", "consolidated"} & {*one.values("qualifier"), *self.sentence.stems(one)})
            made = one.values("operation") & {"share", "ratio", "compare"} or self.sentence.bases(one) in QUOTIENTS
            if measured and (one.has("member") or whole or made):
                return one.first
            measured = measured or one.named is not None
        return len(self.sentence.tokens)

    def is_kind(self, clause: Clause, place: int) -> bool:
        """Whether a word says of what kind the part beside it is: "Beauty segment", "the segment Grooming"."""
        beside = (*clause.parts[max(place - 1, 0) : place], *clause.parts[place + 1 : place + 2])
        return any(one.has("member") for one in beside)

    def by_axis(self, phrase: Phrase) -> None:
        """A measure divided into all parts of a kind. Only what is one figure of the filing is told so."""
        axes = [part for part in self.sentence.parts if part.has("axis")]
        rows = [row for row in phrase.named.rows if not row.mention]
        several = len({part.value("axis") for part in axes}) > 1
        if several or phrase.members or any(row.measure.kind not in {"concept", "line"} for row in rows):
            raise Refused(Code.DIMENSIONAL_ONLY, self.sentence.text(axes[-1]))
        phrase.named = Named(
            tuple(
                row.model_copy(update={"measure": Breakdown.model_validate({"of": row.measure, "axis": phrase.axis})})
                for row in rows
            ),
            printed=True,
        )

    def of_parts(self, phrase: Phrase) -> Named:
        """The readings of a measure, of each part of the company that it is asked of."""
        rows = [row for row in phrase.named.rows if not row.mention]
        if any(row.measure.kind not in {"concept", "metric", "line"} for row in rows):
            raise Refused(Code.DIMENSIONAL_ONLY, self.sentence.text(phrase.members[0]))
        members = sorted(phrase.members, key=lambda one: one.first)
        for one, other in pairwise(members):
            tokens = self.sentence.tokens
            between = {tokens[place].base for place in range(one.last, other.first)}
            gap = self.sentence.question[tokens[one.last - 1].end : tokens[other.first].start]
            alike = one.value("side") == other.value("side")
            if not (LISTING & between or (alike and "," in gap)):
                # "iPhone revenue in China" is neither of both.
                raise Refused(Code.DIMENSIONAL_ONLY, self.sentence.text(one, other))
        parts = [one.value for part in phrase.members for one in part.match.meanings if one.kind == "member"]  # type: ignore[union-attr]
        return Named(
            tuple(
                row.model_copy(update={"measure": Member(of=row.measure, label=part.label, members=part.members)})
                for part in parts
                for row in rows
            ),
            printed=True,
        )


def check_divided(rows: Sequence[Row], operations: bool, sentence: Sentence) -> None:
    """Refuse what would be computed of all parts of a kind: nothing is yet."""
    if any(is_divided(row.measure) for row in rows) and (
        operations or any(row.measure.kind != "breakdown" for row in rows)
    ):
        said = [part for part in sentence.parts if part.has("axis")] or sentence.parts
        raise Refused(Code.DIMENSIONAL_ONLY, sentence.text(said[0]))


def is_divided(measure: Measure) -> bool:
    """Whether a measure is, or is made of, all parts of a kind."""
    match measure:
        case Breakdown():
            return True
        case Change(of=of):
            return is_divided(of)
        case Share(part=part, whole=whole):
            return is_divided(part) or is_divided(whole)
        case Combined(parts=parts):
            return any(map(is_divided, parts))
    return False
