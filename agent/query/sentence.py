"""A question as parts in a row: companies, periods, names of measures, closed words and words nobody knows; by clause."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.query.lexicon import Match, Named
from agent.query.periods import Stretch, is_number
from agent.query.word_classes import Meaning, connecting
from agent.registrants.mentions import Mention
from agent.words.tokens import Token

_BREAK = re.compile(r"[,;:?!()\[\]\u2014\u2013|]|\.(?=\s|$|\")|\s-+\s|\n")
_STOP = re.compile(r"[?!]|\.(?=\s|$|\")|\n")
SUBJECTS = connecting("subjects")
ARTICLES = connecting("articles")
DETERMINERS = connecting("indefinite")
FIRST_PERSON = connecting("first person")


@dataclass(frozen=True, slots=True)
class Part:
    """Tokens first..last (exclusive) with one use. Without mention, stretch and match nobody knows the word."""

    first: int
    last: int
    mention: Mention | None = None
    stretch: Stretch | None = None
    match: Match | None = None
    number: bool = False

    @property
    def places(self) -> range:
        return range(self.first, self.last)

    @property
    def named(self) -> Named | None:
        return self.match.named if self.match else None

    @property
    def unknown(self) -> bool:
        return not (self.mention or self.stretch or self.match or self.number)

    def value(self, kind: str) -> str | None:
        return self.match.value(kind) if self.match else None

    def values(self, kind: str) -> frozenset[str]:
        return self.match.values(kind) if self.match else frozenset()

    def has(self, *kinds: str) -> bool:
        return bool(self.match and self.match.has(*kinds))


@dataclass(slots=True)
class Clause:
    """Parts between two marks, or before the words that begin a request."""

    parts: list[Part] = field(default_factory=list)
    opens_sentence: bool = False
    mark: str = ""  # what stands between it and the clause before
    leads: bool = False  # says who asks, before the words that ask

    @property
    def bracketed(self) -> bool:
        return "(" in self.mark

    @property
    def measures(self) -> list[Part]:
        return [part for part in self.parts if part.named]

    @property
    def unknown(self) -> list[Part]:
        return [part for part in self.parts if part.unknown]


@dataclass(frozen=True)
class Sentence:
    """The question, its tokens and its clauses."""

    question: str
    tokens: tuple[Token, ...]
    clauses: tuple[Clause, ...]
    # What was passed over before it was read: it says in what form an answer is wanted (answer_form.py).
    passed: tuple[tuple[Token, ...], ...] = ()

    @property
    def parts(self) -> list[Part]:
        return [part for clause in self.clauses for part in clause.parts]

    @property
    def unknown(self) -> list[Part]:
        return [part for part in self.parts if part.unknown]

    @property
    def measured(self) -> bool:
        """Whether it names a measure."""
        return any(part.named for part in self.parts)

    @property
    def keys(self) -> tuple[str, ...]:
        """The registry keys of the measures it names."""
        return tuple(dict.fromkeys(key for part in self.parts if part.named for key in part.named.keys))

    def text(self, *parts: Part) -> str:
        """The words from the first part to the last, as typed."""
        first, last = self.tokens[parts[0].first], self.tokens[parts[-1].last - 1]
        return self.question[first.start : last.end].strip(" '\u2019\"")

    def stems(self, part: Part) -> tuple[str, ...]:
        return tuple(token.stem for token in self.tokens[part.first : part.last])

    def bases(self, part: Part) -> tuple[str, ...]:
        return tuple(token.base for token in self.tokens[part.first : part.last])

    def sentence_at(self, number: int) -> range:
        """The clauses that stand in one sentence with a clause: from its first to behind its last."""
        begins = next(at for at in range(number, -1, -1) if self.clauses[at].opens_sentence)
        later = range(number + 1, len(self.clauses))
        return range(begins, next((at for at in later if self.clauses[at].opens_sentence), len(self.clauses)))

    def is_asker(self, clause: Clause) -> bool:
        """Whether a clause speaks of whoever asks: it has "I", "my", "we", "our", or says who needs to know."""
        return clause.leads or any(
            self.tokens[place].base in FIRST_PERSON for part in clause.parts for place in part.places
        )


def breaks(question: str, tokens: Sequence[Token]) -> frozenset[int]:
    """Places of the tokens with a mark before them that parts clauses."""
    return frozenset(
        place
        for place in range(1, len(tokens))
        if _BREAK.search(question[tokens[place - 1].end : tokens[place].start])
    )


def subtracts_years(parts: Sequence[Part], part: Part, sentence: "Sentence") -> bool:
    """Whether a word stands between two periods as a minus: "2024 minus 2023"."""
    beside = [one for one in parts if one.last == part.first or one.first == part.last]
    return sentence.bases(part) in {("minus",), ("less",)} and len(beside) == 2 and all(one.stretch for one in beside)


def sentence_of(
    question: str,
    tokens: Sequence[Token],
    mentions: Sequence[Mention],
    stretches: Sequence[Stretch],
    matches: Sequence[Match],
    passed: tuple[tuple[Token, ...], ...] = (),
) -> Sentence:
    """The parts of a question in order, grouped into clauses."""
    at: dict[int, Part] = {}
    for mention in mentions:
        at[mention.first] = Part(mention.first, mention.last, mention=mention)
    for stretch in stretches:
        at.setdefault(stretch.first, Part(stretch.first, stretch.last, stretch=stretch))
    for match in matches:
        at.setdefault(match.first, Part(match.first, match.last, match=match))
    parts, place = [], 0
    while place < len(tokens):
        part = at.get(place) or Part(place, place + 1, number=is_number(tokens[place].base))
        parts.append(part)
        place = part.last
    parts = [_slash(parts, number) if tokens[part.first].base == "/" else part for number, part in enumerate(parts)]
    return Sentence(question, tuple(tokens), tuple(_clauses(question, tokens, parts)), passed)


def _slash(parts: Sequence[Part], number: int) -> Part:
    """A slash, which is no word between two companies or two parts of one, or before a period behind which no measure stands."""
    part, before, behind = parts[number], parts[:number][-1:], parts[number + 1 : number + 2]
    lists = any(
        all(map(kind, (*before, *behind))) for kind in (lambda one: one.mention, lambda one: one.has("member"))
    )
    dates = all(one.stretch for one in behind) and not any(one.named for one in parts[number:])
    if not part.unknown or not before or not behind or not (lists or dates):
        return part
    return Part(part.first, part.last, match=Match(part.first, part.last, (Meaning("frame", "function"),)))


def _clauses(question: str, tokens: Sequence[Token], parts: Sequence[Part]) -> list[Clause]:
    clauses = [Clause(opens_sentence=True)]
    for number, part in enumerate(parts):
        before = parts[number - 1] if number else None
        gap = question[tokens[before.last - 1].end : tokens[part.first].start] if before else ""
        broken = bool(_BREAK.search(gap))
        if clauses[-1].parts and (broken or _begins(tokens, part, before, clauses[-1])):
            clauses.append(Clause(opens_sentence=bool(_STOP.search(gap)), mark=gap.strip()))
        clauses[-1].parts.append(part)
    return [one for clause in clauses for one in _led(tokens, clause)]


def _led(tokens: Sequence[Token], clause: Clause) -> list[Clause]:
    """A clause, parted before its request where another part leads to it: "someone in treasury | needs revenue"."""
    place = next((place for place, part in enumerate(clause.parts) if _requests(tokens, part)), 0)
    lead, rest = clause.parts[:place], clause.parts[place:]
    named = any(
        part.unknown or part.named or (part.value("frame") == "asker" and not _speaks(tokens, part)) for part in lead
    )
    if not named or not _says_who(tokens, lead, rest[0]):
        return [clause]
    return [Clause(lead, clause.opens_sentence, clause.mark, leads=True), Clause(rest)]


def _speaks(tokens: Sequence[Token], part: Part) -> bool:
    return tokens[part.first].base in FIRST_PERSON


def _requests(tokens: Sequence[Token], part: Part) -> bool:
    return part.value("frame") == "ask" and tokens[part.first].stem in connecting("requests")


def _says_who(tokens: Sequence[Token], lead: Sequence[Part], request: Part) -> bool:
    """Whether words before a request only say who asks: a person, and nothing that could narrow a measure.

    "A trader on the desk" may be whoever she is where the request is hers ("needs"). What "I" do is one verb or what
    "a" or "my" stands before: behind a preposition or "the" it could be what is asked about.
    """
    words = [tokens[place].base for part in lead for place in part.places]
    plain = all(
        part.unknown or part.named or (not part.has("guard", "qualifier", "operation") and part.has("frame"))
        for part in lead
    )
    capitals = any(part.unknown and tokens[part.first].capital for part in lead[1:])
    if not plain or capitals or words[0] not in connecting("persons"):
        return False
    if not SUBJECTS & set(words):
        of = [token.base for token in tokens[request.last : request.last + 1]] == ["of"]  # "the cash needs of"
        return tokens[request.first].base in connecting("his requests") and not of
    return binds(tokens, lead)


def binds(tokens: Sequence[Token], parts: Sequence[Part]) -> bool:
    """Whether what "I" do is one verb or what "a" or "my" stands before, so that nothing of it could narrow a measure."""
    words = [tokens[place].base for part in parts for place in part.places]
    strange = [part.unknown or part.named is not None for part in parts for _ in part.places]
    asking = [part.value("frame") == "ask" for part in parts for _ in part.places]
    for place, word in enumerate(words):
        if not strange[place] and strange[place + 1 : place + 2] == [True]:
            subject = word in SUBJECTS or (word == "to" and asking[place - 1 : place] == [True])  # "trying to settle"
            verb = subject and strange[place + 2 : place + 3] != [True]
            bound = word in DETERMINERS and words[place - 1] not in connecting("narrowing")
            if not (verb or bound):
                return False
    return True


def _begins(tokens: Sequence[Token], part: Part, before: Part | None, clause: Clause) -> bool:
    """Whether a word begins a request of its own behind what stands before it: "... and I need to know | what"."""
    word = tokens[part.first].base
    if word in connecting("begins a definition") and before is not None:
        return True
    if word not in connecting("interrogative") or not part.has("frame", "text", "operation"):
        return False
    if word == "i" and tokens[clause.parts[0].first].base == "as":
        return False  # "as an intern I need"
    if before is None or (word in connecting("relative") and (before.named or before.stretch)):
        return False
    speaks = any(tokens[place].base in connecting("askers") for one in clause.parts for place in one.places)
    return bool(clause.unknown) or speaks or (word in {"what", "how", "why"} and not before.has("frame"))
