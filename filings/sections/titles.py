"""Printed titles of Items over the years, and their plausible lengths."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from filings.sections.items import ALL_ITEMS

# Titles of Form 10-K's editions besides those of ITEMS, and short forms. Printed titles are matched by similarity, so
# plurals, other orders or an extra word need no entry.
EDITIONS: dict[str, tuple[str, ...]] = {
    "1": ("Description of Business", "Business Overview"),
    "1C": ("Cybersecurity Risk Management",),
    "2": ("Description of Property",),
    "4": ("Submission of Matters to a Vote of Security Holders",),
    "5": (
        "Market for Registrant\u2019s Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities",
        "Market for Common Stock and Related Shareholder Matters",
        "Stockholder Information",
    ),
    "6": ("Selected Consolidated Financial Data", "Five-Year Financial Summary", "Financial Review"),
    "7": (
        "Management\u2019s Discussion and Analysis of Financial Condition and Results of Operations",
        "Management\u2019s Narrative Analysis of Results of Operations",
        "MD&A",
    ),
    "7A": ("Quantitative and Qualitative Disclosures About Market Risk", "Market Risk"),
    "8": (
        "Financial Statements and Supplementary Data",
        "Audited Consolidated Financial Statements",
    ),
    "9": ("Changes in and Disagreements with Accountants on Accounting and Financial Disclosure",),
    "9A": ("Disclosure Controls and Procedures",),
    "9C": ("Disclosure Regarding Foreign Jurisdictions that Prevent Inspections",),
    "10": (
        "Directors and Executive Officers of the Registrant",
        "Directors, Executive Officers and Corporate Governance",
    ),
    "12": ("Security Ownership of Certain Beneficial Owners and Management and Related Stockholder Matters",),
    "13": ("Certain Relationships and Related Transactions, and Director Independence",),
    "14": ("Principal Accountant Fees and Services", "Audit Fees"),
    "15": ("Exhibits, Financial Statement Schedules and Reports on Form 8-K", "Exhibits"),
}
# Those of the other forms. Items of a 10-Q that a 10-K has too share its titles.
EDITIONS |= {
    "I.1": (
        "Condensed Consolidated Financial Statements",
        "Interim Financial Statements",
        "Consolidated Statements of Income",
        "Consolidated Statements of Earnings",
        "Consolidated Statements of Operations",
        "Consolidated Balance Sheets",
    ),
    "I.2": EDITIONS["7"],
    "I.3": EDITIONS["7A"],
    "I.4": EDITIONS["9A"],
    "II.2": (
        "Unregistered Sales of Equity Securities, Use of Proceeds, and Issuer Purchases of Equity Securities",
        "Issuer Purchases of Equity Securities",
        "Changes in Securities and Use of Proceeds",
    ),
    "II.4": EDITIONS["4"],
    "II.6": ("Exhibits and Reports on Form 8-K",),
    "2.03": ("Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement",),
    "5.02": (
        "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers",
        "Compensatory Arrangements of Certain Officers",
    ),
    "20F.11": EDITIONS["7A"],
    "20F.16I": EDITIONS["9C"],
    "5.07": ("Submission of Matters to a Vote of Security Holders",),
}
# Text in place of a title, under any label.
VACANT = re.compile(
    r"\W*(?:removed\s+and\s+)?(?:reserved|(?:intentionally\s+)?(?:omitted|left\s+blank)|not\s+applicable)\b",
    re.IGNORECASE,
)
# Words of long titles that may be a title without a label, where Items have no formal headings.
ALIASES: dict[str, re.Pattern[str]] = {
    "1": re.compile(r"about\s+[\w .&\u2019']+|overview", re.IGNORECASE),
    "5": re.compile(r".*issuer\s+purchases\s+of\s+equity\s+securities\W*", re.IGNORECASE),
    "6": re.compile(r"(?:\d+|six|ten|eleven).year\s+(?:financial\s+)?summary\W*", re.IGNORECASE),
}
WORD = re.compile(r"[A-Za-z]+(?:[&\u2019'][A-Za-z]+)*")
LONE = re.compile(r"\b[A-Za-z]\b")
LINKING = frozenset(
    ("a", "about", "an", "and", "at", "by", "for", "in", "its", "of", "on", "or", "our", "that", "the", "to", "with")
)
ROOT = 5  # letters by which words are equal: Condition and Conditions, Accountants and Accounting
STOP = re.compile(r"[.:;\u2013\u2014]\s|\s[(|]|\s-\s")
MOST_STRANGE = 3  # consecutive foreign words after which a title has ended


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
    "I.1": Sizes(4_000, 3_000_000),
    "I.2": Sizes(2_000, 1_200_000),
    "I.3": Sizes(20, 80_000),
    "I.4": Sizes(100, 40_000),
    "II.1A": Sizes(20, 700_000),
    "II.4": Sizes(4, 20_000),
    "20F.3D": Sizes(2_000, 700_000),
    "20F.4": Sizes(2_000, 1_000_000),
    "20F.5": Sizes(2_000, 1_200_000),
    "20F.8": Sizes(60, 3_000_000),
    "20F.18": Sizes(20, 3_000_000),
    "20F.19": Sizes(20, 900_000),
}


def sizes(item: str) -> Sizes:
    """The plausible sizes of an Item."""
    return SIZES.get(item, DEFAULT_SIZES)


def _roots(text: str) -> list[tuple[str, int]]:
    """The roots of a text's meaningful words, each with its end. A letter separated from its word is put back."""
    found: list[tuple[str, int]] = []
    for word in WORD.finditer(text):
        root = re.split(r"[\u2019']", word[0].lower())[0]
        if len(root) == 1 and found and root != "a" and text[word.start() - 1] == " ":
            found[-1] = found[-1][0], word.end()
        elif root not in LINKING:
            found.append((root.removesuffix("s")[:ROOT], word.end()))
    return found


