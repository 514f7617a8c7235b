"""A second reading of the documents, for one question: does a filing say these words?

Shares nothing with the reading that is checked: letters and digits of the document as filed, in order.
"""

import json
import lzma
import re
import unicodedata
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from django.conf import settings
from lxml import etree, html
from pypdfium2 import PdfDocument

from agent.state import Claim, FactRef
from evals.golden import Golden
from filings.edgar.client import Edgar, EdgarError
from filings.edgar.local_folder import FolderTransport
from filings.importing import original_files
from filings.models import Filing, Origin
from filings.sample import FOLDER

# Documents that are quoted: forms with their exhibits.
TYPES = ("10-K", "10-Q", "8-K", "DEF 14A", "20-F", "EX-13", "EX-99")
# Letters between two pages: a footer, a running header, a page number.
BETWEEN_PAGES = 400
# This many letters of a quotation cannot match by chance.
LEAST = 12
SAMPLE = Path(settings.BASE_DIR) / "filings" / "sample"


def fold(text: str) -> str:
    """Letters and digits of a text, lower case."""
    return "".join(re.findall(r"[a-z0-9]+", unicodedata.normalize("NFKC", text).lower()))


def letters_of(document: bytes) -> str:
    """Letters and digits of what an HTML document shows, in order."""
    root = html.document_fromstring(document, parser=html.HTMLParser(huge_tree=True))
    parts: list[str] = []
    hidden = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment")):
        if event != "comment" and is_hidden(element):
            hidden += 1 if event == "start" else -1
        text = element.text if event == "start" else element.tail
        if text and not hidden:
            parts.append(fold(text))
    return "".join(parts)


def is_hidden(element: etree._Element) -> bool:
    tag = element.tag if isinstance(element.tag, str) else ""
    return (
        tag in {"script", "style", "title"}
        or tag.endswith("header")
        or "display:none" in ((element.get("style") or "").replace(" ", "").lower())
    )


def says(letters: str, quote: str) -> bool:
    """Whether a document has a quotation, complete or interrupted once or twice by a page break."""
    at = letters.find(quote[:LEAST])
    while at >= 0:
        if _goes_on(letters, quote, at, 2):
            return True
        at = letters.find(quote[:LEAST], at + 1)
    return False


def _goes_on(letters: str, quote: str, at: int, breaks: int) -> bool:
    """Whether a quotation begins at a position and continues there, over at most so many page breaks."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(letters[at : at + len(quote)], quote, strict=False))
    here = sum(1 for _ in same)
    if here == len(quote):
        return True
    if not breaks:
        return False
    # A header may begin with the letters that follow: the break may be slightly before the last common letter.
    for length in range(here, max(here - LEAST, 0), -1):
        rest = quote[length:]
        after = letters.find(rest[:LEAST], at + length, at + length + BETWEEN_PAGES)
        if after >= 0 and _goes_on(letters, rest, after, breaks - 1):
            return True
    return False


class Witness:
    """Looks claims up in the filings' own documents."""

    def __init__(self) -> None:
        self.letters = lru_cache(maxsize=40)(self._letters)

    def doubt(self, claim: Claim, cik: int) -> str:
        """Why a claim is not supported, in words; empty where the filing says it."""
        if claim.cik != cik:
            return f"quotes CIK {claim.cik}, asked was {cik}"
        letters = self.letters(cik, claim.accession)
        if not letters:
            return f"no document of {claim.accession} to look at"
        quote = fold(claim.quote)
        if not quote or not says(letters, quote):
            return f"{claim.accession} does not say {claim.quote[:60]!r}"
        return "" if fold(claim.text) == quote else "shows other words than it quotes"

    def _letters(self, cik: int, accession: str) -> str:
        filing = Filing.objects.filter(company__cik=cik, accession=accession).first()
        if filing is None:
            return ""
        if filing.is_imported:
            return " ".join(fold(as_printed(one.sha256)) for one in filing.documents.all())
        bundled = filing.origin == Origin.SAMPLE
        try:
            with Edgar(FolderTransport(FOLDER)) if bundled else Edgar() as edgar:
                container = edgar.filing_documents(cik, accession)
        except EdgarError:
            return ""
        return " ".join(letters_of(document.content) for document in container.of_type(*TYPES))


def as_printed(sha256: str) -> str:
    """The text of an imported file: of a PDF as PDFium has it, in no order of ours."""
    content = original_files.read(sha256) or b""
    if not content.startswith(b"%PDF"):
        return content.decode()
    document = PdfDocument(content)
    return " ".join(page.get_textpage().get_text_range() for page in document)


class SecFile:
    """Companyfacts files of a folder in the SEC's layout, each compressed with xz."""

    def __init__(self, root: Path = SAMPLE) -> None:
        self.root = root
        self._facts = lru_cache(maxsize=None)(self._read)

    def holds(self, cik: int, accession: str, name: str, unit: str, start: date, end: date, value: Decimal) -> bool:
        """Whether the file has exactly this number for tag, unit and period in this accession."""
        return value in self._facts(cik).get((accession, name, unit, start, end), ())

    def has(self, fact: FactRef) -> bool:
        """Whether it has a cited fact."""
        return self.holds(fact.cik, fact.accession, fact.name, fact.unit, fact.start, fact.end, fact.value)

    def disagreement(self, golden: Golden) -> str:
        """What in a golden's pointer and literal disagrees; empty where nothing does."""
        for value in golden.values:
            at = value.pointer
            if value.literal.size != abs(value.value):
                return f"{golden.id}: the literal {value.literal.figure} is not {value.value}"
            name, start = f"{at.taxonomy}:{at.tag}", at.start or at.end
            if not self.holds(at.cik, at.accession, name, at.unit, start, at.end, value.value):
                return f"{golden.id}: {name} of {at.accession} is not {value.value} in SEC's file"
        return ""

    def _read(self, cik: int) -> dict[tuple[str, str, str, date, date], set[Decimal]]:
        path = self.root / "api" / "xbrl" / "companyfacts" / f"CIK{cik:010d}.json.xz"
        if not path.is_file():
            # Not the sample's: ingested in addition.
            return {}
        data = json.loads(lzma.decompress(path.read_bytes()), parse_float=Decimal, parse_int=Decimal)
        found: dict[tuple[str, str, str, date, date], set[Decimal]] = {}
        for taxonomy, tags in data["facts"].items():
            for tag, entry in tags.items():
                for unit, rows in entry["units"].items():
                    for row in rows:
                        end = date.fromisoformat(row["end"])
                        start = date.fromisoformat(row["start"]) if row.get("start") else end
                        key = (row["accn"], f"{taxonomy}:{tag}", unit, start, end)
                        found.setdefault(key, set()).add(Decimal(row["val"]))
        return found
