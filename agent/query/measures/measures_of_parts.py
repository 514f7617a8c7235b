"""What of a company a measure is asked of: parts by their names, or all parts of a kind."""

from collections.abc import Sequence
from itertools import pairwise

from agent.query.dates.years import number_of
from agent.query.measures.definitions import Phrase
from agent.query.measures.ignored_words import IgnoredWords
from agent.query.measures.named_parts import LISTING, is_taken_up, on_one_axis
from agent.query.wording.text import amount_of, says_result
from agent.query.words.lexicon import CompanyPart, Lexicon, Named, key_of, measure_of
from agent.query.words.part_names import SEGMENTS, axis, near_parts
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Clause, Part, Sentence
from agent.query.words.word_classes import EXTREMES, GROWING, connecting
from agent.refusals.codes import Code
from agent.state.measure_operands import is_divided, leaves
from agent.state.query import Breakdown, Change, Concept, Measure, Member, Row
from agent.words.tokens import stems

# What a company makes or loses is told of its parts as another measure.
_OF_PARTS = {"net_income": "operating_income"}
# Kinds of parts of which one is the largest; a country is one region among others.
RANKED = frozenset({"segment", "product", "region"})
QUOTIENTS = (("/",), ("over",), ("to",), ("divided", "by"))


class MeasuresOfParts(IgnoredWords):
    """The phrases of a sentence, with the parts of the company that they are asked of."""

    def by_verb(self) -> None:
        """Verbs that are the measure, where none is named: "how much did it lose", "what did it make from advertising".

        Of a part what comes in is revenue, and what is lost its operating income. What a part itself makes, and what is
        earned with a segment, could be either.
        """
        members = self.sentence.having("member")
        # Of a part of a year only figures are told.
        part_of_year = self.sentence.interim
        amount = amount_of(self.sentence)
        asked = amount or self.sentence.words & connecting("past")
        for number, clause in enumerate(self.sentence.clauses):
            for part in clause.parts:
                key = part.value("named_verb") or ("revenue" if members and part.value("verb") == "earn" else "")
                sold = part.says("selling")
                if not key or self.phrases or (sold and not (asked if members or part_of_year else amount)):
                    continue
                if any(
                    one.unknown and self.sentence.tokens[one.first - 1].base in {"much", "many"}
                    for one in clause.parts
                ):
                    continue  # "how much dough did it rake in" names its measure, though nobody knows it
                compared = any(one.values("operation") & EXTREMES for one in clause.parts)
                if part.has("frame") and (compared or not says_result(self.sentence, part)):
                    continue  # "how profitable", "the more profitable" may be by its margin
                if members:
                    key = self._of_part(part, key, members)
                named = Named((Row(measure=measure_of(self.measures.registry, key)),))
                self.phrases.append(Phrase(part, named, number, last=part.last))

    def _of_part(self, verb: Part, key: str, members: Sequence[Part]) -> str:
        """Which measure of a part a verb asks for. Raises Refused."""
        if key == "revenue" and verb.has("named_verb"):
            return key
        if verb.value("verb") != "earn":
            return _OF_PARTS.get(key) or key
        taken_up = is_taken_up([token.base for token in self.sentence.tokens[verb.last : verb.last + 2]])
        segments = key in _OF_PARTS and all(axis(one) in SEGMENTS for one in _members(members))
        if segments or not (taken_up or all(one.value("side") == "behind" for one in members)):
            raise Refused(Code.AMBIGUOUS_CONCEPT, self.sentence.text(verb), measures=("revenue", "operating_income"))
        return "revenue"

    def of_member(self, clause: Clause, place: int) -> None:
        """A part of the company, which the measures beside it are of.

        Before measures it is of all that are listed: "AWS revenue, operating income and margin". Behind one it is of that
        and of those listed before. What is listed behind it could be of it too, and is refused.
        """
        part, number = clause.parts[place], self.sentence.clauses.index(clause)
        said = [one for one in self.phrases if one.clause in self._scope(number)]
        behind = [one for one in said if part.first < one.first < self._ended(part, number)]
        if part.value("side") == "ahead":
            for phrase in behind:
                phrase.members.append(part)
            return
        if behind:
            raise Refused(Code.NOT_UNDERSTOOD, self.sentence.text(part, behind[0].part))
        before = [one for one in said if one.first < part.first]
        # Those that have no part before them.
        free = [one for one in before if not any(member.value("side") == "ahead" for member in one.members)]
        for phrase in free or before[-1:]:
            phrase.members.append(part)

    def _scope(self, number: int) -> range:
        """The clauses whose measures a part in one of them may be of: its sentence, or the next where it has no measure."""
        own = self.sentence.sentence_at(number)
        bare = own.stop < len(self.sentence.clauses) and not any(one.clause in own for one in self.phrases)
        return range(own.start, self.sentence.sentence_at(own.stop).stop) if bare else own

    def _ended(self, part: Part, number: int) -> int:
        """Where behind a part the measures that are of it end: another part, "total", or more than a list.

        Parts that follow it at once are listed with it: "Beauty and Grooming net sales".
        """
        measured = part.value("side") != "ahead"
        scope = (one for at in self._scope(number) for one in self.sentence.clauses[at].parts)
        for one in (one for one in scope if one.first > part.first):
            whole = bool({"total", "consolidated"} & {*one.values("qualifier"), *one.stems})
            made = one.values("operation") & {"share", "ratio", "compare"} or one.bases in QUOTIENTS
            if measured and (one.has("member") or whole or made):
                return one.first
            measured = measured or one.named is not None
        return len(self.sentence.tokens)

    def is_kind(self, clause: Clause, place: int) -> bool:
        """Whether a word says of what kind the part beside it is: "Beauty segment", "the segment Grooming".

        "International iPhone" is another part.
        """
        if clause.parts[place].value("part") not in RANKED:
            return False
        beside = (*clause.parts[max(place - 1, 0) : place], *clause.parts[place + 1 : place + 2])
        return any(one.has("member") for one in beside)

    def is_dividing(self, part: Part) -> bool:
        """Whether a word only says that a measure is divided, beside the one kind of parts that it is divided into, or
        beside parts that may stand side by side."""
        if part.named or not part.says("dividing"):
            return False
        if self.sentence.having("guard"):
            return False
        kinds, named = self.sentence.having("axis", "part"), self.sentence.company_parts
        if kinds:
            return len(kinds) == 1 and not named
        return len(named) > 1 and on_one_axis(one.members for one in named)

    def is_share(self, part: Part, own: Sequence[Phrase]) -> bool:
        """Whether a word behind a measure of parts asks for their share of the whole: "AWS revenue share 2024"."""
        asks = part.bases == ("share",) and not part.named
        return asks and any(one.members and one.last == part.first for one in own)

    def is_every(self, own: Sequence[Phrase], part: Part) -> bool:
        """Whether measures are asked of every part of a kind: "segment operating margin", "product mix of revenue"."""
        before = self.sentence.word_before(part)
        divided = any(map(self.is_dividing, self.sentence.parts)) or before in connecting("each of a kind")
        if part.value("part") in RANKED and divided:
            return not any(one.members or one.axis for one in own)
        alone = len(own) == 1 and not own[0].members and not own[0].axis and own[0].first == part.last
        others = self.sentence.having("member", "axis") or self.sentence.meaning("operation", *EXTREMES)
        return alone and not others and part.value("part") == "segment"

    def is_bounded(self, own: Sequence[Phrase], part: Part) -> bool:
        """Whether those parts of a kind are asked whose figure is above or below a bound: "which segments make up over 10 %
        of sales". The words that only say so are used.
        """
        bounds = [one for one in self.sentence.having("comparator") if self.sentence.number_behind(one)]
        alone = len(own) == len(bounds) == 1 and self.sentence.having("part") == [part]
        if not alone or part.value("part") not in RANKED or self.sentence.having("axis", "member", "guard"):
            return False
        self.use(*(one for one in self.sentence.parts if set(one.bases) <= connecting("making up") and not one.named))
        return True

    def ranked(self, clause: Clause, place: int) -> tuple[str, int] | None:
        """Which of its kind words ask for alone, and how many: highest and 1 for the largest segment; None for none.

        Beside a measure that is not what parts are by default as large as, its words say that they are put in order by it:
        "by operating income", "the highest operating income".
        """
        part = clause.parts[place]
        marks, kinds = self._marks(), self.sentence.having("part")
        if len(marks) != 1 or kinds != [part] or part.value("part") not in RANKED or self.phrases[1:]:
            return None
        if part.has("axis") or self.sentence.having("member", "guard"):
            return None
        for phrase in self.phrases:
            before = self.sentence.word_before(phrase)
            if phrase.named.keys != ("revenue",) and before != "by" and marks[0].last != phrase.first:
                return None
        return self._extreme(marks[0])

    def _marks(self) -> list[Part]:
        """The words that ask for an extreme."""
        return [one for one in self.sentence.meaning("operation", *EXTREMES) if not one.named]

    def _extreme(self, mark: Part) -> tuple[str, int]:
        """What a word asks for, the highest or the lowest, and how many of them; it and its number are used."""
        counted = self.sentence.number_behind(mark)
        self.use(mark, *([counted] if counted else []))
        (extreme,) = EXTREMES & mark.values("operation")
        return extreme, int(number_of(counted.word)) if counted else 1

    def sum_of_all(self) -> None:
        """ "By product: do they add up to the total?" is told by the table, in which the total stands below its parts."""
        parts = self.sentence.parts
        divided = self.sentence.having("axis") or any(phrase.taken and phrase.divided for phrase in self.phrases)
        sums = [part for part in self.sentence.meaning("operation", "sum") if not part.named]
        if divided and len(sums) == 1 and (not self.several or "add" in sums[0].bases):
            whole = [part for part in parts if part.first > sums[0].first and part.value("qualifier") == "total"]
            self.use(*sums, *whole)

    def extreme_of_all(self) -> None:
        """Which of the parts is asked for behind a measure by all of them: "revenue by segment - which is biggest?"."""
        parts = self.sentence.parts
        axes, marks = self.sentence.having("axis"), self._marks()
        if len(self.phrases) != 1 or len(marks) != 1 or len(axes) > 1:
            return
        (phrase,), (mark,) = self.phrases, marks
        taken = phrase.divided if phrase.taken else []
        begins = axes[0].last if axes else 0 if taken else mark.last
        said = [part for part in parts if part.first >= begins and part is not mark]
        asks = taken or any(part.value("operation") == "which_one" or part.says("asking which") for part in said)
        kinds = {one.value("axis") for one in axes} or {one.axis for one in taken}
        again = [part for part in said if part.value("part") in kinds]
        counted = [part for part in said if part.number and part.first == mark.last]
        others = [part for part in said if part not in (*again, *counted) and not self._only_asks(part)]
        if not asks or others or mark.first < begins:
            return
        phrase.extreme, phrase.top = self._extreme(mark)
        self.use(*again)
        if taken:
            given = {"extreme": phrase.extreme, "top": phrase.top}
            phrase.named = Named(tuple(row.of(row.measure.model_copy(update=given)) for row in phrase.named.rows))

    @staticmethod
    def _only_asks(part: Part) -> bool:
        """Whether a part is a company, a period or a word of asking; "the most profitable" is another order."""
        if part.mention or part.stretch or part.value("operation") == "which_one":
            return True
        return part.value("frame") not in (None, "amount")

    def first_of_kind(self) -> None:
        """The largest segment where no measure is named: that with the most revenue."""
        if self.phrases or self._says_more():
            return
        for number, clause in enumerate(self.sentence.clauses):
            for place, part in enumerate(clause.parts):
                if ranked := self.ranked(clause, place):
                    phrase = Phrase(part, Named((Row(measure=Concept(key="revenue")),)), number, last=part.last)
                    phrase.axis = part.value("part") or ""
                    phrase.extreme, phrase.top = ranked
                    self.phrases.append(phrase)
                    return

    def _says_more(self) -> bool:
        """Whether a question has words beside a company, a year and those that ask."""
        return any(
            part.value("frame") == "amount"
            or (
                not (part.mention or part.stretch or part.number or part.has("part", "frame"))
                and not part.values("operation") & EXTREMES
            )
            for part in self.sentence.parts
        )

    def of_segments(self, phrase: Phrase) -> None:
        """What "profit" and "margin" are of segments: operating income, and its margin. Which a product has, nobody knows."""
        segments = phrase.axis == "segment" or any(axis(one) in SEGMENTS for one in _members(phrase.members))
        rows = [row for row in phrase.named.rows if key_of(row.measure) in {"operating_income", "operating_margin"}]
        if phrase.named.ask and segments and rows:
            phrase.named = Named((rows[0].of(rows[0].measure, term="", mention=False),))

    def by_axis(self, phrase: Phrase) -> None:
        """A measure divided into all parts of a kind. Only what is one figure of the filing is told so."""
        axes = self.sentence.having("axis")
        rows = phrase.named.asserted
        several = len({part.value("axis") for part in axes}) > 1
        kinds_divided = {"concept", "line"} if phrase.extreme else {"concept", "line", "metric"}
        if several or phrase.members or any(row.measure.kind not in kinds_divided for row in rows):
            kinds = self.sentence.having("axis", "part")
            raise Refused(Code.DIMENSIONAL_ONLY, self.sentence.text(*kinds[-1:] or [phrase.part]))
        given = {"axis": phrase.axis, "extreme": phrase.extreme, "top": phrase.top}
        phrase.named = Named(tuple(row.of(Breakdown.model_validate({"of": row.measure, **given})) for row in rows))

    def of_parts(self, phrase: Phrase) -> Named:
        """The readings of a measure, of each part of the company that it is asked of."""
        rows = phrase.named.asserted
        if any(row.measure.kind not in {"concept", "metric", "line"} for row in rows):
            raise Refused(Code.DIMENSIONAL_ONLY, self.sentence.text(phrase.members[0]))
        members = sorted(phrase.members, key=lambda one: one.first)
        for one, other in pairwise(members):
            between = {base for part in self.sentence.between(one, other) for base in part.bases}
            alike = one.value("side") == other.value("side")
            if not (LISTING & between or (alike and "," in self.sentence.gap(one, other))):
                # "iPhone revenue in China" is neither of both.
                raise Refused(Code.DIMENSIONAL_ONLY, self.sentence.text(one, other))
        parts = [part for one in phrase.members if (part := one.company_part)]
        return Named(tuple(row.of(_member(row.measure, part)) for part in parts for row in rows))


