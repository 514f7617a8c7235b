"""Words of a question that nobody understands: whether the question may be read without them, by where they stand."""

from collections.abc import Callable, Sequence
from functools import cached_property

from agent.query.companies.owners import Owners
from agent.query.words.refused_question import Read
from agent.query.words.sentence import FIRST_PERSON, SUBJECTS, breaks
from agent.query.words.word_classes import Meaning, classes, connecting, kinds_of_parts
from agent.refusals.codes import Code
from agent.state.query import Query
from agent.state.question_words import Role, Word
from agent.words.common_words import english
from agent.words.tokens import Token, in_capitals

# Operations without which the figures asked still stand in the table.
_ORDERING = frozenset(
    {"highest", "lowest", "rank", "which_year", "which_one", "positive", "negative", "trend", "compare", "each"}
)
_SLOTS = frozenset({Role.COMPANY, Role.PERIOD, Role.MEASURE})
_OF_PEOPLE = frozenset({"asker", "polite"})
# What makes of a figure another wherever it stands.
_CHANGING = frozenset({"guard", "non_gaap", "part", "axis", "currency", "interim", "intent"})
# Words of one name of the closed classes, at most.
MOST_TOGETHER = 4
_SPEAKERS = FIRST_PERSON | {"me", "us"}
_INDEFINITE = frozenset({"a", "an", *(FIRST_PERSON - {"i", "we"})})
_PREPOSITIONS = connecting("narrowing") | connecting("other prepositions")
# Nouns of a company that say whose it is or what it does: "the scissors people"; a stock is no owner.
_OWNERS = connecting("companies") - {"stock"} | connecting("owners")


