"""One index from folded words to what they may mean: names of measures, and the closed classes of English.

Names come from the registry (aliases, labels, ambiguous terms) and from the faces of the companies' own statements.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple

from agent.numbers.breakdowns.schedules import schedules
from agent.numbers.registry.concept import Concept as Entry
from agent.numbers.registry.registry import Registry, normalise
from agent.numbers.registry.registry_schema import Metric as Metered
from agent.query.words.word_classes import COURTESY, Key, Meaning, classes, connecting, courtesies, synonyms
from agent.state.query import Breakdown, Concept, Measure, Member, Metric, PartOf, Printed, Row
from agent.words.tokens import Token, stems, tokenise

Labels = tuple[tuple[str, tuple[str, ...]], ...]
Parted = tuple[frozenset[str], str, frozenset[str]]
Placed = tuple[tuple[str, str, tuple[str, ...]], ...]
# Words in a name behind which stands what is taken out, or put in.
CHANGING = frozenset({"including", "excluding", "before", "after"})
_WILD = re.compile(r"\.\*|\.\+|\\w\+")


class Called(NamedTuple):
    """What rows of companies' statements are called, and their parts: labels with the elements or members that bear them.

    names: folded words by which the companies are called, with which names of their parts may begin.
    placed: every label with its statement and the elements that bear it there. printed: labels of other rows that their
    documents print, each with its unit.
    """

    rows: Labels = ()
    parts: Labels = ()
    names: tuple[Key, ...] = ()
    placed: Placed = ()
    printed: tuple[tuple[str, str], ...] = ()


PARENTHESES = re.compile(r"\s*\([^()]*\)")
_ENDINGS = ("expense", "expenses", "charge", "charges", "cost", "costs", "loss", "losses", "income", "net", "current")
_POSITION = ("current", "noncurrent")
# What the ends of names of cash flows leave off: "operating, investing and financing activities".
_FLOWING = ("cash", "from")
_ADDING = frozenset({"plus", "+"})
BINDING = connecting("binding in names")


@dataclass(frozen=True, slots=True)
class Named:
    """Measures that a name stands for: one, or the declared readings of a term."""

    rows: tuple[Row, ...]
    term: str = ""
    ask: bool = False  # no reading is safe: the question must say which
    earned: str = ""  # the concept meant where it is said to be made, kept or lost

    @property
    def asserted(self) -> tuple[Row, ...]:
        """The readings without what is only shown beside them."""
        return tuple(row for row in self.rows if not row.mention)

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(key_of(row.measure) for row in self.asserted)


@dataclass(frozen=True, slots=True)
class Match:
    """A stretch of tokens, first..last (exclusive), and what it may mean."""

    first: int
    last: int
    meanings: tuple[Meaning, ...]

    def __len__(self) -> int:
        return self.last - self.first

    @property
    def places(self) -> range:
        return range(self.first, self.last)

    def value(self, kind: str) -> str | None:
        """The value of the first meaning of a kind; None where it has none."""
        return next((str(one.value) for one in self.meanings if one.kind == kind), None)

    def values(self, kind: str) -> frozenset[str]:
        return frozenset(str(one.value) for one in self.meanings if one.kind == kind)

    def has(self, *kinds: str) -> bool:
        return any(one.kind in kinds for one in self.meanings)

    @property
    def named(self) -> Named | None:
        return next((one.value for one in self.meanings if one.kind == "measure"), None)


@dataclass(frozen=True, slots=True)
class CompanyPart:
    """A part of a company: what it is called, and its members as "Axis=Member"."""

    label: str
    members: tuple[str, ...]
    own: tuple[PartOf, ...] = ()  # of several companies, the part of each


@dataclass
class Lexicon:
    """Names and closed classes by their folded words."""

    registry: Registry
    names: dict[Key, Named] = field(default_factory=dict)
    first: dict[str, int] = field(default_factory=dict)  # first word -> length of the longest entry that begins so
    base: "Lexicon | None" = None  # shared names below a company's own
    companies: dict[Called, "Lexicon"] = field(default_factory=dict, repr=False)
    parts: dict[Key, CompanyPart] = field(default_factory=dict)
    placed: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)  # statement -> label -> elements
    ciks: tuple[int, ...] = ()  # the companies whose parts these are, where they are several

    # --- look-up ---

    def named(self, key: Key) -> Named | None:
        """The measures that exactly these words name."""
        found = self.names.get(key)
        return found or (self.base.named(key) if self.base else None)

    def matches(self, tokens: Sequence[Token], taken: Iterable[int] = ()) -> list[Match]:
        """Every name and every closed phrase that stands in the tokens, outside the taken ones."""
        blocked = frozenset(taken)
        words = [token.stem for token in tokens]
        found: list[Match] = []
        for start, word in enumerate(words):
            for end in range(start + 1, min(start + self.longest(word), len(words)) + 1):
                if end - 1 in blocked:
                    break
                meanings = self.meanings(tuple(words[start:end]))
                # "Right" may be said in courtesy, "rights" are asked about.
                inflected = end - start == 1 and tokens[start].base != tokens[start].stem
                if inflected and tokens[start].base not in courtesies():
                    meanings = tuple(one for one in meanings if one != COURTESY)
                if meanings:
                    found.append(Match(start, end, meanings))
        return found + list(self._coordinated(words, blocked))

    def part(self, key: Key) -> CompanyPart | None:
        """The part of the company that exactly these words name."""
        return self.parts.get(key)

    def part_ends(self, tokens: Sequence[Token], first: int, last: int) -> bool:
        """Whether words are the name of a part, or the end of one: "FedEx Freight"."""
        words = tuple(token.stem for token in tokens[:last])
        return any(words[start:] in self.parts for start in range(max(last - self.longest_part, 0), first + 1))

    @cached_property
    def longest_part(self) -> int:
        return max(map(len, self.parts), default=0)

    def longest(self, word: str) -> int:
        return max(self.first.get(word, 0), self.base.longest(word) if self.base else 0)

    def meanings(self, key: Key) -> tuple[Meaning, ...]:
        named = self.named(key) or self._sum_of(key)
        others = classes().get(key, ())
        return (Meaning("measure", named), *others) if named else others

    def _sum_of(self, key: Key) -> Named | None:
        """The measure that is called by both of what is added up: "cash plus investments"."""
        return (
            self.named(tuple("and" if word in _ADDING else word for word in key)) if _ADDING & {*key[1:-1]} else None
        )

    def _coordinated(self, words: Sequence[str], blocked: frozenset[int]) -> Iterator[Match]:
        """Names that share their last words: "gross and operating margin", "operating, investing and financing cash flow"."""
        for place in range(1, len(words) - 2):
            if words[place] != "and":
                continue
            for tail in range(place + 3, min(place + 6, len(words) + 1)):
                rest = tuple(words[place + 2 : tail])
                if rest[0] == "and":
                    break
                heads = [self._ending(words[place + 1], rest)]
                first = place
                while heads[0] and first and (one := self._ending(words[first - 1], rest)):
                    heads.insert(0, one)
                    first -= 1
                named = [one for one in heads if one]
                alike = len({one.keys for one in named}) < len(named)
                taken = self.named(tuple(words[first:tail])) or {*range(first, tail)} & blocked
                if len(named) > 1 and not alike and not taken:
                    rows = tuple(row for one in named for row in one.rows)
                    both = Named(rows, ask=any(one.ask for one in named))
                    yield Match(first, tail, (Meaning("measure", both),))

    def _ending(self, head: str, rest: Key) -> Named | None:
        """The measure called by a head and the words that it shares, or of whose flow of cash they are the end."""
        return self.named((head, *rest)) or self.named((*_FLOWING, head, *rest))

    # --- names told in other words ---

    @cached_property
    def _loose(self) -> dict[frozenset[str], dict[tuple[str, ...], Named]]:
        """Names by the set of their telling words, for names whose words stand apart in a question."""
        found: dict[frozenset[str], dict[tuple[str, ...], Named]] = {}
        for key, named in self.names.items():
            found.setdefault(loose(key), {}).setdefault(named.keys, named)
        return found

    def told_by(self, words: Iterable[str]) -> Named | None:
        """The one measure whose name has just these telling words, in whatever order; None for none or several."""
        key = loose(words)
        held = self._loose.get(key) or (self.base._loose.get(key) if self.base else None)
        return next(iter(held.values())) if held and len(held) == 1 else None

    @cached_property
    def _parted(self) -> dict[Parted, dict[tuple[str, ...], Named]]:
        """Names with a word that takes out or puts in, parted at it."""
        found: dict[Parted, dict[tuple[str, ...], Named]] = {}
        for key, named in self.names.items():
            if parted := _parted(key):
                found.setdefault(parted, {}).setdefault(named.keys, named)
        return found

    def changed_by(self, words: Iterable[str], how: str, told: Iterable[str]) -> Named | None:
        """The one measure whose name says of a first one (words) how it is changed (a word of CHANGING), and by what (told).

        What is changed and what by are never mixed: "goodwill excluding intangibles" is not "intangibles excluding
        goodwill".
        """
        key = loose(words), how, loose(told)
        held = self._parted.get(key) or (self.base._parted.get(key) if self.base else None)
        return next(iter(held.values())) if held and len(held) == 1 else None

    # --- spelling ---

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word of every name and class."""
        own = {word for key in self.names for word in key}
        if self.base:
            return frozenset(own | self.base.vocabulary)
        return frozenset(own | {word for key in classes() for word in key})

    @cached_property
    def name_words(self) -> tuple[str, ...]:
        """Every word of letters in names of measures and parts, in order."""
        own = {word for key in (*self.names, *self.parts) for word in key if word.isalpha()}
        return tuple(sorted(own.union(self.base.name_words if self.base else ())))

    # --- building ---

    def add(self, name: str, named: Named, *, over: bool = True) -> None:
        key = stems(name)
        if key and (over or not self.named(key)):
            self.names[key] = named
            self.first[key[0]] = max(self.first.get(key[0], 0), len(key))


