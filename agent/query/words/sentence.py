"""A question as parts in a row: companies, periods, names of measures, closed words and words nobody knows; by clause."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from agent.query.dates.years import Stretch, is_number
from agent.query.words.lexicon import CompanyPart, Match, Named
from agent.query.words.word_classes import Meaning, connecting
from agent.registrants.mentions import Mention
from agent.state.references import Period
from agent.words.tokens import Token

_BREAK = re.compile(r"[,;:?!()\[\]\u2014\u2013|]|\.(?=\s|$|\")|\s-+\s|\n")
_STOP = re.compile(r"[?!]|\.(?=\s|$|\")|\n")
SUBJECTS = connecting("subjects")
ARTICLES = connecting("articles")
DETERMINERS = connecting("indefinite")
FIRST_PERSON = connecting("first person")


class Placed(Protocol):
    """A stretch of words, from its first token to behind its last."""

    @property
    def first(self) -> int: ...

    @property
    def last(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Part:
    """Tokens first..last (exclusive) with one use. Without mention, stretch and match nobody knows the word."""

    first: int
    last: int
    tokens: tuple[Token, ...]
    mention: Mention | None = None
    stretch: Stretch | None = None
    match: Match | None = None
    number: bool = False

    @property
    def places(self) -> range:
        return range(self.first, self.last)

    @property
    def bases(self) -> tuple[str, ...]:
        return tuple(token.base for token in self.tokens)

    @property
    def stems(self) -> tuple[str, ...]:
        return tuple(token.stem for token in self.tokens)

    @property
    def word(self) -> str:
        """The first of its words."""
        return self.tokens[0].base

    @property
    def capital(self) -> bool:
        return self.tokens[0].capital

    @property
    def possessive(self) -> bool:
        return self.tokens[-1].possessive

    def says(self, *names: str) -> bool:
        """Whether one of its words is of a class of those that connect."""
        return any(not connecting(name).isdisjoint(self.bases) for name in names)

    def only_says(self, name: str) -> bool:
        return connecting(name).issuperset(self.bases)

    @property
    def named(self) -> Named | None:
        return self.match.named if self.match else None

    @property
    def period(self) -> Period | None:
        """The one year that it names."""
        return self.stretch.period if self.stretch else None

    @property
    def ciks(self) -> tuple[int, ...]:
        """The companies that it names."""
        return self.mention.ciks if self.mention else ()

    @property
    def company_part(self) -> CompanyPart | None:
        """The part of the company that it names, beside a measure."""
        return next((one.value for one in self.match.meanings if one.kind == "member"), None) if self.match else None

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
    def words(self) -> list[str]:
        return [base for part in self.parts for base in part.bases]

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
    # What was passed over before it was read: it says in what form an answer is wanted (instructions.py).
    passed: tuple[tuple[Token, ...], ...] = ()
    # A formula that it gives, as typed (asked_formulas.py): it is one question then.
    formula: str = ""

    @property
    def parts(self) -> list[Part]:
        return [part for clause in self.clauses for part in clause.parts]

    @property
    def unknown(self) -> list[Part]:
        return [part for part in self.parts if part.unknown]

    @property
    def interim(self) -> bool:
        """Whether it names a part of a year."""
        return any(part.stretch and part.stretch.interim for part in self.parts)

    @property
    def measured(self) -> bool:
        """Whether it names a measure."""
        return any(part.named for part in self.parts)

    @property
    def keys(self) -> tuple[str, ...]:
        """The registry keys of the measures it names."""
        return tuple(dict.fromkeys(key for part in self.parts if part.named for key in part.named.keys))

    @property
    def mentions(self) -> list[Part]:
        return [part for part in self.parts if part.mention]

    @property
    def words(self) -> set[str]:
        return {token.base for token in self.tokens}

    @property
    def company_parts(self) -> list[CompanyPart]:
        """The parts of the company that it names, beside its measures."""
        return [one for part in self.parts if (one := part.company_part)]

    def number_behind(self, part: Part) -> Part | None:
        """The number right behind a part."""
        return next((one for one in self.parts if one.number and one.first == part.last), None)

    def having(self, *kinds: str) -> list[Part]:
        """The parts with a meaning of one of some kinds."""
        return [part for part in self.parts if part.has(*kinds)]

    def meaning(self, kind: str, *values: str) -> list[Part]:
        """The parts that mean one of some values of a kind."""
        return [part for part in self.parts if not part.values(kind).isdisjoint(values)]

    def between(self, one: Placed, other: Placed) -> list[Part]:
        """The parts behind one stretch of words and before another."""
        return [part for part in self.parts if one.last <= part.first < other.first]

    def gap(self, one: Placed, other: Placed) -> str:
        """What stands between two stretches of words, as typed."""
        return self.question[self.tokens[one.last - 1].end : self.tokens[other.first].start]

    def word_before(self, one: Placed) -> str:
        return self.tokens[one.first - 1].base if one.first else ""

    def text(self, *parts: Part) -> str:
        """The words from the first part to the last, as typed."""
        first, last = self.tokens[parts[0].first], self.tokens[parts[-1].last - 1]
        return self.question[first.start : last.end].strip(" '\u2019\"")

    def sentence_at(self, number: int) -> range:
        """The clauses that stand in one sentence with a clause: from its first to behind its last."""
        begins = next(at for at in range(number, -1, -1) if self.clauses[at].opens_sentence)
        later = range(number + 1, len(self.clauses))
        return range(begins, next((at for at in later if self.clauses[at].opens_sentence), len(self.clauses)))

    def is_asker(self, clause: Clause) -> bool:
        """Whether a clause speaks of whoever asks: it has "I", "my", "we", "our", or says who needs to know."""
        return clause.leads or not FIRST_PERSON.isdisjoint(clause.words)


def breaks(question: str, tokens: Sequence[Token]) -> frozenset[int]:
    """Places of the tokens with a mark before them that parts clauses."""
    return frozenset(
        place
        for place in range(1, len(tokens))
        if _parts(question[tokens[place - 1].end : tokens[place].start], tokens[place - 1])
    )


def _parts(gap: str, before: Token) -> bool:
    """Whether what stands between two words parts clauses; the dot of a short form does not: "excl. leases"."""
    return bool(_BREAK.search(gap)) and not (gap.strip() == "." and before.base in connecting("ending with a dot"))


def subtracts_years(parts: Sequence[Part], part: Part) -> bool:
    """Whether a word stands between two periods as a minus: "2024 minus 2023"."""
    beside = [one for one in parts if one.last == part.first or one.first == part.last]
    return part.bases in {("minus",), ("less",)} and len(beside) == 2 and all(one.stretch for one in beside)


def sentence_of(
    question: str,
    tokens: Sequence[Token],
    mentions: Sequence[Mention],
    stretches: Sequence[Stretch],
    matches: Sequence[Match],
    passed: tuple[tuple[Token, ...], ...] = (),
) -> Sentence:
    """The parts of a question in order, grouped into clauses."""
    tokens = tuple(tokens)

    def words(one: Placed) -> tuple[int, int, tuple[Token, ...]]:
        return one.first, one.last, tokens[one.first : one.last]

    at = {one.first: Part(*words(one), mention=one) for one in mentions}
    for stretch in stretches:
        at.setdefault(stretch.first, Part(*words(stretch), stretch=stretch))
    for match in matches:
        at.setdefault(match.first, Part(*words(match), match=match))
    parts, place = list[Part](), 0
    while place < len(tokens):
        token = tokens[place]
        parts.append(at.get(place) or Part(place, place + 1, (token,), number=is_number(token.base)))
        place = parts[-1].last
    parts = [_slash(parts, number) if part.word == "/" else part for number, part in enumerate(parts)]
    return Sentence(question, tokens, tuple(_clauses(question, tokens, parts)), passed)


def with_parts(sentence: Sentence, parts: Sequence[Part]) -> Sentence:
    """A sentence with other parts, in their order."""
    return replace(sentence, clauses=tuple(_clauses(sentence.question, sentence.tokens, parts)))


def _slash(parts: Sequence[Part], number: int) -> Part:
    """A slash, which is no word between two companies or two parts of one, or before a period behind which no measure stands."""
    part, before, behind = parts[number], parts[:number][-1:], parts[number + 1 : number + 2]
    beside = (*before, *behind)
    lists = all(one.mention for one in beside) or all(one.has("member") for one in beside)
    dates = all(one.stretch for one in behind) and not any(one.named for one in parts[number:])
    if not part.unknown or not before or not behind or not (lists or dates):
        return part
    return replace(part, match=Match(part.first, part.last, (Meaning("frame", "function"),)))


def _clauses(question: str, tokens: Sequence[Token], parts: Sequence[Part]) -> list[Clause]:
    clauses = [Clause(opens_sentence=True)]
    for before, part in zip((None, *parts), parts, strict=False):
        gap = question[before.tokens[-1].end : part.tokens[0].start] if before else ""
        parted = before is not None and _parts(gap, before.tokens[-1])
        if clauses[-1].parts and (parted or _begins(part, before, clauses[-1])):
            clauses.append(Clause(opens_sentence=parted and bool(_STOP.search(gap)), mark=gap.strip()))
        clauses[-1].parts.append(part)
    return [one for clause in clauses for one in _led(tokens, clause)]


def _led(tokens: Sequence[Token], clause: Clause) -> list[Clause]:
    """A clause, parted before its request where another part leads to it: "someone in treasury | needs revenue"."""
    place = next((place for place, part in enumerate(clause.parts) if _requests(part)), 0)
    lead, rest = Clause(clause.parts[:place], clause.opens_sentence, clause.mark, leads=True), clause.parts[place:]
    named = any(
        part.unknown or part.named or (part.value("frame") == "asker" and part.word not in FIRST_PERSON)
        for part in lead.parts
    )
    return [lead, Clause(rest)] if named and _says_who(tokens, lead, rest[0]) else [clause]


def _requests(part: Part) -> bool:
    return part.value("frame") == "ask" and part.tokens[0].stem in connecting("requests")


def _says_who(tokens: Sequence[Token], lead: Clause, request: Part) -> bool:
    """Whether words before a request only say who asks: a person, and nothing that could narrow a measure.

    "A trader on the desk" may be whoever she is where the request is hers ("needs"). What "I" do is one verb or what
    "a" or "my" stands before: behind a preposition or "the" it could be what is asked about.
    """
    plain = all(
        part.unknown or part.named or (part.has("frame") and not part.has("guard", "qualifier", "operation"))
        for part in lead.parts
    )
    capitals = any(part.unknown and part.capital for part in lead.parts[1:])
    if not plain or capitals or lead.words[0] not in connecting("persons"):
        return False
    if SUBJECTS.isdisjoint(lead.words):
        of = [token.base for token in tokens[request.last : request.last + 1]] == ["of"]  # "the cash needs of"
        return request.word in connecting("his requests") and not of
    return binds(lead)


def binds(clause: Clause) -> bool:
    """Whether what "I" do is one verb or what "a" or "my" stands before, so that nothing of it could narrow a measure."""
    words = clause.words
    strange = [part.unknown or part.named is not None for part in clause.parts for _ in part.places]
    asking = [part.value("frame") == "ask" for part in clause.parts for _ in part.places]
    for place, word in enumerate(words):
        if not strange[place] and strange[place + 1 : place + 2] == [True]:
            subject = word in SUBJECTS or (word == "to" and asking[place - 1 : place] == [True])  # "trying to settle"
            verb = subject and strange[place + 2 : place + 3] != [True]
            bound = word in DETERMINERS and words[place - 1] not in connecting("narrowing")
            if not (verb or bound):
                return False
    return True


def _begins(part: Part, before: Part | None, clause: Clause) -> bool:
    """Whether a word begins a request of its own behind what stands before it: "... and I need to know | what"."""
    word = part.word
    if word in connecting("begins an operand") and before is not None:
        return True
    if word not in connecting("interrogative") or not part.has("frame", "text", "operation"):
        return False
    if word == "i" and clause.parts[0].word == "as":
        return False  # "as an intern I need"
    if before is None or (word in connecting("relative") and (before.named or before.stretch)):
        return False
    speaks = not connecting("askers").isdisjoint(clause.words)
    return bool(clause.unknown) or speaks or (word in {"what", "how", "why"} and not before.has("frame"))


def is_counted(tokens: Sequence[Token], first: int) -> bool:
    """Whether a number of what begins at a place is asked for: "how many restaurants", "the number of restaurants"."""
    before = tuple(one.base for one in tokens[max(0, first - 2) : first])
    return before in {("how", "many"), ("number", "of")}
