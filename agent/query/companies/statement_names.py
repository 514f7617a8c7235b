"""What the rows of the statements of the companies asked about are called, and their parts: printed, and by the taxonomy."""

from collections.abc import Sequence
from functools import lru_cache

from agent.numbers.registry.registry import load
from agent.query.companies.owners import Owners, parts_owned, places_named, words_owned
from agent.query.words.lexicon import Called, Labels, Placed, lexicon_of
from agent.query.words.word_classes import Key
from agent.words.tokens import stems
from filings.edgar.registrant_names import CURATED_NAMES, everyday_name

# A label on several statements is asked for as on the first: "inventories" are the balance, and not its change.
_ORDER = ("income", "balance", "comprehensive", "cashflow", "equity")


def printed(ciks: Sequence[int], version: str) -> Called:
    """Labels of the companies' faces with the elements under them: ("Merchandise costs", ("us-gaap:CostOfRevenue",)); and
    of their parts with the members: ("iPhone", ("ProductOrServiceAxis=IPhoneMember",)).

    Behind the printed labels stand those of the taxonomy, for elements that have a row.

    version: stamp of the stored companies; the labels are read again when it changes. Labels that stand twice in one
    statement are left out: they are read with the heading above them.
    """
    found = [_of_company(cik, version) for cik in ciks]
    return Called(*(tuple(row for of_one in of_all for row in of_one) for of_all in zip(*found, strict=True)))


@lru_cache(maxsize=128)
def _of_company(cik: int, version: str) -> Called:
    from filings.models import Company

    parts = _parts(cik)
    names = _names(cik, Company.objects.get(cik=cik).name) if parts else ()
    rows, placed = _rows(cik)
    return Called(rows, parts, names, placed)


def _names(cik: int, name: str) -> tuple[Key, ...]:
    return tuple(dict.fromkeys(stems(one) for one in (everyday_name(cik, name), *CURATED_NAMES.get(cik, ()))))


@lru_cache(maxsize=1)
def owners(version: str) -> Owners:
    """Which companies call a part so, and which name something; parts are read again when the stored companies change."""
    from filings.models import Element, Member
    from filings.search.naming import companies_naming
    from filings.xbrl.axes import PARTS, words

    found: dict[int, dict[str, dict[str, None]]] = {}
    names: dict[int, tuple[Key, ...]] = {}
    for cik, successor, name, axis, member, label in (
        Member.objects.filter(filing__is_primary=True, axis__in=PARTS)
        .order_by()
        .values_list(
            "filing__company__cik",
            "filing__company__successor_cik",
            "filing__company__name",
            "axis",
            "member",
            "label",
        )
        .distinct()
    ):
        cik = successor or cik
        names.setdefault(cik, _names(cik, name))
        for one in dict.fromkeys((label, words(member))):
            found.setdefault(cik, {}).setdefault(one, {})[f"{axis}={member}"] = None
    called = {
        cik: Called(parts=tuple((label, tuple(members)) for label, members in labels.items()), names=names[cik])
        for cik, labels in found.items()
    }
    labels = [label for one in called.values() for label, _ in one.parts]
    labels += Element.objects.order_by().values_list("label", flat=True).distinct()
    return Owners(
        parts_owned(lexicon_of(load()), called),
        companies_naming,
        words_owned(called),
        places_named(called),
        frozenset(word for label in labels for word in stems(label)),
    )


