"""Which of the companies held a document's opening names."""

import re
from collections.abc import Iterable

from filings.edgar.registrant_names import everyday_name
from filings.models import Company, Ticker

WORD = re.compile(r"[\w&]+(?:['\u2019.-][\w&]+)*")
# "(NASDAQ: AAPL)", "(NYSE: BRK.B)", "(AAPL)".
SYMBOL = re.compile(r"\((?:[A-Za-z][\w ]{1,30}:\s*)?([A-Z]{1,5}(?:[.-][A-Z])?)\)")


def company_named(opening: str) -> Company | None:
    """The one company whose registered name stands in a text; else whose ticker does, in brackets; else whose everyday
    name does, as it is written. None where no such company is held, or several are.
    """
    held = list(Company.objects.filter(filings__isnull=False).distinct())
    words = WORD.findall(opening)
    folded = _row(word.casefold() for word in words)
    found = _one(one for one in held if _row(WORD.findall(one.name.casefold())) in folded)
    if found is None:
        symbols = {symbol.replace(".", "-") for symbol in SYMBOL.findall(opening)}
        tickers = Ticker.objects.filter(symbol__in=symbols, company__in=held).select_related("company")
        found = _one(ticker.company for ticker in tickers)
    if found is None:
        plain = _row(word.removesuffix("'s").removesuffix("\u2019s") for word in words)
        found = _one(one for one in held if _row(WORD.findall(everyday_name(one.cik, one.name))) in plain)
    return found


def _one(companies: Iterable[Company]) -> Company | None:
    found = {one.pk: one for one in companies}
    return next(iter(found.values())) if len(found) == 1 else None


def _row(words: Iterable[str]) -> str:
    """Words with a mark on either side, so that one row stands in another by whole words alone."""
    return f"\0{chr(0).join(words)}\0"
