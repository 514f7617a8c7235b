"""Which company a name tells that is no company's: by what its parts are called, or by whose filings name it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from agent.query.words.lexicon import Called, Lexicon
from agent.query.words.part_names import COMMON, GEOGRAPHIC, SHORT, axis, key_of, part_names
from agent.query.words.sentence import Clause, Part, Sentence
from agent.query.words.word_classes import Key, classes
from agent.registrants.mentions import Mention
from agent.registrants.registrant_index import LOOSE
from agent.words.common_words import english
from agent.words.stems import root
from agent.words.tokens import Token, stems, tokenise

# Of all passages that name something, counted in the report of each company that names it most, its owner has this share.
OWNED = 0.8
# A company that names it less often than its owner by this factor only mentions it.
MENTIONED = 10
# Phrases of one question that are looked up.
MOST_LOOKED_UP = 6

# The most passages with a phrase in one report, by CIK. as_written: whether the case of letters counts.
Naming = Callable[[str, bool], Mapping[int, int]]


class Owned(NamedTuple):
    """Whose parts are called so. coined: whether it has a word that is no everyday one, or that a company writes as its own."""

    ciks: frozenset[int]
    coined: bool


class Owners(NamedTuple):
    """What tells an owner: names of parts, and the text of the filings."""

    parts: Mapping[Key, Owned]
    naming: Naming = lambda phrase, as_written: {}
    words: Mapping[str, frozenset[int]] = MappingProxyType({})  # coined words in names of parts, by whose they are
    places: Collection[Key] = frozenset()  # names of regions, which are nobody's
    terms: Collection[str] = frozenset()  # every word in names of parts and of elements of the taxonomy

    def may_name(self, word: str, stem: str, ciks: Collection[int]) -> bool:
        """Whether a word may name a part of these companies, or a measure: it stands in such a name, or in their text."""
        return stem in self.terms or not self.naming(word, False).keys().isdisjoint(ciks)


# --- by its parts ---


def words_owned(called: Mapping[int, Called]) -> Mapping[str, frozenset[int]]:
    """Words of no language in names of parts, with the companies that call parts so: "YouTube" of "YouTube ads"."""
    found: dict[str, set[int]] = {}
    for cik, one in called.items():
        words = _brands(one) | {word for label, _ in one.parts for word in stems(label) if _is_coined(word)}
        for word in words:
            found.setdefault(word, set()).add(cik)
    return {word: frozenset(ciks) for word, ciks in found.items()}


def places_named(called: Mapping[int, Called]) -> frozenset[Key]:
    """What companies call regions by which they divide figures."""
    labels = (part for one in called.values() for part in one.parts)
    return frozenset(key_of(label) for label, members in labels if all(axis(one) == GEOGRAPHIC for one in members))


def parts_owned(shared: Lexicon, called: Mapping[int, Called]) -> Mapping[Key, Owned]:
    """Names of parts with the companies (CIK) that call one so; none of a place, or of words that mean something else."""
    found: dict[Key, set[int]] = {}
    barred: set[Key] = set()
    brands: set[str] = set()
    for cik, one in called.items():
        brands |= _brands(one)
        for key, part in part_names(shared, one).items():
            if any(axis(one) == GEOGRAPHIC for one in part.members) or key in classes() or shared.named(key):
                barred.add(key)
            found.setdefault(key, set()).add(cik)
    return {
        key: Owned(frozenset(ciks), any(word in brands or _is_coined(word) for word in key))
        for key, ciks in found.items()
        if key not in barred
    }


def _brands(called: Called) -> set[str]:
    """The words of a company's parts that it writes as its own."""
    return {word for label, _ in called.parts for part in label.split() if _is_brand(part) for word in stems(part)}


def _is_brand(word: str) -> bool:
    """Whether capitals stand inside a word: iPhone, YouTube."""
    return word.isalpha() and not word.isupper() and any(letter.isupper() for letter in word[1:])


def _is_coined(word: str) -> bool:
    """Whether a word is none of English, nor another form of one."""
    return len(word) > SHORT and word.isalpha() and word not in english() and root(word) not in _english_roots()


@cache
def _english_roots() -> frozenset[str]:
    return frozenset(map(root, english()))


def owner_named(parts: Mapping[Key, Owned], tokens: Sequence[Token], held: Collection[int]) -> Mention | None:
    """The companies that can be asked about and call all parts so that a question names; None where it names none."""
    spans = list(owners_named(parts, tokens, held))
    if not spans:
        return None
    all_of = frozenset.intersection(*(frozenset(one.ciks) for one in spans))
    return Mention(spans[0].first, spans[0].last, tuple(sorted(all_of))) if all_of else None