def _members(parts: Sequence[Part]) -> list[str]:
    """The members of the parts of the company that words name."""
    return [told for one in parts if one.company_part for told in one.company_part.members]


def _member(measure: Measure, part: CompanyPart) -> Member:
    return Member(of=measure, label=part.label, members=part.members, own=part.own)


def of_near_parts(sentence: Sentence, lexicon: Lexicon, refused: Refused, keys: Sequence[str]) -> tuple[Row, ...]:
    """Measures of a refused question, of the parts that it names, or whose names have a word that was not understood; of
    all parts of a kind where it names the kind, and their growth where that is asked.
    """
    registry = lexicon.registry
    known = [one for one in keys if one in registry.concepts or one.partition(":")[0] in registry.metrics]
    near = near_parts(lexicon.parts.values(), refused.words)
    whole = {stem for word in refused.words for stem in stems(word)}
    axes = [one.value("part") for one in sentence.parts if one.value("part") in RANKED]
    if axes and not any(whole <= {*stems(one.label)} for one in near):
        measures = [measure_of(registry, key) for key in known or _OF_PARTS.values()]
        if sentence.meaning("operation", *GROWING):
            measures = [Change(of=measure_of(registry, key), percent=True) for key in known or ["revenue"]]
        return tuple(Row(measure=Breakdown.model_validate({"of": one, "axis": axes[0]})) for one in measures)
    so_called = [part for word in refused.words if (part := lexicon.part(stems(word)))]
    return tuple(
        Row(measure=Member(of=measure_of(registry, key), label=part.label, members=part.members))
        for part in sentence.company_parts or so_called or near
        for key in known
    )


