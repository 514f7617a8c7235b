"""How Items are printed: their labels, their titles over the years, and how long each may plausibly be."""

import re
from typing import NamedTuple

from filings.sections.items import ITEMS

KEY = r"\d{1,2}\s?(?:[(]?[A-Ca-c][)]?)?(?![A-Za-z0-9])"
# "Item 1A", "PART I, Item 1A", "Items 1 and 2", "ITEM 7 / 7A".
LABEL = re.compile(
    rf"(?:part\s+(?:iv|i{{1,3}})\b[\s,.:;\u2013—-]*)?items?\s*[#:]?\s*(?P<keys>{KEY}(?:\s*(?:,|/|and|&|,\s*and|through|to)\s*(?:items?\s*)?{KEY})*)"
    r"\s*[.:;)\u2013—-]*\s*[|]?\s*",
    re.IGNORECASE,
)
BARE_LABEL = re.compile(rf"(?P<keys>{KEY})\s*[.:\u2013—-]?\s*", re.IGNORECASE)
ONE_KEY = re.compile(r"(\d{1,2})\s?\(?([A-Ca-c]?)\)?(?![A-Za-z0-9])")

# What follows a label, from its first word. Written by us after Form 10-K and its editions since 2005.
TITLES: dict[str, re.Pattern[str]] = {
    key: re.compile(pattern, re.IGNORECASE)
    for key, pattern in {
        "1": r"(?:description\s+of\s+(?:our\s+|the\s+)?)?(?:our\s+)?(?:company.s\s+)?business\b(?!\s+(?:combination|segment))",
        "1A": r"(?:discussion\s+of\s+)?risk\s+factors\b",
        "1B": r"unresolved\s+(?:sec\s+)?staff\s+comments?",
        "1C": r"cyber\s?-?security",
        "2": r"(?:description\s+of\s+)?(?:our\s+)?propert(?:y|ies)\b",
        "3": r"(?:pending\s+)?legal\s+(?:proceedings?|matters)",
        "4": r"mine\s+safety|submission\s+of\s+matters",
        "5": r"(?:the\s+)?markets?\s+(?:for|price)|market\s+(?:information|for)",
        "6": r"(?:summary\s+of\s+)?selected\s+(?:consolidated\s+|historical\s+)*(?:financial|data)|(?:consolidated\s+)?(?:five.year|financial)\s+(?:summary|data|review)",
        "7": r"management\W{0,2}s?\W{0,2}\s+(?:narrative\s+)?(?:discussion|analysis)|managements\s+discussion|(?:discussion|analysis)\s+and\s+analysis",
        "7A": r"quantitative\s+(?:and|&)\s+qualitative|qualitative\s+and\s+quantitative|(?:disclosures?\s+about\s+)?market\s+risk",
        "8": r"(?:[\w.,&\u2019']+\s+){0,5}?financial\s+statements?\b",
        "9": r"changes?\s+in\s+(?:and|or|accountants)|changes?\s+(?:in|and)\s+(?:and\s+)?disagreements?|disagreements?\s+with",
        "9A": r"(?:disclosure\s+)?controls?\s+and\s+procedures?|controls",
        "9B": r"other\s+information",
        "9C": r"disclosures?\s+regarding\s+foreign",
        "10": r"directors\b|\W*director,",
        "11": r"executive\s+(?:and\s+director\s+)?compensation",
        "12": r"security\s+ownership|stock\s+ownership",
        "13": r"certain\s+relationships|transactions\s+with\s+related",
        "14": r"principal\s+account(?:ant|ing)|audit(?:or|\s+fees)",
        "15": r"exhibits?\b|financial\s+statement\s+schedules?",
        "16": r"(?:form\s+)?10\W?k\s+summary|summary\b",
    }.items()
}
# What stands in the place of a title, under any label.
VACANT = re.compile(
    r"\W*(?:removed\s+and\s+)?(?:reserved|(?:intentionally\s+)?(?:omitted|left\s+blank)|not\s+applicable)\b",
    re.IGNORECASE,
)
# Titles that stand without a label where the text has none: only what is unmistakable.
OWN_TITLES: dict[str, re.Pattern[str]] = {
    key: re.compile(pattern, re.IGNORECASE)
    for key, pattern in {
        "1": r"(?:business|(?:description\s+of\s+)?(?:our|the)\s+business|business\s+(?:overview|summary|description|and\s+properties)|about\s+[\w .&\u2019']+|overview)\W*",
        "1A": r"risk\s+factors(?:\s+and\s+cautionary\s+statements?.*)?\W*",
        "1B": r"unresolved\s+staff\s+comments\W*",
        "1C": r"cyber\s?security(?:\s+(?:disclosures?|risk\s+management.*))?\W*",
        "2": r"properties\W*",
        "3": r"legal\s+proceedings\W*",
        "4": r"mine\s+safety\s+disclosures?\W*",
        "5": r"market\s+for\s+(?:the\s+)?(?:registrant|company|our|[\w .&]+).{0,4}s?\s+common\s+(?:equity|stock).*|.*issuer\s+purchases\s+of\s+equity\s+securities\W*|stockholder\s+information.*",
        "6": r"selected\s+(?:consolidated\s+)?financial\s+data.*|(?:\d+|five|six|ten|eleven).year\s+(?:financial\s+)?summary\W*",
        "7": r"management.{0,4}s\s+(?:financial\s+)?discussion\s+and\s+analysis.*|management\s+discussion|financial\s+review",
        "7A": r"quantitative\s+and\s+qualitative\s+disclosures?.*|market\s+risk(?:\s+disclosures?)?\W*",
        "8": r"(?:audited\s+)?(?:consolidated\s+)?financial\s+statements(?:\s+and\s+(?:supplementary\s+data|notes|footnotes))?\W*",
        "9": r"changes\s+in\s+and\s+disagreements\s+with\s+accountants.*",
        "9A": r"(?:disclosure\s+)?controls\s+and\s+procedures\W*",
        "9B": r"other\s+information\W*",
        "9C": r"disclosures?\s+regarding\s+foreign\s+jurisdictions.*",
        "10": r"directors,?\s+(?:and\s+)?executive\s+officers.*",
        "11": r"executive\s+compensation\W*",
        "12": r"security\s+ownership\s+of\s+certain.*",
        "13": r"certain\s+relationships\s+and\s+related.*",
        "14": r"principal\s+account(?:ant|ing|ant\u2019s)\s+fees.*",
        "15": r"exhibits(?:,|\s+and)\s+financial\s+statements?\s+schedules?.*|exhibit\s+index\W*|exhibits\W*",
        "16": r"form\s+10\W?k\s+summary\W*",
    }.items()
}