def owners_named(parts: Mapping[Key, Owned], tokens: Sequence[Token], held: Collection[int]) -> Iterator[Mention]:
    """Every part that a question names, with the companies that can be asked about and call one so; the longest first.

    Everyday words name a part where several are written as a name, not as part of a longer one, and not all are common.
    """
    words = [token.stem for token in tokens]
    placed: set[int] = set()
    for length in range(max(map(len, parts), default=0), 0, -1):
        for first in range(len(words) - length + 1):
            places = range(first, first + length)
            owned = parts.get(tuple(words[first : first + length]))
            if not owned or placed & set(places):
                continue
            beside = [*tokens[max(first, 1) - 1 : first], *tokens[places.stop : places.stop + 1]]
            longer = any(
                one.capital and all(meaning.kind != "frame" for meaning in classes().get((one.stem,), ()))
                for one in beside
            )
            common = all(english().get(word, COMMON) < COMMON for word in words[first : places.stop])
            written = length > 1 and all(tokens[place].capital for place in places)
            written = written and not (longer or common)
            if (owned.coined or written) and (ciks := owned.ciks & frozenset(held)):
                placed |= set(places)
                yield Mention(places.start, places.stop, tuple(sorted(ciks)))


# --- by its text ---


def owner_in_text(
    owners: Owners, sentence: Sentence, held: Collection[int], strangers: Sequence[Mention] = ()
) -> Mention | None:
    """The company in whose filings the names of a question nearly all stand, or the two that share them; else None.

    The question is read under no company: names are words that nobody knows. strangers: companies named that are not
    held. One that bears the whole name is meant; one that bears part of it, or whose name only begins so, may be.
    """
    looked_up = 0
    owner, named_by = None, list[Mapping[int, int]]()
    for run in _unknown_runs(sentence):
        names = [one for one in _phrases(sentence, run) if any(_is_name(sentence.tokens[place]) for place in one)]
        if any(tuple(sentence.tokens[place].stem for place in one) in owners.places for one in names):
            continue
        counts: Mapping[int, int] = {}
        for places in names[: MOST_LOOKED_UP - looked_up]:
            looked_up += 1
            if counts := _naming(owners, sentence, places, held):
                break
        if not counts:
            if any(sentence.tokens[place].capital for place in run):
                return None  # a name that stands nowhere may be anybody's
            continue
        named_by.append(counts)
        if found := _owners(counts):
            bearing = [one for one in strangers if set(places) <= set(one.places)]
            if any(one.level <= LOOSE for one in bearing) or (bearing and len(found) > 1):
                return None
            found += tuple(cik for one in bearing if not one.ambiguous for cik in one.ciks)
            owner = owner or Mention(places.start, places.stop, found)
    if owner is None or not all(set(owner.ciks) & set(counts) for counts in named_by):
        return None
    return owner


def owner_of(owners: Owners, name: str, held: Collection[int], strangers: Sequence[Mention] = ()) -> Mention | None:
    """The owner of a name: of a part that is called so, or else in whose filings it nearly always stands; else None."""
    tokens = tokenise(name)
    of_part = owner_named(owners.parts, tokens, held)
    unread = Clause([Part(place, place + 1, (token,)) for place, token in enumerate(tokens)])
    return of_part or owner_in_text(owners, Sentence(name, tokens, (unread,)), held, strangers)


def _naming(owners: Owners, sentence: Sentence, places: range, held: Collection[int]) -> Mapping[int, int]:
    """How often companies name a phrase in their text; who names a part so, as often as anybody."""
    tokens = sentence.tokens[places.start : places.stop]
    of_parts = owners.words.get(tokens[0].stem, frozenset()) if len(tokens) == 1 else frozenset()
    phrase = sentence.question[tokens[0].start : tokens[-1].end].removesuffix("'s").removesuffix("\u2019s")
    counts = owners.naming(phrase, not all(_is_coined(one.base) for one in tokens))
    most = max(counts.values(), default=1)
    return {cik: count for cik, count in {**counts, **dict.fromkeys(of_parts, most)}.items() if cik in held}


def _owners(counts: Mapping[int, int]) -> tuple[int, ...]:
    """The one company that has nearly all passages, or the two that share them; none where more do."""
    ranked = sorted(counts.items(), key=lambda one: -one[1])
    meant = [(cik, count) for cik, count in ranked if count * MENTIONED > ranked[0][1]]
    least = OWNED * sum(count for _, count in meant)
    for several in (1, 2):
        if sum(count for _, count in meant[:several]) >= least:
            return tuple(cik for cik, _ in meant[:several])
    return ()


def _is_name(token: Token) -> bool:
    """Whether a word is written as a name, or none of English."""
    return token.capital or _is_coined(token.base)


def _unknown_runs(sentence: Sentence) -> Iterator[range]:
    """Words that nobody knows, each run of them; with what a hyphen joins to them."""
    first = last = -1
    for part in sentence.parts:
        joined = part.first == last and sentence.question[sentence.tokens[last - 1].end :][:1] == "-"
        if part.first == last and (part.unknown or joined):
            last = part.last
        elif part.unknown:
            if last > 0:
                yield range(first, last)
            first, last = part.first, part.last
    if last > 0:
        yield range(first, last)


def _phrases(sentence: Sentence, run: range) -> Iterator[range]:
    """The run, then what is left of it between names, the longest first."""
    yield run
    names = [place for place in run if _is_name(sentence.tokens[place])]
    spans = (range(first, last + 1) for first in names for last in names if last >= first)
    yield from sorted((one for one in spans if one != run), key=len, reverse=True)
