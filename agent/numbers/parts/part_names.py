"""Names of a division's rows as its filing writes them: "Services", not "Services Segment [Member]"."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from agent.numbers.parts.divisions import HEADED, Division, Part
from agent.numbers.registry.registry_schema import normalise
from filings.models import Fact, Filing
from filings.xbrl import member_facts
from filings.xbrl.axes import words

# What labels say besides the name: that it is a member, a segment or a total; marks of footnotes; a dash at the end.
KIND = re.compile(r"\s*\[?\b(?:member|domain)\b\]?$", re.IGNORECASE)
SEGMENT = re.compile(r"(?<=\S)\s+(?:(?:reportable|operating|business)\s+)?segments?$", re.IGNORECASE)
TOTAL = re.compile(r"^total\s+(?=\S)|(?<=\S),?\s+total$", re.IGNORECASE)
FOOTNOTE = re.compile(r"(?<=[^\W\d_A-Z])\d{1,2}$|\s*\(\w\)$|[\s*:\u2013\u2014-]+$")
DIGIT = re.compile(r"\d")
# The taxonomy's labels of members that filings seldom label: items between segments and the whole, and regions.
STANDARD = {
    "ConsolidationEliminationsMember": "Eliminations",
    "CorporateNonSegmentMember": "Corporate",
    "CorporateReconcilingItemsAndEliminationsMember": "Corporate and eliminations",
    "IntersegmentEliminationMember": "Intersegment eliminations",
    "MaterialReconcilingItemsMember": "Reconciling items",
    "SegmentReconcilingItemsMember": "Reconciling items",
    "NonUsMember": "Outside the U.S.",
}
# Words that say which figure it is, not of which part.
OF_ANY = frozenset({"total", "net", "revenue", "sale", "of", "income", "loss", "operating", "amount", ""})


def cleaned(label: str, *, item: bool = False) -> str:
    """A label without what it says besides the name; unchanged where nothing would be left.

    item: whether it names what stands between segments and the whole, such as eliminations between segments.
    """
    found = " ".join(label.split())
    for pattern in (FOOTNOTE, KIND, *(() if item else (SEGMENT,)), TOTAL, FOOTNOTE):
        found = pattern.sub("", found).strip() or found
    return found[:1].upper() + found[1:] if label[:1].isupper() else found


def names_of(division: Division, filings: Sequence[Filing]) -> dict[tuple[str, ...], str]:
    """The name of each row by its key.

    Of the member's label in the filing, if it is not only the words of its element; else of the row that the figure is
    printed in, if no other row has the same label, so that it names the part and not the measure; else of its column,
    where the parts stand side by side; else of the element's words. filings: the report, and the annual report beside
    it, whose labels are used where it has none.
    """
    labels = [member_facts.labels(filing) for filing in filings]
    printed = Counter(normalise(one.facts[0].label) for one in division.rows)
    members = Counter(one.told for one in division.rows)
    measure = {one.rstrip("s") for one in normalise(division.whole.label).split()} | OF_ANY
    found = {}
    for one in division.rows:
        if one.is_printed:
            alone = one.told.rpartition(HEADED)[2]
            alike = sum(other.told.rpartition(HEADED)[2] == alone for other in division.rows)
            found[one.key] = cleaned(alone if alike == 1 else one.told, item=one.reconciling)
            continue
        member = one.told.rpartition("=")[2]
        given = [known[one.told] for known in labels if one.told in known]
        own = [label for label in given if _letters(label) != _letters(words(member))]
        row = one.facts[0].label
        names = {word.rstrip("s") for word in normalise(row).split()}
        unique = printed[normalise(row)] == 1 and len(one.facts) == 1 and bool(names - measure)
        # A member between the segments and the whole may stand for several rows, each named by its own.
        told = [
            *([row] if unique and members[one.told] > 1 else ()),
            *own[:1],
            *([row] if unique else ()),
            *_columns(one, division, measure),
            STANDARD.get(member, ""),
            # A label of the element's words may have its capitals right, and its words run together.
            *(label for label in given if label.count(" ") >= words(member).count(" ")),
            words(member),
            row,
        ]
        found[one.key] = cleaned(next(filter(None, told), one.told), item=one.reconciling)
    return found


def _columns(part: Part, division: Division, measure: set[str]) -> Iterator[str]:
    """The heading that a part alone has in a printed row that gives several parts, each in its column."""
    fact = part.facts[0]
    row = [_headings(one.facts[0]) for one in division.rows if one is not part and one.facts[0].label == fact.label]
    own = _headings(fact) - set().union(*row)
    # All else that stands above it stands above another part too: neither is from another table.
    if len(own) == 1 and any(_headings(fact) - own < other for other in row):
        name = min(own)
        if not DIGIT.search(name) and {word.rstrip("s") for word in normalise(name).split()} - measure:
            yield name


def _headings(fact: Fact) -> set[str]:
    return set(filter(None, (fact.column or "").split(" | ")))


def _letters(label: str) -> str:
    return normalise(label).replace(" ", "")
