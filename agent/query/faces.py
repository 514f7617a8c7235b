"""Row labels printed on the statements of the companies asked about, from what is stored."""

from collections.abc import Sequence
from functools import lru_cache

Printed = tuple[tuple[str, tuple[str, ...]], ...]
# A label on several statements is asked for as on the first: "inventories" are the balance, and not its change.
_ORDER = ("income", "balance", "comprehensive", "cashflow", "equity")


def printed(ciks: Sequence[int], version: str) -> Printed:
    """Labels of the companies' faces with the elements under them: ("Merchandise costs", ("us-gaap:CostOfRevenue",)).

    version: stamp of the stored companies; the labels are read again when it changes. Labels that stand twice in one
    statement are left out: they are read with the heading above them.
    """
    return tuple(row for cik in ciks for row in _of_company(cik, version))


@lru_cache(maxsize=128)
def _of_company(cik: int, version: str) -> Printed:
    from filings.models import Statement

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
    return tuple(
        (label, tuple(kinds[min(kinds, key=_ORDER.index)])) for label, kinds in found.items() if label not in unclear
    )
