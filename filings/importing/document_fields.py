"""What must be known of a document that is imported: given by a person, else stated by the document, never guessed."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.conf import settings

from filings.edgar.registrant_names import everyday_name
from filings.edgar.registrants import as_symbol, cik_digits, close_matches, of_class
from filings.importing.company_calendar import Period, period_ending
from filings.importing.stated import LONGEST_TITLE, Stated
from filings.models import Company, Ticker
from filings.models.importing import LONGEST_NAME
from filings.models.source_kinds import KINDS, SourceKind, kinds_of

WORD = re.compile(r"[\w&]+(?:['\u2019.-][\w&]+)*")
# "(NASDAQ: AAPL)", "(NYSE: BRK.B)", "(AAPL)".
SYMBOL = re.compile(r"\((?:[A-Za-z][\w ]{1,30}:\s*)?([A-Z]{1,5}(?:[.-][A-Z])?)\)")
LONGEST_ADDRESS = 1000
YEARS = range(1990, 2101)
QUARTERS = range(1, 5)
PERIOD = re.compile(r"(?:FY\s*)?(\d{4})(?:[\s-]?Q([1-4]))?", re.IGNORECASE)
# Controls, which no name or title has and some databases refuse, and halves of surrogate pairs.
NEVER = re.compile("[\0-\x1f\x7f\ud800-\udfff]")


class ImportRefused(ValueError):
    """A file that cannot be imported as it is: which field is wrong or missing, and why, in a sentence for people."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field, self.why = field, why

    def __reduce__(self) -> tuple[type["ImportRefused"], tuple[str, str]]:
        return ImportRefused, (self.field, self.why)


@dataclass(frozen=True, slots=True)
class DocumentFields:
    """What is known of a document; None or "" where it is not.

    day: of filing, publication or the call. address: where the file came from, an http(s) address.
    """

    company: Company | None = None
    kind: SourceKind | None = None
    fiscal_year: int | None = None
    fiscal_quarter: int | None = None
    day: date | None = None
    title: str = ""
    address: str = ""


def checked_file(content: bytes, filename: str) -> str:
    """The name under which a file is held, without its folders. Raises ImportRefused for a file that is never read."""
    name = checked_name(filename)
    check_size(len(content))
    return name


def check_size(size: int) -> None:
    """Raises ImportRefused for a file that is empty or too large. size: in bytes."""
    if not size:
        raise ImportRefused("file", "The file is empty.")
    most = settings.IMPORT_MOST_BYTES
    if size > most:
        raise ImportRefused("file", f"The file has {size:,} bytes; at most {most:,} are taken.")


def checked_name(filename: str) -> str:
    """A file's name without folders, at most 200 characters, its ending kept. Raises ImportRefused."""
    if NEVER.search(filename):
        raise ImportRefused("file", "The file's name has characters that no name may have.")
    name = re.split(r"[\\/]", filename)[-1].strip()
    if not name.strip("."):
        raise ImportRefused("file", "The file has no name.")
    stem, dot, ending = name.rpartition(".")
    kept = f".{ending}" if dot and len(ending) <= 10 else ""
    return name if len(name) <= LONGEST_NAME else (stem if kept else name)[: LONGEST_NAME - len(kept)] + kept


def fields_of(written: Mapping[str, str]) -> DocumentFields:
    """The fields that a person wrote, by name: company, kind, period (2024Q3 or 2024), date, title, address.

    Raises ImportRefused for the first that cannot be read.
    """
    texts = {name: written.get(name, "").strip() for name in ("company", "kind", "period", "date", "title", "address")}
    for name, text in texts.items():
        if NEVER.search(text):
            raise ImportRefused(name, f"The {name} has characters that no text may have.")
    year, quarter = _period(texts["period"])
    return checked(
        DocumentFields(
            company=known_company(texts["company"]) if texts["company"] else None,
            kind=_kind(texts["kind"]),
            fiscal_year=year,
            fiscal_quarter=quarter,
            day=_day(texts["date"]),
            title=texts["title"],
            address=texts["address"],
        )
    )