def loose(words: Iterable[str]) -> frozenset[str]:
    """The telling words of a name, other words for the same made one."""
    return frozenset(synonyms().get(word, word) for word in words if word not in BINDING)


def _parted(key: Key) -> Parted | None:
    """A name parted at the word that takes something out of it, or puts it in; None where none stands inside."""
    for place in range(1, len(key) - 1):
        if (how := synonyms().get(key[place], key[place])) in CHANGING:
            return loose(key[:place]), how, loose(key[place + 1 :])
        if key[place : place + 2] == ("net", "of"):
            return loose(key[:place]), "excluding", loose(key[place + 2 :])
    return None


def key_of(measure: Measure) -> str:
    """The registry key of a measure, metric:variant, or the label of a line."""
    if isinstance(measure, Metric) and measure.variant:
        return f"{measure.key}:{measure.variant}"
    if isinstance(measure, Member):
        return f"{key_of(measure.of)} of {measure.label}"  # no key of the registry: nothing is said of the whole
    if isinstance(measure, Breakdown):
        return f"{key_of(measure.of)} by {measure.axis} {measure.extreme}".rstrip()
    return str(
        getattr(measure, "key", "")
        or getattr(measure, "label", "")
        or getattr(measure, "words", "")
        or getattr(measure, "statement", "")
    )