class LeftOver:
    """Words that nobody understands, where they stand in the question."""

    def __init__(
        self,
        question: str,
        tokens: tuple[Token, ...],
        words: Sequence[Word],
        places: range | None = None,
        owners: Callable[[], Owners] | None = None,
        ciks: Sequence[int] = (),
    ) -> None:
        """places: where they stand; without them, they are those that ask how high or low a measure is: "how thin is"."""
        self.question, self.tokens, self.owners, self.ciks = question, tokens, owners, ciks
        self.breaks = {0, *breaks(question, tokens), len(tokens)}
        self.shouting = in_capitals(tokens)
        used = {token.start: word.role for token in tokens for word in words if word.start <= token.start < word.end}
        roles = (used.get(token.start, Role.UNUSED) for token in tokens)
        self.roles = [Role.UNUSED if role is Role.TOPIC else role for role in roles]
        self.degree = places is None
        self.places = self._how() if places is None else places
        first = max(place for place in self.breaks if place <= self.places.start)
        last = min(place for place in self.breaks if place > self.places.start)
        self.clause = range(first, last)

    @classmethod
    def of(
        cls, question: str, tokens: tuple[Token, ...], found: Read, owners: Callable[[], Owners] | None
    ) -> "LeftOver | None":
        """The words for which a question makes no query for figures; None where something else is the reason."""
        if len(found) != 1:
            return None
        only = found[0]
        if isinstance(only, Query) and only.topics and not only.unheld:
            return cls(question, tokens, only.words)
        if isinstance(only, Query):
            words, read = only.unheld, only.words
        else:
            words, read = only.words if only.code is Code.NOT_UNDERSTOOD and not only.parts else (), only.read
        places = places_of(question, tokens, words[0]) if words else None
        return cls(question, tokens, read, places, owners, [one.cik for one in only.companies]) if places else None

    def dropped(self) -> range | None:
        """The places of what can be left out: these words, or the whole clause that they stand in; empty or None of none."""
        if self.degree:
            return self.places
        if claimed := self._claimed():
            return claimed
        if self._describes():
            return self.clause
        if _SLOTS & {self.roles[place] for place in self.places}:
            return None
        verbal = any(one.kind == "verb" for one in self._means(self.places))
        changing = any(one.kind in _CHANGING for one in self._means(self.clause))
        if verbal or changing or not all(map(self._is_plain, self.places)):
            return None
        if self.orders or {self.tokens[place].base for place in self.places} <= connecting("adverbs"):
            return self.places
        if self.is_governed() and (not self.names_nothing or self._is_attached()):
            return None
        others = (role for place, role in enumerate(self.roles) if place not in self.clause)
        if self.tokens[self.clause.start].base in SUBJECTS and Role.MEASURE in others:
            behind = self._behind()
            measured = behind is not None and self.roles[behind] is Role.MEASURE
            return None if measured or self._wants() else self.places
        if _SLOTS & {self.roles[place] for place in self.clause}:
            # "The cloud needs", "licences I need".
            wanted = Meaning("frame", "ask") in self._means(range(self.places.stop, self.clause.stop))
            return None if wanted or self._narrows() else self.places
        if self._requests() and all(map(self._is_plain, self.clause)):
            return self.clause
        idle = self.names_nothing and not self._wants()
        return self.places if idle or self._only_speaks() else None

    @cached_property
    def names_nothing(self) -> bool:
        """Whether none of the words stands in the name of a part or of a measure, or in the text of the companies asked."""
        if self.owners is None:
            return False
        owners, tokens = self.owners(), [self.tokens[place] for place in self.places]
        return not any(owners.may_name(one.base, one.stem, self.ciks) for one in tokens)

    def _is_attached(self) -> bool:
        """Whether the preposition before these stands right behind a measure, or says what something is of or from."""
        for place in range(self.places.start - 1, self.clause.start - 1, -1):
            if self.tokens[place].base in _PREPOSITIONS:
                attached = self.tokens[place].base in connecting("attaching")
                return attached or (place > 0 and self.roles[place - 1] is Role.MEASURE)
        return False

    def _means(self, places: range) -> set[Meaning]:
        return meanings_of([self.tokens[place] for place in places])

    def _wants(self) -> bool:
        """Whether the clause says what is wanted, and not only what for: "give me wholesale", "I mean the subscriptions"."""
        bases = [self.tokens[place].base for place in self.clause]
        if all(self.tokens[place].base.endswith("ing") for place in self.places):
            return False  # "just checking"
        until = self.clause.stop if SUBJECTS & {*bases} else self.places.start
        asked = Meaning("frame", "ask") in self._means(range(self.clause.start, until))
        asked = asked or bases[0] in connecting("possible")
        return (asked or bool(connecting("wanting") & {*bases})) and not {"a", "an"} & {*bases}

    def _only_speaks(self) -> bool:
        """Whether the clause names nothing that is asked: of whoever asks, courtesy, "a guess is fine", "for a quiz"."""
        spoken = {value for place in self.clause for value in self._frames(place)}
        bases = [self.tokens[place].base for place in self.clause]
        if self._wants():
            return False
        stated = {self.tokens[place].base for place in range(self.places.stop, self.clause.stop)} & connecting("being")
        spoken |= {one.value for one in self._means(self.clause) if one.kind == "frame"}
        return bool(spoken & _OF_PEOPLE or {*bases} & _SPEAKERS or stated or bases[0] in _PREPOSITIONS)

    def _claimed(self) -> range | None:
        """The places of a number that a figure is said to be: "was its profit 10.5 billion?"; None where these are none."""
        first, last = self.places.start, self.places.stop
        if not (first and self.tokens[first].base[:1].isdigit() and last - first == 1):
            return None
        while last < self.clause.stop and self.roles[last] is Role.SCALE:
            last += 1
        said = self.tokens[first - 1].base in connecting("being") | {"="} and last == self.clause.stop
        return range(first, last) if said else None

    def _how(self) -> range:
        """The places of "how thin is"; empty where the question does not ask so."""
        for place, token in enumerate(self.tokens[:-2]):
            behind = range(place + 1, min(place + 4, len(self.tokens)))
            be = next((at for at in behind if self.roles[at] is not Role.UNUSED), 0)
            if token.base == "how" and be > place + 1 and self.tokens[be].base in connecting("being"):
                return range(place, be + 1) if all(map(self._is_plain, range(place + 1, be))) else range(0)
        return range(0)

    def _requests(self) -> bool:
        """Whether the clause asks for something: "which is biggest?"."""
        first = self.clause.start
        words = [token.base for token in self.tokens[first : first + 2]]
        return words[0] in connecting("asking back") or words == ["by", "how"]

    @property
    def measured(self) -> bool:
        """Whether the question names a measure: of none, no figure is near."""
        return Role.MEASURE in self.roles

    def _describes(self) -> bool:
        """Whether the clause says what the company or period beside it is: "(the two-way radio firm)", "the lorry company, WM"."""
        first, last = self.clause.start, self.clause.stop
        bracketed = "(" in self.question[self.tokens[first - 1].end : self.tokens[first].start] if first else False
        before = self.roles[first - 1] if first else None
        behind = self.roles[last] if last < len(self.tokens) else None
        beside = {before, behind if not bracketed else None} & {Role.COMPANY, Role.PERIOD}
        articled = self.tokens[first].base in {"the", "a", "an"}
        slots = _SLOTS & {self.roles[place] for place in self.clause}
        if (
            bracketed
            and before is Role.COMPANY
            and {self.tokens[place].base for place in self.clause} & connecting("renamed")
        ):
            return slots <= {Role.COMPANY}  # "(formerly Square)"
        if slots or not (beside and articled):
            return False
        whose = {self.tokens[place].stem for place in self.clause} & _OWNERS
        changed = any(one.kind not in {"frame", "text_else", "text"} for one in self._means(self.clause))
        return bool(whose and not changed) or (bracketed and all(map(self._is_plain, self.clause)))

    def _is_plain(self, place: int) -> bool:
        """Whether a word is English, no name, and makes no other figure by what it means."""
        token = self.tokens[place]
        capital = token.capital and not self.shouting
        named = capital and place > 0 and place not in self.breaks
        if named or not token.joined.isalpha() or token.base in connecting("counting"):
            return False
        if _is_kind_of_part(token) or (capital and not {token.base, token.stem} & english().keys()):
            return False
        if self.roles[place] is Role.UNUSED and token.base in _PREPOSITIONS:
            return False  # "until now"
        meant = _meant(token.stem) or _meant(token.base)
        if meant:
            return all(kind in {"frame", "text_else"} or value in _ORDERING for kind, value in meant)
        return not _makes_another(token.base)

    @property
    def orders(self) -> bool:
        """Whether words only order what is asked, or ask which one it is."""
        return all(self.roles[place] is Role.OPERATION for place in self.places)

    def _frames(self, place: int) -> list[str]:
        return frames_of(self.tokens[place])

    def _narrows(self) -> bool:
        """Whether words may narrow what is asked, by what stands before and behind them."""
        places = range(self.places.start - 1, self.clause.start - 1, -1)
        before = next((place for place in places if self.roles[place] is not Role.UNUSED), None)  # the last known word
        behind = self._behind()
        ahead = self.tokens[self.places.start - 1].base if self.places.start else ""
        if ahead in connecting("asked to answer"):
            return False  # "could you furnish"
        number = ahead[:1].isdigit() and self.roles[self.places.start - 1] is not Role.PERIOD
        if ahead == "many" or number:
            return True  # what is counted
        led = self.tokens[self.places.start - 2].base if self.places.start > 1 else ""
        verb = behind is not None and ("aux" in self._frames(behind) or _is_verb(self.tokens[behind]))
        if ahead in {"which", "what", "whose"} and led != "at" and verb:
            return True  # "which drug sold more"
        role = self.roles[before] if before is not None else None
        follows = self.places.stop < self.clause.stop
        if follows and self.roles[self.places.stop] is Role.PERIOD and not self.names_nothing:
            return True  # "preliminary 2023"
        if follows and _is_kind_of_part(self.tokens[self.places.stop]):
            return True  # "the cloud business"
        if behind is not None:
            begins = self.places.start == self.clause.start
            binding = {"of", "on", "about"} if begins else {"of"}  # "comment on"
            if self.roles[behind] in {Role.MEASURE, Role.COMPANY} or self.tokens[behind].base in binding:
                return True
        if role is Role.COMPANY:
            return not self._say_what_it_did(before or 0, behind)
        return role in {Role.MEASURE, Role.PERIOD} and not self.names_nothing

    def _behind(self) -> int | None:
        """The word behind these that they may belong to, or that parts them from it; None at the end of the clause."""
        places = range(self.places.stop, self.clause.stop)
        return next((place for place in places if self._ends_noun(place)), None)

    def _ends_noun(self, place: int) -> bool:
        """Whether a word is no adjective or noun that stands between others and a measure."""
        if self.roles[place] in {Role.MEASURE, Role.COMPANY}:
            return True
        token = self.tokens[place]
        parting = _PREPOSITIONS | connecting("determiners") | connecting("with a verb") | connecting("listing")
        framing = {"aux", "ask", "asker", "function", "polite"} & {*self._frames(place)}
        return token.base in parting or _is_verb(token) or bool(framing)

    def _say_what_it_did(self, company: int, behind: int | None) -> bool:
        """Whether words right behind a company say what it did: "how much did Apple splash in R&D"."""
        if self.tokens[company].possessive:
            return False
        helping = connecting("with a verb")
        if self.tokens[self.places.start].base.endswith("ing"):
            helping |= connecting("being")
        helped = any(self.tokens[place].base in helping for place in range(self.clause.start, company))
        return helped and not (behind is not None and _is_verb(self.tokens[behind]))

    def is_governed(self) -> bool:
        """Whether words stand behind a preposition: "from licences", and not "for a quiz"."""
        for place in range(self.places.start - 1, self.clause.start - 1, -1):
            base = self.tokens[place].base
            if base in _INDEFINITE:
                # What is the object of asking: "asking for a cloud".
                return any("ask" in self._frames(at) for at in range(max(self.clause.start, place - 2), place))
            if base in _PREPOSITIONS:
                return True
            if self.roles[place] is not Role.UNUSED and base not in connecting("determiners"):
                return False
        return False