def known_company(text: str) -> Company:
    """The stored company of a ticker, CIK or exact name. Raises ImportRefused that names close ones."""
    found = Company.objects.filter(tickers__symbol=as_symbol(text)).first() or of_class(text)
    if found is None and (digits := cik_digits(text)[:20]):
        found = Company.objects.filter(cik=int(digits)).first() if len(digits) <= 10 else None
    found = found or Company.objects.filter(name__iexact=text).first()
    if found is None:
        near = close_matches(text[:60])
        meant = f" Closest: {', '.join(near)}." if near else ""
        raise ImportRefused("company", f"No company called “{text[:60]}” is known here.{meant}")
    return found


def _kind(text: str) -> SourceKind | None:
    try:
        return kinds_of([text])[0] if text else None
    except ValueError as error:
        raise ImportRefused("kind", str(error)) from error


def _period(text: str) -> tuple[int | None, int | None]:
    if not text:
        return None, None
    match = PERIOD.fullmatch(text)
    if not match:
        raise ImportRefused("period", f"“{text[:40]}” is no period. Write 2024Q3 for a quarter, 2024 for a year.")
    return int(match[1]), int(match[2]) if match[2] else None


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise ImportRefused("date", f"“{text[:40]}” is no day. Write it as 2024-08-01.") from None


def checked(fields: DocumentFields) -> DocumentFields:
    """The same fields. Raises ImportRefused for one out of bounds."""
    if fields.fiscal_year is not None and fields.fiscal_year not in YEARS:
        raise ImportRefused("period", f"A fiscal year is from {YEARS[0]} to {YEARS[-1]}.")
    if fields.fiscal_quarter is not None and fields.fiscal_quarter not in QUARTERS:
        raise ImportRefused("period", "A quarter is from 1 to 4.")
    if fields.fiscal_quarter and not fields.fiscal_year:
        raise ImportRefused("period", "A quarter needs its fiscal year: write 2024Q3.")
    for name, text, most in (("title", fields.title, LONGEST_TITLE), ("address", fields.address, LONGEST_ADDRESS)):
        if len(text) > most:
            raise ImportRefused(name, f"The {name} has {len(text):,} characters; at most {most:,} are taken.")
    if fields.address and not fields.address.startswith(("https://", "http://")):
        raise ImportRefused("address", "An address begins with https:// or http://.")
    return fields


def filled(given: DocumentFields, said: Stated) -> DocumentFields:
    """The fields given, the missing ones as the document states them; what neither says stays empty."""
    found = replace(
        given,
        company=given.company or company_named(said.opening),
        kind=given.kind or KINDS.get(said.kind),
        day=given.day or said.day,
    )
    if found.fiscal_year is None and found.kind and (period := _period_stated(found, found.kind, said)):
        found = replace(found, fiscal_year=period.year, fiscal_quarter=period.quarter)
    return found


def _period_stated(fields: DocumentFields, kind: SourceKind, said: Stated) -> Period | None:
    quarterly = kind.span == "quarter"
    if said.period_end and fields.company and kind.span != "day":
        return period_ending(fields.company, said.period_end, quarterly=quarterly)
    # A release of results says of which quarter they are.
    if kind.span != "year" and said.fiscal_year and said.fiscal_quarter:
        return Period(said.fiscal_year, said.fiscal_quarter, None)
    return None


def missing(fields: DocumentFields) -> ImportRefused | None:
    """What a person must still say, the first of it; None where the document can be stored."""
    if fields.company is None:
        return ImportRefused("company", "The document does not say which company it is of. Name the company.")
    if fields.kind is None:
        return ImportRefused("kind", "The document does not say of which kind it is. Name its kind.")
    if fields.kind.span == "quarter" and not (fields.fiscal_year and fields.fiscal_quarter):
        return ImportRefused("period", "The document does not say its quarter. Give its period, such as 2024Q3.")
    if fields.kind.span == "year" and not fields.fiscal_year:
        return ImportRefused("period", "The document does not say its fiscal year. Give its period, such as 2024.")
    if fields.kind.span == "year" and fields.fiscal_quarter:
        return ImportRefused("period", f"A document of the kind {fields.kind.label} is of a year, not of a quarter.")
    if fields.day is None:
        return ImportRefused("date", "The document does not say its date. Give it, such as 2024-08-01.")
    return None


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
