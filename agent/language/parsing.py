"""A question cut into what each of its words is: company, period, measure, phrase, or nothing we know."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from agent.language.concepts import Measure, Measures
from agent.language.frames import Frame, Part, framed
from agent.language.lexicon import Condition, Match, Meaning, cover, phrases
from agent.registrants.mentions import Mention
from agent.query.dates import PeriodMatch, find_periods
from agent.words.tokens import Plain, Token, plain
from agent.refusals.codes import Code
from agent.state import Scale, Span
from filings.edgar.names import CURATED_NAMES, name_words

# Words that bind others and name nothing: they are named as not understood only where nothing else is.
FUNCTION_WORDS = frozenset(
    [
        "and",
        "or",
        "but",
        "to",
        "from",
        "by",
        "with",
        "that",
        "this",
        "these",
        "those",
        "as",
        "than",
        "then",
        "so",
        "if",
        "be",
        "been",
        "being",
        "also",
        "plus",
    ]
)

# Names that end in an apostrophe and an s.
_POSSESSIVE_NAMES = frozenset(
    "".join(name_words(name)) for names in CURATED_NAMES.values() for name in names if name.endswith("'s")
)


@dataclass(frozen=True)
class Sentence:
    """A question's tokens, and the periods in it, before anybody is looked for."""

    question: str
    tokens: tuple[Token, ...]
    periods: tuple[tuple[range, PeriodMatch], ...]
    today: date

    @classmethod
    def of(cls, question: str, tokens: tuple[Token, ...], today: date) -> "Sentence":
        folded = plain(question)
        found = []
        for match in find_periods(folded, today):
            places = _places(tokens, folded, match)
            if places:
                found.append((places, _as_typed(question, folded, match)))
        return cls(question, tokens, tuple(found), today)

    def text(self, places: Iterable[int]) -> str:
        """The words at the given places as typed, consecutive ones with what stands between them."""
        places = list(places)
        return self.question[self.tokens[places[0]].start : self.tokens[places[-1]].end] if places else ""


def _places(tokens: Sequence[Token], folded: Plain, match: PeriodMatch) -> range:
    start = folded.offsets[match.first]
    end = folded.offsets[match.last - 1] + 1
    inside = [place for place, token in enumerate(tokens) if token.start < end and token.end > start]
    # "non-fiscal 2024" is one word and a number: the label is not there.
    if inside and (tokens[inside[0]].start < start or tokens[inside[-1]].end > end):
        return range(0)
    return range(inside[0], inside[-1] + 1) if inside else range(0)


def _as_typed(question: str, folded: Plain, match: PeriodMatch) -> PeriodMatch:
    """The match with the words of its period as typed, not as compared."""
    if match.period is None:
        return match
    typed = question[folded.offsets[match.first] : folded.offsets[match.last - 1] + 1].rstrip()
    words = typed[-len(match.period.text) :]
    # Characters that fold to several have no word of the same length.
    text = words if words.lower() == match.period.text else match.period.text
    return replace(match, period=match.period.model_copy(update={"text": text}))


