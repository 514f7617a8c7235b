"""Parts of a company in a question: names of its segments, products and regions, where they stand beside a measure."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.query.closed import Meaning
from agent.query.lexicon import Lexicon, Match
from agent.query.misread import Refused
from agent.query.sentence import Sentence
from agent.refusals.codes import Code
from agent.registrants.mentions import Mention
from agent.words.tokens import Token

# A code of a country is one only as it is written: "US revenue", and never "give us revenue".
SHORT = 2
# Between a measure and the part that it is of: "revenue from iPhone", "sales in China".
_OF = frozenset({"of", "from", "in", "for", "at", "by", "the", "its", "their", "on", "within", "generated"})
LISTING = frozenset({"and", "or", "vs", "versus", "plus", "&", "than", "compared", "to", "with"})
_BETWEEN = ("operation", "unit")
# Said of a part, or of the measure before it.
_BESIDE = frozenset({"total", "net", "segment", "division", "unit", "business", "annual", "worldwide"})


def with_members(
    lexicon: Lexicon, tokens: Sequence[Token], chosen: Sequence[Match], taken: Iterable[int], marks: Collection[int]
) -> list[Match]:
    """The best cover with the parts that stand beside its measures, in place of what else their words mean."""
    members = beside_measures(lexicon, tokens, chosen, taken, marks)
    places = {place for one in members for place in one.places}
    others = (one for one in chosen if not places & set(one.places))
    return sorted((*members, *others), key=lambda one: one.first)


def without_ends(
    lexicon: Lexicon, tokens: Sequence[Token], chosen: Sequence[Match], taken: Iterable[int]
) -> list[Match]:
    """The best cover without words that say nothing elsewhere, and here name a part behind the company: "GM Financial"."""
    names = frozenset(taken)
    ends = {place for one in _named(lexicon, tokens, names) if one.first - 1 in names for place in one.places}
    return [one for one in chosen if not (one.has("frame") and ends.issuperset(one.places))]


def beside_measures(
    lexicon: Lexicon, tokens: Sequence[Token], chosen: Sequence[Match], taken: Iterable[int], marks: Collection[int]
) -> list[Match]:
    """The names of parts that a measure is asked of: right before it, behind it with "of", or listed with such a one.

    chosen: the best cover without them. taken: places of companies and periods, which may stand between. marks: places
    of tokens with a comma or another mark before them.
    """
    measures = [one for one in chosen if one.has("measure")]
    measured = {place for one in measures for place in one.places}
    # "Advertising revenue": what is also a measure of its own, right before another.
    leads = {(one.first, one.last) for one in measures if any(one.last == other.first for other in measures)}
    names = frozenset(taken)
    # "Revenue growth in Greater China": what is made of a measure stands beside it.
    through = names | {
        place for one in chosen if one.has(*_BETWEEN) and not one.has("measure") for place in one.places
    }
    named = [*_with_measures(lexicon, tokens, measures, names), *_named(lexicon, tokens, names)]
    found = [
        one
        for one in _longest([one for one in named if not measured & set(one.places) or (one.first, one.last) in leads])
        # Inside a longer phrase of another kind it is none: "other than".
        if not any(len(other) > len(one) and set(other.places) & set(one.places) for other in chosen)
    ]
    ends, starts = {one.last for one in measures}, {one.first for one in measures}
    row = _Row(tokens, through, marks)
    kept: list[Match] = []
    placed: set[int] = set()
    for forward in (True, False):
        for one in found if forward else reversed(found):
            if one.first in placed:
                continue
            near = {*ends, *(other.last for other in kept)}, {*starts, *(other.first for other in kept)}
            ahead = row.goes_before(one.last, starts, near[1])
            behind = row.goes_behind(one.first, ends, near[0])
            if ahead or behind:
                # "Revenue of AWS and operating income" is no revenue and AWS's operating income.
                told = behind and (not ahead or tokens[one.first - 1].base in _OF)
                kept.append(
                    Match(one.first, one.last, (*one.meanings, Meaning("side", "behind" if told else "ahead")))
                )
                placed.add(one.first)
    return sorted(kept, key=lambda one: one.first)


def _named(lexicon: Lexicon, tokens: Sequence[Token], taken: frozenset[int]) -> Iterator[Match]:
    words = [token.stem for token in tokens]
    for first in range(len(words)):
        for last in range(first + 1, min(first + lexicon.longest_part, len(words)) + 1):
            part = lexicon.part(tuple(words[first:last]))
            # "Google Cloud": its first words may name the company.
            begins = next((place for place in range(first, last) if place not in taken), last)
            short = last - first == 1 and len(words[first]) <= SHORT
            if part and begins < last and (not short or tokens[first].upper):
                yield Match(begins, last, (Meaning("member", part),))


def _with_measures(
    lexicon: Lexicon, tokens: Sequence[Token], measures: Sequence[Match], taken: frozenset[int]
) -> Iterator[Match]:
    """Names of parts that end in that of the measure: "data processing revenue". They are the words before it."""
    words = [token.stem for token in tokens]
    for measure in measures:
        for first in range(max(measure.last - lexicon.longest_part, 0), measure.first):
            part = lexicon.part(tuple(words[first : measure.last]))
            if part and not taken & set(range(first, measure.first)):
                yield Match(first, measure.first, (Meaning("member", part),))


def _longest(found: Iterable[Match]) -> list[Match]:
    """Of names that overlap, the longest; none of words that name several parts: "FedEx Freight", "freight revenue"."""
    spans: dict[tuple[int, int], list[Match]] = {}
    for one in found:
        spans.setdefault((one.first, one.last), []).append(one)
    kept: list[Match] = []
    blocked: set[int] = set()
    for (first, last), ones in sorted(spans.items(), key=lambda item: (item[0][0] - item[0][1], item[0][0])):
        if blocked & set(range(first, last)):
            continue
        blocked |= set(range(first, last))
        if len({one.meanings[0].value.members for one in ones}) == 1:
            kept.append(ones[0])
    return sorted(kept, key=lambda match: match.first)


@dataclass(frozen=True)
class _Row:
    """The words of a question between its measures and the parts of the company. through: places that may be passed."""

    tokens: Sequence[Token]
    through: frozenset[int]
    marks: Collection[int]

    def goes_before(self, place: int, starts: set[int], others: set[int]) -> bool:
        """Whether a measure begins behind a name, or another part that is listed with it."""
        listed = False
        while place < len(self.tokens):
            listed = listed or place in self.marks
            if place in (others if listed else starts):
                return True
            word = self.tokens[place].base
            listed = listed or word in LISTING
            if not (place in self.through or word in _BESIDE | LISTING):
                return False
            place += 1
        return False

    def goes_behind(self, place: int, ends: set[int], others: set[int]) -> bool:
        """Whether a measure ends before a name, at once or with "of", a period or a company between; or a part that it
        is listed with."""
        listed, of, start = place in self.marks, False, place
        while place > 0:
            if place in (others if listed else ends):
                return listed or of or place == start
            word = self.tokens[place - 1].base
            listed = listed or word in LISTING or place - 1 in self.marks
            of = of or word in _OF or place - 1 in self.through
            if not (place - 1 in self.through or word in _OF | _BESIDE | LISTING):
                return False
            place -= 1
        return False


def companies_of(named: Iterable[Mention], held: frozenset[int]) -> frozenset[int]:
    """The companies among those named that are held."""
    return frozenset(cik for one in named if held.issuperset(one.ciks) for cik in one.ciks)


def without_parts(
    named: Sequence[Mention], held: frozenset[int], parts: Lexicon, tokens: Sequence[Token]
) -> list[Mention]:
    """The companies without names that the one that is held gives to a part of it: "Amazon North America revenue"."""
    return [one for one in named if held.issuperset(one.ciks) or not parts.part_ends(tokens, one.first, one.last)]


def check_called(named: Sequence[Mention], parts: Lexicon, sentence: Sentence) -> None:
    """Refuse a company named twice on end where the second name is what it calls a part: "Comcast NBCUniversal revenue"."""
    ends = {one.last: one.ciks for one in named}
    for one in named:
        words = tuple(token.stem for token in sentence.tokens[one.first : one.last])
        if parts.part(words) and ends.get(one.first) == one.ciks:
            told = sentence.question[sentence.tokens[one.first].start : sentence.tokens[one.last - 1].end]
            raise Refused(Code.DIMENSIONAL_ONLY, told)
