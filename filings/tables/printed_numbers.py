"""Printed figures as numbers: "$ (1,234.5)", "12 %", "—"."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

# Signs of currencies that stand for one alone; "$" is that of the SEC's filers unless words say otherwise.
CURRENCIES = {
    "$": "USD",
    "US$": "USD",
    "€": "EUR",
    "£": "GBP",
    "C$": "CAD",
    "A$": "AUD",
    "HK$": "HKD",
    "NT$": "TWD",
    "RMB": "CNY",
}
SIGN = r"(?:(?:US|C|A|HK|NT|R)?[$€£¥]|RMB)"
_FIGURE = re.compile(
    rf"(?P<sign>{SIGN})?\s*(?P<open>\()?\s*(?P<inner>{SIGN})?\s*(?P<minus>[-\u2013\u2212])?\s*(?P<after>{SIGN})?\s*"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s*(?P<percent>%)?\s*(?P<close>\))?\s*(?P<late>%)?"
    r"(?:\s*\(\s*(?:\d{1,2}|[a-z])\s*\)|\s*[*\u2020\u2021]+)?",
    re.IGNORECASE,
)
_DASH = re.compile(rf"{SIGN}?\s*[\u2012-\u2015-]+\s*%?")
_NOTE = re.compile(r"\(\s*(?:\d{1,2}|[a-z])\s*\)|\*+", re.IGNORECASE)
# What stands in the columns of figures: figures, dashes, and signs that belong to them.
_LIKE = re.compile(
    r"[A-Z]{0,3}[$€£¥]?\s*\(?\s*[$€£¥]?\s*[+\u2013-]?\s*[\d.,]*\d[\d.,]*\s*\)?\s*(?:%|x|bps|pts?\.?|pp)?\s*\)?|"
    r"[$€£¥]?\s*[\u2014\u2013-]+\s*%?|n/?[am]\.?|[$€£¥%()]+",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Figure:
    """A printed number. sign: of its currency, as "$"; digits: decimals printed behind the point."""

    value: Decimal
    sign: str = ""
    percent: bool = False
    digits: int = 0


def is_figure(text: str) -> bool:
    """Whether a cell is a figure, a dash in the place of one, or a sign that belongs to one."""
    return bool(_LIKE.fullmatch(_NOTE.sub("", text).strip() or "-"))


def is_dash(text: str) -> bool:
    """Whether a cell prints that there is nothing."""
    return bool(_DASH.fullmatch(text.strip()))


@lru_cache(maxsize=4096)
def figure(text: str) -> Figure | None:
    """A printed figure; None for what is none, or where its sign is not certain: "(12" without its bracket."""
    found = _FIGURE.fullmatch(text.strip())
    if not found or bool(found["open"]) != bool(found["close"]):
        return None
    value = Decimal(found["digits"].replace(",", ""))
    return Figure(
        -value if found["open"] or found["minus"] else value,
        (found["sign"] or found["inner"] or found["after"] or "").upper(),
        bool(found["percent"] or found["late"]),
        len(found["digits"].partition(".")[2]),
    )