def _parts(cik: int) -> Labels:
    """What the company calls its parts: segments, products and regions by which it divides lines of its income statement."""
    from filings.models import Fact, Filing, Member, Statement
    from filings.xbrl.axes import CLASSES, COUNTRY, PARTS, class_names, country_names, words

    primary = {"filing__in": Filing.objects.primary().of_companies([cik])}
    lines = Statement.objects.filter(**primary, kind="income").values_list("lines", flat=True)
    printed = {line["tag"] for rows in lines for line in rows if line.get("tag")}
    # A line may be divided under another element of the same concept than the one that it stands under.
    held = (set(one.names) for one in load().concepts.values())
    tags = {name.partition(":")[2] for name in printed.union(*(names for names in held if names & printed))}
    facts = Fact.objects.filter(**primary, source="document", tag__in=tags).exclude(dimensions="")
    divided: dict[str, set[str]] = {}
    for told in facts.exclude(statement="equity").order_by().values_list("dimensions", flat=True).distinct():
        for one in told.split(";"):
            axis, _, member = one.partition("=")
            if axis in PARTS:
                divided.setdefault(axis, set()).add(member)
    divided[CLASSES] = _classes(cik)
    found: dict[str, dict[str, None]] = {}
    for axis, member, label in (
        Member.objects.filter(**primary).order_by("-filing__filed", "pk").values_list("axis", "member", "label")
    ):
        if member not in divided.get(axis, ()):
            continue
        if axis == CLASSES:
            names: tuple[str, ...] = class_names(member)
        else:
            names = country_names(member) if COUNTRY.fullmatch(member) else (label, words(member))
        for name in dict.fromkeys(names):
            found.setdefault(name, {})[f"{axis}={member}"] = None
    return tuple((name, tuple(members)) for name, members in found.items())


def _classes(cik: int) -> set[str]:
    """The classes of shares of which the company gives earnings per share, or counts."""
    from agent.numbers.facts.share_classes import OF_SHARES
    from filings.models import Fact, Filing
    from filings.xbrl.axes import CLASSES

    names = {name for one in load().concepts.values() if one.unit in OF_SHARES for name in one.names}
    told = Fact.objects.filter(
        filing__in=Filing.objects.primary().of_companies([cik]),
        source="document",
        tag__in=[name.partition(":")[2] for name in names],
        dimensions__startswith=f"{CLASSES}=",
    )
    return {one.partition("=")[2] for one in told.order_by().values_list("dimensions", flat=True).distinct()}


def _rows(cik: int) -> tuple[Labels, Placed]:
    """Row labels, each as on the first statement that prints it; and each with every statement of its own."""
    from filings.models import Element, Filing, Statement

    found: dict[str, dict[str, dict[str, None]]] = {}
    unclear: set[tuple[str, str]] = set()
    filings = Filing.objects.of_years().of_companies([cik])
    rows = Statement.objects.filter(filing__in=filings).exclude(kind="cover")
    for kind, lines in rows.values_list("kind", "lines"):
        labels = [line.get("label", "") for line in lines]
        tags = [line.get("tag", "") for line in lines]
        for label, tag in zip(labels, tags, strict=True):
            if not label or not tag:
                continue
            found.setdefault(label, {}).setdefault(kind, {})[tag] = None
            # An element in several rows of one statement is split by a dimension: its label is a member's.
            if tags.count(tag) > 1 or labels.count(label) > 1:
                unclear.add((label, kind))
    clear = {
        label: {kind: tuple(kinds[kind]) for kind in _ORDER if kind in kinds and (label, kind) not in unclear}
        for label, kinds in found.items()
    }
    # In a statement of equity every row is split, by its columns.
    apart = {label for label, kind in unclear if kind != "equity"}
    rows_of = {label: next(iter(kinds.values())) for label, kinds in clear.items() if kinds and label not in apart}
    # What the taxonomy calls an element that stands in a row of its own, where no other row is called so.
    split = {tag for label, kind in unclear for tag in found[label][kind]}
    alone = {tag for kinds in clear.values() for tags in kinds.values() for tag in tags} - split
    named = Element.objects.filter(tag__in=[tag.partition(":")[2] for tag in alone])
    standard: dict[str, list[str]] = {}
    for label, taxonomy, tag in named.order_by("taxonomy", "tag").values_list("label", "taxonomy", "tag"):
        if f"{taxonomy}:{tag}" in alone:
            standard.setdefault(label, []).append(f"{taxonomy}:{tag}")
    known = {label.casefold() for label in found}
    called = {
        label: tuple(tags) for label, tags in standard.items() if len(tags) == 1 and label.casefold() not in known
    }
    placed = tuple((label, kind, tags) for label, kinds in clear.items() for kind, tags in kinds.items())
    return (*rows_of.items(), *called.items()), placed