def places_of(question: str, tokens: Sequence[Token], text: str) -> range | None:
    """The places of words of a question, where they stand first; None where no whole words make them."""
    for place, token in enumerate(tokens):
        end = token.start + len(text)
        if token.end <= end and question.startswith(text, token.start):
            return range(place, sum(one.end <= end for one in tokens))
    return None


def _is_kind_of_part(token: Token) -> bool:
    return (token.stem,) in kinds_of_parts() or bool({kind for kind, _ in _meant(token.stem)} & {"part", "axis"})


def _is_verb(token: Token) -> bool:
    return any(kind == "verb" for kind, _ in _meant(token.stem))


def _meant(stem: str) -> list[tuple[str, str]]:
    return [(one.kind, str(one.value)) for one in classes().get((stem,), ())]


def _makes_another(word: str) -> bool:
    """Whether a manner is that of a word which makes a figure another: "organically", "internationally"."""
    roots = [word.removesuffix(end) for end in ("ly", "ally") if word.endswith(end)]
    return any(kind != "frame" for root in roots for kind, _ in _meant(root))


def frames_of(token: Token) -> list[str]:
    """What a word is for in a question, where it names nothing."""
    return [value for kind, value in _meant(token.stem) if kind == "frame"]


def meanings_of(tokens: Sequence[Token]) -> set[Meaning]:
    """What words mean in the closed classes, the longest that are of one together: "as per" excludes nothing."""
    stems = [token.stem for token in tokens]
    found, at = set[Meaning](), 0
    while at < len(stems):
        sizes = range(min(MOST_TOGETHER, len(stems) - at), 0, -1)
        size = next((size for size in sizes if tuple(stems[at : at + size]) in classes()), 1)
        found |= {*classes().get(tuple(stems[at : at + size]), ())}
        at += size
    return found


def is_of_other_figure(tokens: Sequence[Token]) -> bool:
    """Whether words make of a figure another wherever they stand: a negation, a qualifier of non-GAAP figures, a currency."""
    return any(one.kind in _CHANGING for one in meanings_of(tokens)) or any(_makes_another(one.base) for one in tokens)