TITLES = {key: (item.title, *EDITIONS.get(key, ())) for key, item in ALL_ITEMS.items()}
KNOWN: dict[str, tuple[frozenset[str], ...]] = {
    key: tuple(frozenset(root for root, _ in _roots(title)) for title in titles) for key, titles in TITLES.items()
}


def title_end(key: str, text: str, anywhere: bool = False) -> int | None:
    """The end of the Item's title that a text begins with, after its label; None where there is none.

    A title shares half of its meaningful words with one of the Item's, counted on the shorter. With `anywhere` foreign
    words may come first, as in a line that is set apart.
    """
    if vacant := VACANT.match(text):
        return vacant.end()
    if not anywhere and not re.match(r"[A-Z(\[]", text):
        return None
    if spaced := _spaced_end(key, text):
        return spaced
    stop = STOP.search(text)
    words = _roots(text[: stop.start()] if stop else text)
    return max((end for known in KNOWN[key] if (end := _like(words, known, anywhere))), default=None)


def _spaced_end(key: str, text: str) -> int:
    """The end of a title whose letters are set apart, as in "R ISK F ACTORS"; 0 for any other text."""
    if 3 * len(LONE.findall(text)) < len(WORD.findall(text)):
        return 0
    places = [place for place, letter in enumerate(text) if letter.isalpha()]
    letters = "".join(text[place] for place in places).casefold()
    titles = ("".join(filter(str.isalpha, title)).casefold() for title in TITLES[key])
    return max((places[len(title) - 1] + 1 for title in titles if title and letters.startswith(title)), default=0)


def _like(words: Sequence[tuple[str, int]], known: frozenset[str], anywhere: bool) -> int:
    """The end of the words that make a title similar to a known one; 0 where they do not."""
    seen: set[str] = set()
    shared: set[str] = set()
    end = strange = 0
    counted = 0
    for root, at in words:
        seen.add(root)
        if root in known:
            shared.add(root)
            end, strange, counted = at, 0, len(seen)
        else:
            strange += 1
            if strange > MOST_STRANGE and (shared or not anywhere):
                break
    return end if shared and 2 * len(shared) >= min(counted, len(known)) else 0


def is_own_title(key: str, text: str) -> bool:
    """Whether a line without a label is an Item's title: three quarters of one, and hardly a foreign word."""
    alias = ALIASES.get(key)
    if alias and alias.fullmatch(text):
        return True
    roots = {root for root, _ in _roots(text)}
    strange = len(roots - frozenset.union(*KNOWN[key]))
    return any(4 * len(roots & known) >= max(3 * len(known), 16 * strange) for known in KNOWN[key])
