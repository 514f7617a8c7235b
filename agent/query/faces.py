"""What the rows of the statements of the companies asked about are called: printed, and by the taxonomy."""

from collections.abc import Sequence
from functools import lru_cache

Printed = tuple[tuple[str, tuple[str, ...]], ...]
# A label on several statements is asked for as on the first: "inventories" are the balance, and not its change.
_ORDER = ("income", "balance", "comprehensive", "cashflow", "equity")


def printed(ciks: Sequence[int], version: str) -> Printed:
    """Labels of the companies' faces with the elements under them: ("Merchandise costs", ("us-gaap:CostOfRevenue",)).

    Behind the printed labels stand those of the taxonomy, for elements that have a row.

    version: stamp of the stored companies; the labels are read again when it changes. Labels that stand twice in one
    statement are left out: they are read with the heading above them.
    """
    return tuple(row for cik in ciks for row in _of_company(cik, version))


@lru_cache(maxsize=128)
def _of_company(cik: int, version: str) -> Printed:
    from filings.models import Element, Statement

    found: dict[str, dict[str, dict[str, None]]] = {}
    unclear: set[str] = set()
    rows = Statement.objects.filter(filing__company__cik=cik, filing__is_primary=True).exclude(kind="cover")
    for kind, lines in rows.values_list("kind", "lines"):
        labels = [line.get("label", "") for line in lines]
        tags = [line.get("tag", "") for line in lines]
        for label, tag in zip(labels, tags, strict=True):
            if not label or not tag:
                continue
            found.setdefault(label, {}).setdefault(kind, {})[tag] = None
            # An element in several rows of one statement is split by a dimension: its label is a member's.
            if tags.count(tag) > 1 or labels.count(label) > 1:
                unclear.add(label)
    rows_of = {
        label: tuple(kinds[min(kinds, key=_ORDER.index)]) for label, kinds in found.items() if label not in unclear
    }
    # What the taxonomy calls an element that stands in a row of its own, where no other row is called so.
    split = {tag for label in unclear for tags in found[label].values() for tag in tags}
    alone = {tag for tags in rows_of.values() for tag in tags} - split
    named = Element.objects.filter(tag__in=[tag.partition(":")[2] for tag in alone])
    standard: dict[str, list[str]] = {}
    for label, taxonomy, tag in named.order_by("taxonomy", "tag").values_list("label", "taxonomy", "tag"):
        if f"{taxonomy}:{tag}" in alone:
            standard.setdefault(label, []).append(f"{taxonomy}:{tag}")
    known = {label.casefold() for label in found}
    called = {
        label: tuple(tags) for label, tags in standard.items() if len(tags) == 1 and label.casefold() not in known
    }
    return (*rows_of.items(), *called.items())
