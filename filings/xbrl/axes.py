"""Dimensions of facts: the axes by which companies report their parts, and names of their elements."""

import csv
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

# Axes on consolidation or assumptions, which may stand beside others.
BESIDE = frozenset({"ConsolidationItemsAxis", "StatementScenarioAxis"})
# Axes of a company's parts. A part is often tagged inside another: a product's sales within its segment.
PARTS = frozenset(
    {"StatementBusinessSegmentsAxis", "SubsegmentsAxis", "ProductOrServiceAxis", "StatementGeographicalAxis"}
)
# Axes of share classes.
CLASSES = "StatementClassOfStockAxis"
CLASS = re.compile(r"(?:Common|Capital)Class([A-Z])(\d?)Member")
COUNTRY = re.compile(r"[A-Z]{2}")
WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
# A word that joins two others, at the end of the first: Productsand, Chinaincluding. Not of Thousand, or of a country.
JOINING = re.compile(r"^([A-Z][a-z]+(?:s(?=and)|(?=including)|(?=excluding)))(and|including|excluding)$")
# Endings of element names that no table prints.
KIND = re.compile(r"(Member|Axis|Domain)$")


def words(element: str) -> str:
    """The words of an element's name: "Greater China Segment" of GreaterChinaSegmentMember.

    Some filers do not capitalize words that join two others: "China including Hong Kong" of ChinaincludingHongKongMember.
    """
    found = WORD.findall(KIND.sub("", element))
    return " ".join(JOINING.sub(r"\1 \2", word) for word in found) or element


def class_names(member: str) -> tuple[str, ...]:
    """Names of a share class: "Class A", "Class B-1"; none where it has no letter."""
    found = CLASS.fullmatch(member)
    if not found:
        return ()
    letter, number = found.groups()
    return (f"Class {letter}-{number}", f"Class {letter}{number}") if number else (f"Class {letter}",)


def country_names(code: str) -> tuple[str, ...]:
    """The English names of a country, the everyday one first; the code where it is unknown."""
    return countries().get(code, ()) or (code,)


@cache
def countries() -> dict[str, tuple[str, ...]]:
    """English names of countries by ISO 3166 code, from the Unicode CLDR file that edgartools includes."""
    # Located without importing it, which takes a second.
    found = find_spec("edgar")
    path = Path((found.submodule_search_locations or [""])[0] if found else "") / "reference/data/iso3166.csv"
    names: dict[str, tuple[str, ...]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            names[row["Code"]] = (*names.get(row["Code"], ()), row["Name"])
    return names