def lexicon_of(registry: Registry) -> Lexicon:
    """The names of the registry with the closed classes; built once for each version of it."""
    if registry.version not in _built:
        _built[registry.version] = _of_registry(registry)
    return _built[registry.version]


def _of_registry(held: Registry) -> Lexicon:
    lexicon = Lexicon(held)
    entries: dict[str, Entry | Metered] = {**held.concepts, **held.metrics}
    entries = {key: entry for key, entry in entries.items() if not getattr(entry, "hidden", False)}
    for key, entry in entries.items():
        for alias in entry.aliases:
            named = Named((Row(measure=measure_of(held, key)),))
            lexicon.add(alias, _readings(held, alias) or named)
    for term in held.ambiguous_terms:
        lexicon.add(term, _readings(held, term) or Named(()))
    for name in held.key_figures.names:
        lexicon.add(name, Named(tuple(Row(measure=measure_of(held, key)) for key in held.key_figures.concepts)))
    for key, entry in entries.items():
        named = Named((Row(measure=measure_of(held, key)),))
        for name in (entry.label, PARENTHESES.sub("", entry.label)):
            lexicon.add(name, named, over=False)
        for alias in (*entry.aliases, PARENTHESES.sub("", entry.label)):
            for other in (*_positioned(stems(alias)), *_rated(stems(alias))):
                lexicon.add(" ".join(other), named, over=False)
    _add_accepted(lexicon)
    for label, schedule in schedules().items():
        due = Row(measure=Breakdown(of=Printed(words=label), axis="year"))
        for name in (label, *schedule["asked"]):
            lexicon.add(name, Named((due,)), over=False)
    for key, metric in held.metrics.items():
        for name, variant in () if metric.hidden else metric.variants.items():
            named = Named((Row(measure=Metric(key=key, variant=name)),))
            labels = (f"{variant.label} {key.replace('_', ' ')}",) if variant.label else ()
            for alias in (*variant.aliases, *labels):
                lexicon.add(alias, named, over=False)
    for words in classes():
        lexicon.first[words[0]] = max(lexicon.first.get(words[0], 0), len(words))
    return lexicon


