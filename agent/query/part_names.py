"""What companies call their parts: by their names, by shorter ones, and which company a name alone tells."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from agent.query import closed
from agent.query.closed import Key, connecting
from agent.query.lexicon import Called, Lexicon, Part
from agent.registrants.mentions import Mention
from agent.words.common_words import english
from agent.words.stems import root
from agent.words.tokens import Token, stems

GEOGRAPHIC = "StatementGeographicalAxis"
SEGMENTS = frozenset({"StatementBusinessSegmentsAxis", "SubsegmentsAxis"})
# A code of a country is one only as it is written: "US revenue", and never "give us revenue".
SHORT = 2
LEAST_INITIALS = 3
# Of English words, these are in everybody's mouth: "health care" is nobody's name.
COMMON = 5000
# Words that name no part by themselves: "corporate earnings", "other revenue".
_VAGUE = frozenset(
    (word,)
    for word in ("other", "corporate", "foreign", "domestic", "commercial", "reportable", "consolidated", "total")
)


def part_names(shared: Lexicon, called: Called) -> dict[Key, Part]:
    """Names of a company's parts by their words; and short, where nothing else of the company is called so.

    "Data processing revenue" is the revenue of "data processing", "cloud" is its own "Example Cloud", and the regulatory
    credits of "Automotive" are "Automotive regulatory credits". "Greater China" and the "Greater China Segment" are one
    name, with the members of both: a country that is a segment too, or a segment that was called otherwise before.
    """
    found: dict[Key, Part] = {}
    for label, members in reversed(called.parts):
        if key := key_of(label):
            found[key] = _with(Part(label, members), found.get(key))
    for key, part in list(found.items()):
        own = _without_kind(key)
        found[own] = _with(found.get(own, part), part)
    families = _families(found)
    short: dict[Key, dict[Part, None]] = {}
    for key, part in found.items():
        own = _without_measure(shared, key)
        names = {own, *_within(own, called.names, 1), *_within(own, families, 2), *_initials(part.label)}
        names |= {begins for name in (*names, key) if (begins := _without_ending(name))}
        for name in names - {key, *called.names}:
            short.setdefault(name, {})[part] = None
        if key[0] == "total":
            short.setdefault(key[1:], {})[part] = None
    alone = {key: next(iter(parts)) for key, parts in short.items() if len({one.members for one in parts}) == 1}
    return {key: part for key, part in {**alone, **found}.items() if key not in _VAGUE}


def _initials(label: str) -> Iterator[Key]:
    """The first letters of a name of three words or more, with and without "and", where they are no word: "FoA" for
    Family of Apps.
    """
    words = _without_kind(key_of(label))
    for some in (words, [word for word in words if word != "and"]):
        letters = "".join(word[0] for word in some)
        if len(letters) >= LEAST_INITIALS and letters.isalpha() and letters not in english():
            yield (letters,)


def _with(part: Part, other: Part | None) -> Part:
    """A part with the members of another that is called so."""
    return Part(part.label, tuple(dict.fromkeys((*part.members, *(other.members if other else ())))))


def key_of(label: str) -> Key:
    """The folded words of a label, short forms in full."""
    return tuple(word for stem in stems(label) for word in closed.short().get(stem, (stem,)))


def _without_kind(key: Key) -> Key:
    """A name without the kind of part that ends it: "Harbor Segment", "US Market"; not "products", which are all of it."""
    ends = (place for place in range(1, len(key)) if closed.kinds().get(key[place:], "product") != "product")
    end = next(ends, len(key))
    return key if key[end - 1] in connecting("listing") else key[:end]


def _without_ending(name: Key) -> Key:
    """A name without words that end many: "Harbor lights & other", "Semiconductor solutions"; empty where it has none."""
    end = name.index("other") if "other" in name[1:] else len(name)
    while end > 1 and name[end - 1] in connecting("endings of parts") | connecting("listing"):
        end -= 1
    return name[:end] if end < len(name) else ()


def _without_measure(shared: Lexicon, key: Key) -> Key:
    """A name without the revenue that ends or begins it, "Total repair revenue"; other measures say more: "Wharf advertising"."""
    own = key[1:] if key[0] == "total" and key[1:] else key
    for place in range(1, len(own)):
        if _is_revenue(shared, own[place:]):
            return own[:place]
        if own[place] in {"of", "from"} and _is_revenue(shared, own[:place]):
            return own[place + 1 :]
    return own


def _is_revenue(shared: Lexicon, key: Key) -> bool:
    named = shared.named(key)
    return named is not None and named.keys == ("revenue",)


def _axis(member: str) -> str:
    return member.partition("=")[0]


def _within(own: Key, names: Collection[Key], least: int) -> Iterator[Key]:
    """What is left of a name behind another that it begins with, of at least so many words."""
    for name in names:
        rest = own[len(name) :]
        joins = rest[:1] and rest[0] in connecting("listing")
        if own[: len(name)] == name and len(rest) >= least and not (joins or rest in closed.classes()):
            yield rest


def _families(found: Mapping[Key, Part]) -> set[Key]:
    """Names of parts by which others are called: no places, of which they would be only a part."""
    placed = {key for key, part in found.items() if all(_axis(one) == GEOGRAPHIC for one in part.members)}
    return {one for one in found if one not in placed | _VAGUE and one not in closed.classes()}


def near_parts(parts: Iterable[Part], words: Iterable[str]) -> list[Part]:
    """The parts whose names have one of these words, those with the most of them first, of these the shorter names."""
    asked = {(stem,) for word in words for stem in key_of(word)} - _VAGUE - closed.classes().keys()
    shared = {one: len(asked & {(stem,) for stem in key_of(one.label)}) for one in parts}
    found: dict[tuple[str, ...], Part] = {}
    for part in sorted((one for one in shared if shared[one]), key=lambda one: (-shared[one], len(one.label))):
        found.setdefault(part.members, part)
    return list(found.values())


# --- which company a name tells ---


class Owned(NamedTuple):
    """Whose parts are called so. coined: whether it has a word that is no everyday one, or that a company writes as its own."""

    ciks: frozenset[int]
    coined: bool


Owners = Mapping[Key, Owned]


def owners_of(shared: Lexicon, called: Mapping[int, Called]) -> Owners:
    """Names of parts with the companies (CIK) that call one so; none of a place, or of words that mean something else."""
    found: dict[Key, set[int]] = {}
    barred: set[Key] = set()
    brands: set[str] = set()
    for cik, one in called.items():
        brands |= {word for label, _ in one.parts for part in label.split() if _is_brand(part) for word in stems(part)}
        for key, part in part_names(shared, one).items():
            if any(_axis(one) == GEOGRAPHIC for one in part.members) or key in closed.classes() or shared.named(key):
                barred.add(key)
            found.setdefault(key, set()).add(cik)
    return {
        key: Owned(frozenset(ciks), any(word in brands or _is_coined(word) for word in key))
        for key, ciks in found.items()
        if key not in barred
    }


def _is_brand(word: str) -> bool:
    """Whether capitals stand inside a word: iPhone, YouTube."""
    return word.isalpha() and not word.isupper() and any(letter.isupper() for letter in word[1:])


def _is_coined(word: str) -> bool:
    """Whether a word is none of English, nor another form of one."""
    return len(word) > SHORT and word.isalpha() and word not in english() and root(word) not in _english_roots()


@cache
def _english_roots() -> frozenset[str]:
    return frozenset(map(root, english()))


def _asks(word: str) -> bool:
    return any(one.kind == "frame" for one in closed.classes().get((word,), ()))


def owner_named(owners: Owners, tokens: Sequence[Token], held: Collection[int]) -> Mention | None:
    """The companies that can be asked about and call all parts so that a question names; None where it names none."""
    spans = list(owners_named(owners, tokens, held))
    if not spans:
        return None
    all_of = frozenset.intersection(*(frozenset(one.ciks) for one in spans))
    return Mention(spans[0].first, spans[0].last, tuple(sorted(all_of))) if all_of else None


def owners_named(owners: Owners, tokens: Sequence[Token], held: Collection[int]) -> Iterator[Mention]:
    """Every part that a question names, with the companies that can be asked about and call one so; the longest first.

    Everyday words name a part where several are written as a name, not as part of a longer one, and not all are common.
    """
    words = [token.stem for token in tokens]
    placed: set[int] = set()
    for length in range(max(map(len, owners), default=0), 0, -1):
        for first in range(len(words) - length + 1):
            places = range(first, first + length)
            owned = owners.get(tuple(words[first : first + length]))
            if not owned or placed & set(places):
                continue
            beside = [*tokens[max(first, 1) - 1 : first], *tokens[places.stop : places.stop + 1]]
            longer = any(one.capital and not _asks(one.stem) for one in beside)
            common = all(english().get(word, COMMON) < COMMON for word in words[first : places.stop])
            written = length > 1 and all(tokens[place].capital for place in places)
            written = written and not (longer or common)
            if (owned.coined or written) and (ciks := owned.ciks & frozenset(held)):
                placed |= set(places)
                yield Mention(places.start, places.stop, tuple(sorted(ciks)))