def check_divided(rows: Sequence[Row], operations: bool, sentence: Sentence) -> None:
    """Refuse what would be computed of all parts of a kind: nothing but whether they are above a bound. And parts that each
    have a year of their own.
    """
    _check_years(sentence)
    if any(is_divided(row.measure) for row in rows) and (
        operations or any(row.measure.kind != "breakdown" for row in rows)
    ):
        said = sentence.having("axis", "part") or sentence.parts
        raise Refused(Code.DIMENSIONAL_ONLY, sentence.text(said[0]))


def _check_years(sentence: Sentence) -> None:
    """Refuse parts with years of their own, "A 2023 vs B 2024": all rows of a table have the same years."""
    parts = [one for one in sentence.parts if one.has("member") or one.period]
    for place, part in enumerate(parts):
        before, behind = parts[:place], parts[place + 1 :]
        between = any(one.has("member") for one in before) and any(one.has("member") for one in behind)
        outside = (*_outside(before), *_outside(behind[::-1])) if part.period and between else ()
        if any(one.period and one.period != part.period for one in outside):
            raise Refused(Code.NOT_UNDERSTOOD, sentence.text(before[-1], part))


def _outside(parts: Sequence[Part]) -> Sequence[Part]:
    """The parts up to the last, or from the first, that is a part of the company, seen from outside."""
    places = [place for place, one in enumerate(parts) if one.has("member")]
    return parts[: places[-1]] if places else ()


def is_of_member(measure: Measure) -> bool:
    """Whether a measure is of a part, or made of one that is."""
    return any(isinstance(one, Member) for one in leaves(measure))