def _add_accepted(lexicon: Lexicon) -> None:
    """Names that end in a word which the labels of a concept bear: "goodwill impairment charge"."""
    for key, concept in lexicon.registry.concepts.items():
        named = Named((Row(measure=Concept(key=key)),))
        for alias in concept.aliases:
            words = " ".join(token.base for token in tokenise(alias))
            for ending in _ENDINGS:
                if accepts(concept, f"{words} {ending}"):
                    lexicon.add(f"{alias} {ending}", named, over=False)


def measure_of(registry: Registry, key: str) -> Measure:
    """A measure by its registry key, or metric:variant."""
    name, _, variant = key.partition(":")
    return Concept(key=name) if name in registry.concepts else Metric(key=name, variant=variant)


def _readings(registry: Registry, alias: str) -> Named | None:
    """The declared readings of an ambiguous term; None where the words are none."""
    term = registry.ambiguous.get(normalise(alias))
    if term is None:
        return None
    rows = [Row(measure=measure_of(registry, key), term=term.term) for key in (*term.concepts, *term.metrics)]
    mentions = (*term.mention, *term.mention_if_differs)
    rows += [Row(measure=Concept(key=key), term=term.term, mention=True) for key in mentions]
    return Named(tuple(rows), term=term.term, ask=term.ask, earned=term.earned)


def _positioned(key: Key) -> Iterator[Key]:
    """A name with its word of position elsewhere: "deferred revenue noncurrent", "noncurrent deferred revenue"."""
    for word in _POSITION:
        if key.count(word) != 1 or len(key) < 2 or "portion" in key:
            continue
        rest = tuple(one for one in key if one != word)
        others = [word] if word == "current" else [word, "long term"]
        for other in others:
            yield (*other.split(), *rest)
            yield (*rest, *other.split())
            yield (*rest, *other.split(), "portion")


def _rated(key: Key) -> Iterator[Key]:
    """The name of a margin as analysts write it: "EBIT % margin"."""
    if key[-1:] == ("margin",) and "%" not in key:
        yield (*key[:-1], "%", "margin")


# Registry version -> its lexicon.
_built: dict[str, Lexicon] = {}


def accepts(concept: Entry, typed: str) -> bool:
    """Whether words are one of the concept's labels, where its patterns let no unknown word through."""
    return bool(_strict(concept.accept).fullmatch(typed)) and not concept.rejects(typed)


@lru_cache(maxsize=512)
def _strict(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """Patterns of labels without those that let any word through."""
    closed = [_WILD.sub("(?!)", pattern) for pattern in patterns]
    return re.compile("|".join(f"(?:{pattern})" for pattern in closed) or r"(?!)")