@dataclass
class Parsed:
    """What every token was used for, under one choice of companies."""

    sentence: Sentence
    mentions: list[Mention]
    measures: list[tuple[Match, tuple[Measure, ...]]] = field(default_factory=list)
    periods: list[tuple[range, PeriodMatch]] = field(default_factory=list)
    phrases: list[Match] = field(default_factory=list)
    free: list[int] = field(default_factory=list)

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.sentence.tokens

    @property
    def aside(self) -> frozenset[int]:
        """Places of companies and periods: whose filing is asked, and of when."""
        stretches = (*(mention.places for mention in self.mentions), *(places for places, _ in self.periods))
        return frozenset(place for places in stretches for place in places)

    def intents(self) -> dict[Code, Match]:
        """Refusal intents found, each with the phrase that says so."""
        found: dict[Code, Match] = {}
        keys = {measure.key for _, measured in self.measures for measure in measured}
        for match in self.phrases:
            if any(keys and keys <= meaning.value.keys for meaning in match.of("conditional")):
                continue  # "How much stock did X buy back" asks for no price.
            for meaning in match.of("intent"):
                found.setdefault(meaning.value, match)
        return found

    def having(self, kind: str) -> list[tuple[Match, Meaning]]:
        return [(match, meaning) for match in self.phrases for meaning in match.of(kind)]

    @property
    def scales(self) -> list[Scale]:
        return [meaning.value for _, meaning in self.having("scale")]

    def conditions(self) -> Iterator[tuple[Match, tuple[Condition, ...]]]:
        """Phrases that are harmless only with some measures."""
        for match in self.phrases:
            conditions = tuple(meaning.value for meaning in match.of("conditional"))
            if conditions and not any(match.of("harmless")):
                yield match, conditions

    def words(self, match: Match) -> str:
        return self.sentence.text(range(match.first, match.last))

    def words_of(self, mention: Mention) -> str:
        return self.sentence.text(mention.places)

    def spans(self, company_names: dict[int, str], unused: Iterable[int] = ()) -> tuple[Span, ...]:
        """Every word of the question with its role, in order."""
        sentence, left = self.sentence, set(unused) | set(self.free)
        entries: list[tuple[range, str, str]] = [
            (mention.places, "company", ", ".join(company_names.get(cik, "") for cik in mention.ciks[:3]))
            for mention in self.mentions
        ]
        taken = {place for places, _, _ in entries for place in places}
        entries += [(places, "period", "") for places, _ in self.periods] + [
            (range(match.first, match.last), "concept", " or ".join(dict.fromkeys(one.key for one in measured)))
            for match, measured in self.measures
        ]
        for match in self.phrases:
            places = [place for place in range(match.first, match.last) if place not in taken]
            if places and left.isdisjoint(places):
                scale = next((meaning.value for meaning in match.of("scale")), None)
                entries.append((range(places[0], places[-1] + 1), "scale" if scale else "phrase", scale or ""))
        used = {place for places, _, _ in entries for place in places}
        entries += [(range(place, place + 1), "unused", "") for place in range(len(self.tokens)) if place not in used]
        return tuple(
            Span(
                start=self.tokens[places[0]].start,
                end=self.tokens[places[-1]].end,
                text=sentence.text(places),
                role=role,  # type: ignore[arg-type]
                meaning=meaning,
            )
            for places, role, meaning in sorted(entries, key=lambda entry: entry[0].start)
        )


def parse(sentence: Sentence, mentions: Sequence[Mention], measures: Measures) -> Parsed:
    """Use every token once: companies first, then the longest of measures, periods and phrases, then harmless ones."""
    parsed = Parsed(sentence, list(mentions))
    tokens, taken = sentence.tokens, {place for mention in mentions for place in mention.places}
    listed = phrases().matches(tokens)
    for match in listed:
        places = set(range(match.first, match.last))
        # "Apple Watch" is a product although Apple is the company: the phrase keeps what the company leaves.
        if places & taken and not places <= taken and _is_product(match) and _begins_with_company(match, mentions):
            parsed.phrases.append(match)
    for match in parsed.phrases:
        taken.update(range(match.first, match.last))
    outside = [match for match in listed if taken.isdisjoint(range(match.first, match.last))]
    periods = [(places, period) for places, period in sentence.periods if taken.isdisjoint(places)]
    meant = [match for match in outside if any(meaning.kind != "harmless" for meaning in match.meanings)]
    # "tell us" is longer than the country, but "at the end of the year" takes no year from its number.
    dated = {place for places, _ in periods for place in places}
    lead = [
        match
        for match in outside
        if match not in meant and len(match) > 1 and dated.isdisjoint(range(match.first, match.last))
    ]
    measured = measures.matches(tokens, taken)
    # (longest first, then period before measure before phrase, then leftmost)
    ranked: list[tuple[tuple[int, int, int], Match | PeriodMatch, range]] = [
        *(((-len(places), 0, places.start), period, places) for places, period in periods),
        *(
            ((-len(match), rank, match.first), match, range(match.first, match.last))
            for rank, matches in enumerate((measured, meant, lead), 1)
            for match in matches
        ),
    ]
    for (_, rank, _), entry, stretch in sorted(ranked, key=lambda one: one[0]):
        if not taken.isdisjoint(stretch):
            continue
        taken.update(stretch)
        if isinstance(entry, PeriodMatch):
            parsed.periods.append((stretch, entry))
        elif rank == 1:
            parsed.measures.append((entry, tuple(meaning.value for meaning in entry.meanings)))
        else:
            parsed.phrases.append(entry)
    harmless = (match for match in outside if any(match.of("harmless")) and not _is_abbreviation(match, tokens))
    parsed.phrases += cover(harmless, taken)
    for match in parsed.phrases:
        taken.update(range(match.first, match.last))
    parsed.free = [place for place in range(len(tokens)) if place not in taken]
    parsed.measures.sort(key=lambda one: one[0].first)
    parsed.periods.sort(key=lambda one: one[0].start)
    parsed.phrases.sort(key=lambda one: one.first)
    for frame in framed(_shape(parsed)):
        _carry(parsed, frame)
    return parsed


