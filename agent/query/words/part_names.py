"""What companies call their parts: by their names, and by shorter ones."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache

from agent.query.words.lexicon import Called, CompanyPart, Lexicon
from agent.query.words.word_classes import Key, classes, connecting, kinds_of_parts, short_forms
from agent.words.common_words import english
from agent.words.tokens import stems

GEOGRAPHIC = "StatementGeographicalAxis"
SEGMENTS = frozenset({"StatementBusinessSegmentsAxis", "SubsegmentsAxis"})
# A code of a country is one only as it is written: "US revenue", and never "give us revenue".
SHORT = 2
LEAST_INITIALS = 3
# Of English words, these are in everybody's mouth: "health care" is nobody's name.
COMMON = 5000


@cache
def _vague() -> frozenset[Key]:
    """Names that name no part by themselves."""
    return frozenset((word,) for word in connecting("vague"))


def part_names(shared: Lexicon, called: Called) -> dict[Key, CompanyPart]:
    """Names of a company's parts by their words; and short, where nothing else of the company is called so.

    "Data processing revenue" is the revenue of "data processing", "cloud" is its own "Example Cloud", and the regulatory
    credits of "Automotive" are "Automotive regulatory credits". "Greater China" and the "Greater China Segment" are one
    name, with the members of both: a country that is a segment too, or a segment that was called otherwise before.
    """
    found: dict[Key, CompanyPart] = {}
    for label, members in reversed(called.parts):
        if key := key_of(label):
            found[key] = _with(CompanyPart(label, members), found.get(key))
    for key, part in list(found.items()):
        own = _without_kind(key)
        found[own] = _with(found.get(own, part), part)
    families = _families(found)
    short: dict[Key, dict[CompanyPart, None]] = {}
    for key, part in found.items():
        own = _without_measure(shared, key)
        names = {own, *_within(own, called.names, 1), *_within(own, families, 2), *_initials(part.label)}
        names |= {begins for name in (*names, key) if (begins := _without_ending(name))}
        for name in names - {key, *called.names}:
            short.setdefault(name, {})[part] = None
        if key[0] == "total":
            short.setdefault(key[1:], {})[part] = None
    alone = {key: next(iter(parts)) for key, parts in short.items() if len({one.members for one in parts}) == 1}
    return {key: part for key, part in {**alone, **found}.items() if key not in _vague()}


def _initials(label: str) -> Iterator[Key]:
    """The first letters of a name of three words or more, with and without "and", where they are no word: "FoA" for
    Family of Apps.
    """
    words = _without_kind(key_of(label))
    for some in (words, [word for word in words if word != "and"]):
        letters = "".join(word[0] for word in some)
        if len(letters) >= LEAST_INITIALS and letters.isalpha() and letters not in english():
            yield (letters,)


def _with(part: CompanyPart, other: CompanyPart | None) -> CompanyPart:
    """A part with the members of another that is called so."""
    return CompanyPart(part.label, tuple(dict.fromkeys((*part.members, *(other.members if other else ())))))


def key_of(label: str) -> Key:
    """The folded words of a label, short forms in full."""
    return tuple(word for stem in stems(label) for word in short_forms().get(stem, (stem,)))


def _without_kind(key: Key) -> Key:
    """A name without the kind of part that ends it: "Harbor Segment", "US Market"; not "products", which are all of it."""
    ends = (place for place in range(1, len(key)) if kinds_of_parts().get(key[place:], "product") != "product")
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


def axis(member: str) -> str:
    """The axis of a part, written as axis=member."""
    return member.partition("=")[0]


def _within(own: Key, names: Collection[Key], least: int) -> Iterator[Key]:
    """What is left of a name behind another that it begins with, of at least so many words."""
    for name in names:
        rest = own[len(name) :]
        joins = rest[:1] and rest[0] in connecting("listing")
        if own[: len(name)] == name and len(rest) >= least and not (joins or rest in classes()):
            yield rest


def _families(found: Mapping[Key, CompanyPart]) -> set[Key]:
    """Names of parts by which others are called: no places, of which they would be only a part."""
    placed = {key for key, part in found.items() if all(axis(one) == GEOGRAPHIC for one in part.members)}
    return {one for one in found if one not in placed | _vague() and one not in classes()}


def near_parts(parts: Iterable[CompanyPart], words: Iterable[str]) -> list[CompanyPart]:
    """The parts whose names have one of these words, those with the most of them first, of these the shorter names."""
    asked = {(stem,) for word in words for stem in key_of(word)} - _vague() - classes().keys()
    shared = {one: len(asked & {(stem,) for stem in key_of(one.label)}) for one in parts}
    found: dict[tuple[str, ...], CompanyPart] = {}
    for part in sorted((one for one in shared if shared[one]), key=lambda one: (-shared[one], len(one.label))):
        found.setdefault(part.members, part)
    return list(found.values())
