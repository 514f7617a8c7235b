"""Facts of a company's parts: segments, products and regions, as one filing reports them."""

from collections.abc import Collection

from filings.models import Fact, Filing, Member
from filings.xbrl.axes import BESIDE, CLASSES, COUNTRY, PARTS, class_names, country_names, words


def given(filing: Filing, names: Collection[str]) -> list[Fact]:
    """A filing's member facts for tags, in document order; read once for a `filing` object and tag."""
    kept: dict[str, list[Fact]] = filing.__dict__.setdefault("_parts", {})
    if missing := [name for name in names if name not in kept]:
        kept.update((name, []) for name in missing)
        tags = [name.partition(":")[2] for name in missing]
        for fact in (
            Fact.objects.filter(filing=filing, source=Fact.Source.DOCUMENT, tag__in=tags)
            .exclude(dimensions="")
            .order_by("order", "pk")
        ):
            if fact.name in missing:
                Fact._meta.get_field("filing").set_cached_value(fact, filing)
                kept[fact.name].append(fact)
    return [fact for name in dict.fromkeys(names) for fact in kept[name]]


def by_class(filing: Filing, names: Collection[str]) -> list[Fact]:
    """A filing's facts for single share classes; zero stands for a dash and is left out."""
    return [
        one
        for one in given(filing, names)
        if one.value and one.dimensions.startswith(f"{CLASSES}=") and ";" not in one.dimensions
    ]


def classes(filing: Filing, names: Collection[str]) -> list[str]:
    """The share classes with one of the tags in the filing's own year, each by a name to ask for it."""
    found: dict[str, None] = {}
    for one in by_class(filing, names):
        if filing.period_end and one.end >= filing.period_end:
            found |= dict.fromkeys(class_names(one.dimensions.partition("=")[2])[:1])
    return list(found)


def has_any(filing: Filing) -> bool:
    """Whether a filing reports figures of parts of the company."""
    return any(told.partition("=")[0] in PARTS for told in _members(filing))


def labels(filing: Filing) -> dict[str, str]:
    """The filing's labels of its members, by "Axis=Member"; read once for a `filing` object."""
    return {told: one.label for told, one in _members(filing).items()}


def named(filing: Filing, dimensions: str) -> list[Member]:
    """A fact's dimensions with their labels; in the elements' words where none are stored.

    For BESIDE axes always in the elements' words: their figures stand beside the names of parts.
    """
    found = []
    for told in filter(None, dimensions.split(";")):
        axis, _, member = told.partition("=")
        label = country_names(member)[0] if COUNTRY.fullmatch(member) else words(member)
        own = Member(filing=filing, axis=axis, axis_label=words(axis), member=member, label=label)
        found.append(own if axis in BESIDE else _members(filing).get(told, own))
    return found


def _members(filing: Filing) -> dict[str, Member]:
    if "_members" not in filing.__dict__:
        filing.__dict__["_members"] = {f"{one.axis}={one.member}": one for one in filing.members.all()}
    found: dict[str, Member] = filing.__dict__["_members"]
    return found