class Sizes(NamedTuple):
    """The plausible length of an extracted Item, in characters."""

    least: int
    most: int


DEFAULT_SIZES = Sizes(20, 150_000)
SIZES: dict[str, Sizes] = {
    "1": Sizes(2_000, 700_000),
    "1A": Sizes(2_000, 700_000),
    "1B": Sizes(4, 12_000),
    "1C": Sizes(300, 40_000),
    "2": Sizes(60, 120_000),
    "3": Sizes(40, 80_000),
    "4": Sizes(10, 20_000),
    "5": Sizes(100, 60_000),
    "6": Sizes(20, 60_000),
    "7": Sizes(3_000, 1_200_000),
    "7A": Sizes(60, 80_000),
    "8": Sizes(10_000, 3_000_000),
    "9": Sizes(20, 12_000),
    "9A": Sizes(300, 40_000),
    "9B": Sizes(20, 30_000),
    "9C": Sizes(10, 5_000),
    "10": Sizes(20, 150_000),
    "11": Sizes(20, 400_000),
    "15": Sizes(20, 900_000),
    "16": Sizes(3, 30_000),
}


def sizes(item: str) -> Sizes:
    """The plausible sizes of an Item."""
    return SIZES.get(item, DEFAULT_SIZES)


def title_of(key: str, text: str, anywhere: bool = False) -> re.Match[str] | None:
    """The Item's title at the start of what follows its label; anywhere in it, where that is set apart as a heading."""
    found = TITLES[key].match(text) or VACANT.match(text)
    return found or (TITLES[key].search(text) if anywhere else None)


def keys_in(text: str) -> tuple[str, ...]:
    """The Items that a label's keys name, in order: "1 and 2" is ("1", "2"); what is no Item is left out."""
    found = [number.lstrip("0") + letter.upper() for number, letter in ONE_KEY.findall(text)]
    return tuple(dict.fromkeys(key for key in found if key in ITEMS))