def _shape(parsed: Parsed) -> list[Part]:
    """The question with a mark for each company, measure, period and scale."""
    marks = {
        mention.first: Part("@o" if _is_possessive(parsed.tokens[mention.last - 1]) else "@c", mention.places)
        for mention in parsed.mentions
    }
    marks |= {match.first: Part("@m", range(match.first, match.last)) for match, _ in parsed.measures}
    marks |= {places.start: Part("@p", places) for places, _ in parsed.periods}
    marks |= {match.first: Part("@s", range(match.first, match.last)) for match, _ in parsed.having("scale")}
    shape: list[Part] = []
    place = 0
    while place < len(parsed.tokens):
        part = marks.get(place) or Part(parsed.tokens[place].stem, range(place, place + 1))
        shape.append(part)
        place = part.places.stop
    return shape


def _is_possessive(token: Token) -> bool:
    """Whether a name's last word is possessive; Lowe's and McDonald's are names without being it."""
    return token.possessive and token.joined not in _POSSESSIVE_NAMES


def _carry(parsed: Parsed, frame: Frame) -> None:
    """Take the words of a frame as what they are there, and not as what they mean elsewhere."""
    carried = frame.places & {
        place
        for place in frame.places
        if place in parsed.free
        or any(
            match.first <= place < match.last and frame.places.issuperset(range(match.first, match.last))
            for match in parsed.phrases
        )
    }
    if not carried:
        return
    meaning = Meaning("harmless")
    if frame.statement:
        meaning = Meaning("conditional", Condition(statement=frame.statement))
    parsed.phrases = [match for match in parsed.phrases if match.first not in carried]
    for place in sorted(carried):
        last = parsed.phrases[-1] if parsed.phrases else None
        if last is not None and last.last == place and last.meanings == (meaning,) and last.first in carried:
            parsed.phrases[-1] = Match(last.first, place + 1, (meaning,))
        else:
            parsed.phrases.append(Match(place, place + 1, (meaning,)))
    parsed.phrases.sort(key=lambda one: one.first)
    parsed.free = [place for place in parsed.free if place not in carried]


def _is_abbreviation(match: Match, tokens: Sequence[Token]) -> bool:
    """ "Microsoft IT revenue" is not "Microsoft it revenue"."""
    token = tokens[match.first]
    return len(match) == 1 and token.text == "IT" and not all(one.upper for one in tokens if one.text.isalpha())


def _is_product(match: Match) -> bool:
    return any(meaning.value is Code.DIMENSIONAL_ONLY for meaning in match.of("intent"))


def _begins_with_company(match: Match, mentions: Sequence[Mention]) -> bool:
    return any(mention.first == match.first and mention.last < match.last for mention in mentions)
