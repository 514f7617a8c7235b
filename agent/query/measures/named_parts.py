"""Parts of a company in a question: names of its segments, products and regions, where they stand beside a measure."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from agent.query.words.lexicon import CompanyPart, Lexicon, Match
from agent.query.words.part_names import SHORT
from agent.query.words.word_classes import Meaning, connecting
from agent.registrants.mentions import Mention
from agent.state.query import PartOf
from agent.words.tokens import Token, joined_names

LISTING = connecting("listing parts")
_OF = connecting("of a part")
_LEADING = connecting("leading to a part")
_BESIDE = connecting("beside a part")
_BETWEEN = ("operation", "unit")


def with_members(
    lexicon: Lexicon, tokens: Sequence[Token], chosen: Sequence[Match], taken: Iterable[int], marks: Collection[int]
) -> list[Match]:
    """The best cover with the parts that stand beside its measures, in place of what else their words mean.

    What leads from a measure to a part says nothing more: "revenue that came from customers located in Europe".
    """
    names = frozenset(taken)
    members = beside_measures(lexicon, tokens, chosen, names, marks) if lexicon.parts else []
    leads = {
        place
        for one in members
        if one.value("side") == "behind"
        for place in _before(one.first, lambda at: at in names or tokens[at].base in _OF | _LEADING)
        if tokens[place].base in _LEADING
    }
    # "AWS business revenue", "the AWS arm": what a part is called says nothing more of it.
    leads |= {
        one.last
        for one in members
        if one.last < len(tokens) and tokens[one.last].base in connecting("calling a part") and one.last not in marks
    }
    places = {place for one in members for place in one.places} | leads
    others = (one for one in chosen if not places & set(one.places))
    said = (Match(place, place + 1, (Meaning("frame", "function"),)) for place in leads)
    return sorted((*members, *said, *others), key=lambda one: one.first)


def _before(place: int, passes: Callable[[int], bool]) -> Iterator[int]:
    """The places before one, back to the first that does not pass."""
    return takewhile(passes, range(place - 1, -1, -1))


def without_ends(
    lexicon: Lexicon, tokens: Sequence[Token], chosen: Sequence[Match], taken: Iterable[int]
) -> list[Match]:
    """The best cover without words that say nothing elsewhere, and here are a name: of a part behind the company, "GM
    Financial", or between capitals, "Good & Gather".
    """
    names = frozenset(taken)
    ends = {place for one in _named(lexicon, tokens, names) if one.first - 1 in names for place in one.places}
    idle = {place for one in chosen if one.has("frame") for place in one.places}
    for at in joined_names(tokens):
        ends |= idle & {at - 1, at, at + 1} if {at - 1, at + 1} <= idle else set()
    return [one for one in chosen if not (one.has("frame") and ends.issuperset(one.places))]


def beside_measures(
    lexicon: Lexicon, tokens: Sequence[Token], chosen: Sequence[Match], taken: Iterable[int], marks: Collection[int]
) -> list[Match]:
    """The names of parts that a measure is asked of: right before it, behind it with "of", or listed with such a one.

    chosen: the best cover without them; where it names no measure, verbs that a figure is asked with stand for one.
    taken: places of companies and periods, which may stand between. marks: places of tokens with a comma or another mark
    before them.
    """
    verbs = [one for one in chosen if one.value("verb") == "earn" or one.has("named_verb")]
    names = frozenset(taken)
    every = [one for one in chosen if one.has("measure")]
    so_called = list(_named(lexicon, tokens, names))
    inner = _inside(so_called, every, verbs, lambda at: at in names or tokens[at].base in _OF)
    # "Subscription services revenue and advertising services": where another measure is named.
    inner += [one for one in every if len(every) > 1 and one not in inner and _is_within(one, so_called)]
    measures = [one for one in every if one not in inner]
    measured = {place for one in measures for place in one.places}
    # "Advertising revenue": what is also a measure of its own, right before another.
    leads = {one.last for one in measures if any(one.last == other.first for other in measures)}
    # "Revenue growth in Greater China": what is made of a measure stands beside it.
    through = names | _openings(chosen, marks)
    through |= {place for one in chosen if one.has(*_BETWEEN) and not one.has("measure") for place in one.places}
    through |= {place for place, token in enumerate(tokens) if token.base in connecting("dividing") | {"into"}}
    named = [*_named(lexicon, tokens, names), *_with_measures(lexicon, tokens, measures, names)]
    found = [
        one
        for one in _longest([one for one in named if not measured & set(one.places) or one.last in leads])
        # Inside a longer phrase of another kind it is none: "other than".
        if not any(len(other) > len(one) and set(other.places) & set(one.places) for other in chosen)
    ]
    # "Revenue net of": though a measure may be called so, what follows is taken out of it.
    guards = (one for one in lexicon.matches(tokens) if one.has("guard") and (len(one) > 1 or one in chosen))
    barred = frozenset(place for one in guards for place in one.places)
    row = _Row(tokens, names, through, marks, tuple(measures or verbs), not measures, barred)
    kept: list[Match] = []
    placed: set[int] = set()
    for forward in (True, False):
        for one in found if forward else reversed(found):
            if one.first in placed:
                continue
            ahead = row.goes_before(one.last, kept)
            behind = row.goes_behind(one.first, kept)
            if ahead or behind or row.is_meant(one):
                # "Revenue of AWS and operating income" is no revenue and AWS's operating income.
                told = behind and (not ahead or tokens[one.first - 1].base in _OF)
                kept.append(
                    Match(one.first, one.last, (*one.meanings, Meaning("side", "behind" if told else "ahead")))
                )
                placed.add(one.first)
    return sorted(kept, key=lambda one: one.first)


def _openings(chosen: Sequence[Match], marks: Collection[int]) -> set[int]:
    """The places of words that say nothing and begin a clause: "AWS: what was its revenue"."""
    found: set[int] = set()
    for one in chosen:
        if one.has("frame") and (one.first in marks or one.first - 1 in found):
            found.update(one.places)
    return found


def _is_within(measure: Match, named: Sequence[Match]) -> bool:
    """Whether a measure is a part of a longer name of a part: "advertising" of "advertising services", and of "video ads".

    Revenue at the end of a name is the measure: "oil sales".
    """
    ends = measure.named is not None and measure.named.keys != ("revenue",)
    around = (one for one in named if set(measure.places) < set(one.places))
    return any(measure.last < one.last or ends for one in around)


def _inside(
    named: Sequence[Match], measures: Sequence[Match], verbs: Sequence[Match], passes: Callable[[int], bool]
) -> list[Match]:
    """The measures inside names of parts that another measure or a verb is of: "what did it make from advertising".

    passes: whether a place may stand between them.
    """
    found = []
    for one in measures:
        around = [name for name in named if set(one.places) <= set(name.places)]
        starts = [min(_before(name.first, passes), default=name.first) for name in around]
        ends = {other.last for other in (*measures, *verbs) if other is not one}
        if any(start in ends and start < name.first for start, name in zip(starts, around, strict=True)):
            found.append(one)
    return found


def _named(lexicon: Lexicon, tokens: Sequence[Token], taken: frozenset[int]) -> Iterator[Match]:
    words = [token.stem for token in tokens]
    for first in range(len(words)):
        for last in range(first + 1, min(first + lexicon.longest_part, len(words)) + 1):
            part = lexicon.part(tuple(words[first:last]))
            # "Google Cloud": its first words may name the company.
            begins = next((place for place in range(first, last) if place not in taken), last)
            short = last - first == 1 and len(words[first]) <= SHORT
            if part and begins < last and (not short or tokens[first].upper):
                yield Match(begins, last, (Meaning("member", part), Meaning("told", last - first)))


def _with_measures(
    lexicon: Lexicon, tokens: Sequence[Token], measures: Sequence[Match], taken: frozenset[int]
) -> Iterator[Match]:
    """Names of parts that end in that of the measure, or in it: "data processing revenue". They are the words before it."""
    words = [token.stem for token in tokens]
    for measure in measures:
        for last in range(measure.first + 1, measure.last + 1):
            for first in range(max(last - lexicon.longest_part, 0), measure.first):
                part = lexicon.part(tuple(words[first:last]))
                if part and not taken & set(range(first, measure.first)):
                    yield Match(first, measure.first, (Meaning("member", part), Meaning("told", last - first)))


def _longest(found: Iterable[Match]) -> list[Match]:
    """Of names that overlap, the longest; of words that name several parts all of them: a product, and a segment.

    With the measure behind it a name is longer: "repair revenue" is not the revenue of whatever else is called repair.
    """
    spans: dict[tuple[int, int], list[Match]] = {}
    for one in found:
        spans.setdefault((one.first, one.last), []).append(one)
    kept: list[Match] = []
    blocked: set[int] = set()
    for (first, last), ones in sorted(spans.items(), key=lambda item: (item[0][0] - item[0][1], item[0][0])):
        if not blocked & set(range(first, last)):
            blocked |= set(range(first, last))
            most = max(int(one.value("told") or 0) for one in ones)
            parts = [one.meanings[0].value for one in ones if one.value("told") == str(most)]
            kept.append(Match(first, last, (Meaning("member", _together(parts)),)))
    return sorted(kept, key=lambda match: match.first)


def _together(parts: Sequence[CompanyPart]) -> CompanyPart:
    """Parts that are called alike as one, with the members of all; of several companies, of each its own."""
    members = tuple(dict.fromkeys(member for part in parts for member in part.members))
    own: dict[int, PartOf] = {}
    for one in (one for part in parts for one in part.own):
        before = own.get(one.cik, one)
        both = tuple(dict.fromkeys((*before.members, *one.members)))
        own[one.cik] = before.model_copy(update={"members": both})
    return CompanyPart(parts[0].label, members, tuple(own.values()))


@dataclass(frozen=True)
class _Row:
    """The words of a question between its measures and the parts of the company.

    taken: places of companies and periods. through: these and others that may be passed. anchors: the measures, or verbs in place of them. barred: places of words that take
    something out of a measure, "net of", which are never passed.
    """

    tokens: Sequence[Token]
    taken: frozenset[int]
    through: frozenset[int]
    marks: Collection[int]
    anchors: tuple[Match, ...]
    verbs: bool
    barred: frozenset[int]

    def goes_before(self, place: int, kept: Sequence[Match]) -> bool:
        """Whether a measure begins behind a name, or another part that is listed with it."""
        starts, others = {one.first for one in self.anchors}, {one.first for one in kept}
        listed = apart = False
        while place < len(self.tokens):
            apart = apart or place in self.marks
            if (place in starts and not listed) or (place in others and (listed or apart)):
                return True
            word = self.tokens[place].base
            listed = listed or (word in LISTING and place not in self.taken)
            if place in self.barred or not (place in self.through or word in _BESIDE | LISTING):
                return False
            place += 1
        return False

    def goes_behind(self, place: int, kept: Sequence[Match]) -> bool:
        """Whether a measure ends before a name, at once or with "of", a period or a company between; or a part that it
        is listed with, before or behind the measure."""
        ends = {one.last for one in self.anchors}
        told = [one.last for one in kept if one.value("side") == "ahead"]
        others = {one.last for one in kept} | {one.last for one in self.anchors if any(at <= one.first for at in told)}
        # "Sales to Harbor" are of it; "Harbor sales to Wharf" lists the two.
        listing = LISTING if told else LISTING - _OF
        listed, of, start = place in self.marks, False, place
        while place > 0:
            if place in (others if listed else ends):
                return listed or of or (place == start and not self.verbs)
            word = self.tokens[place - 1].base
            if place - 1 in self.barred:
                return False
            # A company called "Lamp & Rope" lists nothing.
            listed = listed or (word in listing and place - 1 not in self.taken) or place - 1 in self.marks
            of = of or word in _OF or place - 1 in self.through
            if not (place - 1 in self.through or word in _OF | _BESIDE | LISTING | _LEADING):
                return False
            place -= 1
        return False

    def is_meant(self, one: Match) -> bool:
        """Whether a name stands apart, and a verb takes it up again: "repairs: how much did it earn with them"."""
        apart = (one.first == 0 or one.first in self.marks) and one.last in self.marks
        behind = [[token.base for token in self.tokens[verb.last : verb.last + 2]] for verb in self.anchors]
        return apart and self.verbs and any(is_taken_up(words) for words in behind)


def on_one_axis(parts: Iterable[Sequence[str]]) -> bool:
    """Whether there is a way of dividing a company of which all parts are, so that they may be set side by side.

    parts: of each its members as "Axis=Member".
    """
    axes = [{told.partition("=")[0] for told in members} for members in parts]
    return bool(axes) and bool(set.intersection(*axes))


def is_taken_up(words: Sequence[str]) -> bool:
    """Whether the words behind a verb stand for what was named before: "with them"."""
    return len(words) > 1 and words[0] in _OF and words[1] in connecting("named before")


def companies_of(named: Iterable[Mention], held: frozenset[int]) -> frozenset[int]:
    """The companies among those named that are held."""
    return frozenset(cik for one in named if held.issuperset(one.ciks) for cik in one.ciks)


def without_parts(
    named: Sequence[Mention], held: frozenset[int], parts: Lexicon, tokens: Sequence[Token]
) -> list[Mention]:
    """The companies without names that the one that is held gives to a part of it: "Amazon North America revenue".

    Nor is it named by its part where it is named otherwise: "Comcast NBCUniversal revenue".
    """
    wholes = {one.ciks for one in named if not _is_part(one, parts, tokens)}
    return [
        one
        for one in named
        if not parts.part_ends(tokens, one.first, one.last)
        or (held.issuperset(one.ciks) and not (one.ciks in wholes and _is_part(one, parts, tokens)))
    ]


def is_called(one: Mention, parts: Lexicon, tokens: Sequence[Token]) -> bool:
    """Whether a name of a company is what it calls a part, and no name by which several of its parts are called."""
    words = tuple(token.stem for token in tokens[one.first : one.last])
    part = parts.part(words)
    others = (other for key, other in parts.parts.items() if key[: len(words)] == words)
    return part is not None and all(set(other.members) == set(part.members) for other in others)


def _is_part(one: Mention, parts: Lexicon, tokens: Sequence[Token]) -> bool:
    return parts.part(tuple(token.stem for token in tokens[one.first : one.last])) is not None
