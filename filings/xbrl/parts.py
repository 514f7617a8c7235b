"""Facts of the parts of a company: of segments, products and regions, as one filing gives them."""

from collections.abc import Collection

from filings.models import Fact, Filing


def given(filing: Filing, names: Collection[str]) -> list[Fact]:
    """The facts of members that a filing gives of tags, in document order; read once for a `filing` object and tag."""
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


def labels(filing: Filing) -> dict[str, str]:
    """What the filing calls its members, by "Axis=Member"; read once for a `filing` object."""
    if "_members" not in filing.__dict__:
        filing.__dict__["_members"] = {f"{one.axis}={one.member}": one.label for one in filing.members.all()}
    found: dict[str, str] = filing.__dict__["_members"]
    return found
