"""The nearest question that can be read where words of a question are not understood: the question without them.

Words are left out only where they make no other figure: by their class, and by where they stand. What is attached to a
measure, a company or a period, what stands behind a preposition, every negation, qualifier, number and unknown name
stays, and the question is refused.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile

from agent.query.closed import classes, connecting
from agent.query.misread import Misread
from agent.query.sentence import FIRST_PERSON, SUBJECTS, breaks
from agent.refusals.codes import Code
from agent.state.query import Breakdown, Query, Role, Word, Years
from agent.words.common_words import english
from agent.words.tokens import Token

Read = tuple[Query | Misread, ...]

# Runs of words that are left out of one question: of more, it is not known what it asks.
MOST = 4
# Operations without which the figures asked still stand in the table.
_ORDERING = frozenset(
    {"highest", "lowest", "rank", "which_year", "which_one", "positive", "negative", "trend", "compare", "each"}
)
_SLOTS = frozenset({Role.COMPANY, Role.PERIOD, Role.MEASURE})
_OPENING = frozenset({"ask", "aux"})
# What a clause says that only goes with the question: who asks, courtesy, "a guess is fine".
_OF_SPEECH = frozenset({"asker", "polite", "aux"})
_INDEFINITE = frozenset({"a", "an", *(FIRST_PERSON - {"i", "we"})})


def nearest(question: str, tokens: tuple[Token, ...], found: Read, read: Callable[[tuple[Token, ...]], Read]) -> Read:
    """The reading of the question without the words that nobody understands; `found` where there is none.

    found: how the whole question was read. read: reads the question by some of its words.
    """
    left, kept, reading = list[str](), tokens, found
    for _ in range(MOST):
        lost = _Lost.of(question, kept, reading)
        if lost is None or not (dropped := lost.dropped()) or len(dropped) == len(kept):
            return found
        left.append(question[kept[dropped[0]].start : kept[dropped[-1]].end])
        kept = tuple(token for place, token in enumerate(kept) if place not in dropped)
        reading = read(kept)
        if len(reading) == 1 and isinstance(only := reading[0], Query) and only.rows:
            if lost.orders and not _has_several(only):
                return found  # "peak cash in 2023" is not the cash of 2023
            return (only.model_copy(update={"left_out": tuple(left), "words": _with(only.words, question, left)}),)
    return found


def _with(words: Sequence[Word], question: str, left: Sequence[str]) -> tuple[Word, ...]:
    """The words of the reading, and those that were left out of it."""
    out = [
        Word(start=start, end=start + len(text), text=text, role=Role.UNUSED)
        for text in left
        if (start := question.find(text)) >= 0
    ]
    return tuple(sorted((*words, *out), key=lambda one: one.start))


class _Lost:
    """Words that nobody understands, where they stand in the question."""

    def __init__(self, question: str, tokens: tuple[Token, ...], words: Sequence[Word], places: range) -> None:
        self.question, self.tokens, self.places = question, tokens, places
        self.breaks = {0, *breaks(question, tokens), len(tokens)}
        used = {token.start: word.role for token in tokens for word in words if word.start <= token.start < word.end}
        roles = (used.get(token.start, Role.UNUSED) for token in tokens)
        self.roles = [Role.UNUSED if role is Role.TOPIC else role for role in roles]
        first = max(place for place in self.breaks if place <= places.start)
        last = min(place for place in self.breaks if place > places.start)
        self.clause = range(first, last)

    @classmethod
    def of(cls, question: str, tokens: tuple[Token, ...], found: Read) -> "_Lost | None":
        """The words for which a question makes no query for figures; None where something else is the reason."""
        if len(found) != 1:
            return None
        only = found[0]
        if isinstance(only, Query):
            words, read = only.unheld, only.words
        else:
            words, read = only.words if only.code is Code.NOT_UNDERSTOOD and not only.parts else (), only.read
        for place, token in enumerate(tokens):
            for text in words[:1]:
                inside = takewhile(lambda one: one.end <= token.start + len(text), tokens[place:])  # noqa: B023
                if text and question.startswith(text, token.start) and (run := len(list(inside))):
                    return cls(question, tokens, read, range(place, place + run))
        return None

    def dropped(self) -> range | None:
        """The places of what can be left out: these words, or the whole clause that they stand in."""
        if not all(map(self._is_plain, self.places)):
            return None
        if self.orders or all(map(self._is_adverb, self.places)):
            return self.places
        if self.tokens[self.clause.start].base in SUBJECTS and self._others_ask():
            return None if self._is_governed() else self.places
        if _SLOTS & {self.roles[place] for place in self.clause}:
            return None if self._narrows() else self.places
        if self._requests() and all(map(self._is_plain, self.clause)):
            return self.clause
        kinds = {value for place in self.clause for value in self._frames(place)}
        told = kinds & _OF_SPEECH or {self.tokens[place].base for place in self.clause} & FIRST_PERSON
        return self.places if told else None

    def _others_ask(self) -> bool:
        """Whether a measure stands in another clause."""
        others = (place for place in range(len(self.tokens)) if place not in self.clause)
        return any(self.roles[place] is Role.MEASURE for place in others)

    def _requests(self) -> bool:
        """Whether the clause asks for something: "which is biggest?"."""
        first = self.clause.start
        asks = self.tokens[first].base in connecting("interrogative") or set(self._frames(first)) & _OPENING
        return bool(asks) and any(self.roles[place] is Role.MEASURE for place in range(len(self.tokens)))

    def _is_plain(self, place: int) -> bool:
        """Whether a word is English, no name, and makes no other figure by what it means."""
        token = self.tokens[place]
        shouts = all(one.upper for one in self.tokens if one.text.isalpha())
        named = token.capital and place > 0 and not shouts and place not in self.breaks
        if named or not token.joined.isalpha() or token.base in connecting("ordinals"):
            return False
        if token.capital and not shouts and not {token.base, token.stem} & english().keys():
            return False
        meant = _meant(token.stem) or _meant(token.base)
        if meant:
            return all(kind in {"frame", "text_else"} or value in _ORDERING for kind, value in meant)
        return not _makes_another(token.base)

    @property
    def orders(self) -> bool:
        """Whether words only order what is asked, or ask which one it is."""
        return all(self.roles[place] is Role.OPERATION for place in self.places)

    def _is_adverb(self, place: int) -> bool:
        base = self.tokens[place].base
        root = base.removesuffix("ly")
        made = base.endswith("ly") and len(root) > 3 and bool({root, root + "le", root.removesuffix("al")} & english().keys())
        return base in connecting("adverbs") or made

    def _frames(self, place: int) -> list[str]:
        return [value for kind, value in _meant(self.tokens[place].stem) if kind == "frame"]

    def _narrows(self) -> bool:
        """Whether words may narrow what is asked, by what stands before and behind them."""
        before, behind = self._before(), self._behind()
        if self.places.start and self.tokens[self.places.start - 1].base in connecting("asked to answer"):
            return False  # "could you furnish"
        role = self.roles[before] if before is not None else None
        if behind is not None and (
            self.roles[behind] in {Role.MEASURE, Role.COMPANY} or self.tokens[behind].base == "of"
        ):
            return True
        if role is Role.COMPANY:
            return not self._is_verb(before or 0, behind)
        return role in {Role.MEASURE, Role.PERIOD} or self._is_governed()

    def _before(self) -> int | None:
        """The last word before these that is known; None at the beginning of the clause."""
        places = range(self.places.start - 1, self.clause.start - 1, -1)
        return next((place for place in places if self.roles[place] is not Role.UNUSED), None)

    def _behind(self) -> int | None:
        """The word behind these that they may belong to, or that parts them from it; None at the end of the clause."""
        places = range(self.places.stop, self.clause.stop)
        return next((place for place in places if self._ends_noun(place)), None)

    def _ends_noun(self, place: int) -> bool:
        """Whether a word is no adjective or noun that stands between others and a measure."""
        if self.roles[place] in {Role.MEASURE, Role.COMPANY}:
            return True
        base = self.tokens[place].base
        parting = connecting("prepositions") | connecting("determiners") | connecting("with a verb") | connecting("listing")
        return base in parting or bool({"aux", "ask", "function", "polite"} & {*self._frames(place)})

    def _is_verb(self, company: int, behind: int | None) -> bool:
        """Whether words right behind a company say what it did: "how much did Apple splash in R&D"."""
        if self.tokens[company].possessive:
            return False
        helping = connecting("with a verb")
        if self.tokens[self.places.start].base.endswith("ing"):
            helping |= connecting("being")
        helped = any(self.tokens[place].base in helping for place in range(self.clause.start, company))
        verb = behind is not None and any(kind == "verb" for kind, _ in _meant(self.tokens[behind].stem))
        return helped and not verb

    def _is_governed(self) -> bool:
        """Whether words stand behind a preposition: "from licences", and not "for a quiz"."""
        for place in range(self.places.start - 1, self.clause.start - 1, -1):
            base = self.tokens[place].base
            if base in _INDEFINITE:
                return False
            if base in connecting("prepositions"):
                return True
            if self.roles[place] is not Role.UNUSED and base not in connecting("determiners"):
                return False
        return False


def _has_several(query: Query) -> bool:
    """Whether figures of several years, companies or parts are asked, among which one can be seen to be the first."""
    one = isinstance(query.periods, Years) and len(query.periods.periods) == 1
    return len(query.companies) > 1 or not one or any(isinstance(row.measure, Breakdown) for row in query.rows)


def _meant(stem: str) -> list[tuple[str, str]]:
    return [(one.kind, str(one.value)) for one in classes().get((stem,), ())]


def _makes_another(word: str) -> bool:
    """Whether a manner is that of a word which makes a figure another: "organically", "internationally"."""
    roots = [word.removesuffix(end) for end in ("ly", "ally") if word.endswith(end)]
    return any(kind != "frame" for root in roots for kind, _ in _meant(root))
