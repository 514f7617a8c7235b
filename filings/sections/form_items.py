"""How each form labels its Items in print, and which of them a label names."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from filings.document.layout.lines import ITEM_WORD
from filings.sections.items import CURRENT_ITEMS, FOREIGN_ITEMS, ITEMS, QUARTERLY_ITEMS, Item
from filings.sections.titles import title_end

ONE_KEY = re.compile(r"(\d{1,2}(?:\.\d{2})?)[\s.]?\(?([A-Ka-k]?)\)?(?![A-Za-z0-9])")
OF_KEY = re.compile(r"(?:I{1,2}|20F)\.")  # what a stored key has before the printed number


def _label(key: str, between: str = "", after: str = "") -> re.Pattern[str]:
    """ "Item 1A", "PART I, Item 1A", "Items 1 and 2", "ITEM 7 / 7A": what precedes a title."""
    return re.compile(
        rf"(?:part\s+(?P<part>iv|i{{1,3}})\b[\s,.:;\u2013—-]*{between})?{ITEM_WORD}\s*[#:]?\s*"
        rf"(?P<keys>{key}(?:\s*(?:,|/|and|&|,\s*and|through|to)\s*(?:items?\s*)?{key})*)"
        rf"{after}\s*[.:;)\u2013—-]*\s*[|]?\s*",
        re.IGNORECASE,
    )


def _bare(key: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<keys>{key})\s*[.:\u2013—-]?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class FormItems:
    """The Items of one form and their labels.

    `key` is the pattern of one printed number. `part` fully matches the name of a part, with the group "part" as "II".
    `great` are Items that every document of the form has; `apart` some of different parts, which only a whole list has.
    `statements` and `discussion` are the Items that have the financial statements and management's discussion. `between` may stand between a part and an Item's label, `after` between
    its number and its title.
    `swapped` are two Items that some filers print in the other order; `unlabelled` those that some print by their titles
    alone, all of them.
    """

    items: Mapping[str, Item]
    key: str = r"\d{1,2}\s?(?:[(]?[A-Ca-c][)]?)?(?![A-Za-z0-9])"
    part: re.Pattern[str] = re.compile(r"\W*part\s+(?P<part>iv|i{1,3})\b\W*", re.IGNORECASE)
    between: str = ""
    after: str = ""
    great: tuple[str, ...] = ()
    apart: frozenset[str] = field(default_factory=frozenset)
    statements: str = ""
    discussion: str = ""
    swapped: tuple[str, ...] = ()
    unlabelled: tuple[str, ...] = ()

    @cached_property
    def label(self) -> re.Pattern[str]:
        return _label(self.key, self.between, self.after)

    @cached_property
    def bare(self) -> re.Pattern[str]:
        return _bare(self.key)

    @cached_property
    def _numbered(self) -> dict[str, list[str]]:
        """The Items of each printed number: several where each part counts from 1."""
        numbered: dict[str, list[str]] = defaultdict(list)
        for item in self.items:
            numbered[OF_KEY.sub("", item, count=1)].append(item)
        return numbered

    @property
    def begins_again(self) -> bool:
        """Whether one number is the label of several Items."""
        return len(self._numbered) < len(self.items)

    @cached_property
    def orders(self) -> tuple[Mapping[str, int], ...]:
        """The place of each Item, in each order that filers print them in."""
        places = {item: place for place, item in enumerate(self.items)}
        if not self.swapped:
            return (places,)
        one, other = self.swapped
        return places, places | {one: places[other], other: places[one]}

    def keys(self, label: re.Match[str], title: str, part: str = "") -> tuple[str, ...]:
        """The Items that a label names, in order: "1 and 2" is ("1", "2"); any other number is left out.

        Of several with one number it is the one whose title follows, else the one of the part that the label names or
        that the label stands in.
        """
        part = (label.groupdict().get("part") or part).upper()
        found: dict[str, None] = {}
        for number, letter in ONE_KEY.findall(label["keys"]):
            among = self._numbered.get(number.lstrip("0") + letter.upper(), [])
            if len(among) > 1:
                titled = [key for key in among if title_end(key, title, anywhere=True)]
                among = titled if len(titled) == 1 else [key for key in among if self.items[key].part == part]
            found |= dict.fromkeys(among[:1])
        return tuple(found)


ANNUAL = FormItems(ITEMS, great=("1", "1A", "7", "8"), apart=frozenset({"1", "7"}), statements="8", discussion="7")
OF_QUARTER = r"(?:(?:financial|other)\s+information[\s,.:;\u2013—-]*)?"
QUARTERLY = FormItems(
    QUARTERLY_ITEMS,
    part=re.compile(rf"\W*part\s+(?P<part>i{{1,2}})\b[\s,.:;\u2013—-]*{OF_QUARTER}\W*", re.IGNORECASE),
    between=OF_QUARTER,
    great=("I.1", "I.2"),
    apart=frozenset({"I.1", "I.2"}),
    statements="I.1",
    discussion="I.2",
    swapped=("I.1", "I.2"),
    unlabelled=("I.1", "I.2", "I.3", "I.4"),
)
CURRENT = FormItems(
    {key: item for key, item in CURRENT_ITEMS.items() if item.part != "99"},
    key=r"\d\.\d{2}(?![A-Za-z0-9])",
    after=r"(?:\s?\([a-z]\))*",
)
FOREIGN = FormItems(
    FOREIGN_ITEMS,
    key=r"\d{1,2}[\s.]?(?:[(]?[A-Ka-k][)]?)?(?![A-Za-z0-9])",
    great=("20F.4", "20F.5", "20F.8", "20F.18"),
    apart=frozenset({"20F.4", "20F.18"}),
    statements="20F.18",
    unlabelled=("20F.3D",),
)
