"""A second reading of the documents, for one question only: does a filing say these words?

Shares nothing with the reading that is checked: letters and digits of the document as it was filed, in order.
"""

from functools import lru_cache

from agent.state import Claim
from evals.sections_check import contents, fold
from filings.edgar import Edgar, EdgarError
from filings.folder import FolderTransport
from filings.models import Filing, Origin
from filings.sample import FOLDER


class Witness:
    """Looks claims up in the filings' own documents."""

    def __init__(self) -> None:
        self.letters = lru_cache(maxsize=40)(self._letters)

    def doubt(self, claim: Claim, cik: int) -> str:
        """Why a claim is not supported, in words; empty where the filing asked about says it."""
        if claim.cik != cik:
            return f"quotes CIK {claim.cik}, asked was {cik}"
        letters = self.letters(cik, claim.accession)
        if not letters:
            return f"no document of {claim.accession} to look at"
        quote = fold(claim.quote)
        # Running headers stand between the two halves of a sentence that goes over a page break.
        halves = (quote, quote[: len(quote) // 3], quote[-(len(quote) // 3) :])
        if not quote or not (halves[0] in letters or (halves[1] in letters and halves[2] in letters)):
            return f"{claim.accession} does not say {claim.quote[:60]!r}"
        return "" if fold(claim.text) == quote else "shows other words than it quotes"

    def _letters(self, cik: int, accession: str) -> str:
        filing = Filing.objects.filter(company__cik=cik, accession=accession).first()
        if filing is None:
            return ""
        bundled = filing.origin == Origin.SAMPLE
        try:
            with Edgar(FolderTransport(FOLDER)) if bundled else Edgar() as edgar:
                container = edgar.filing_documents(cik, accession)
        except EdgarError:
            return ""
        return " ".join(contents(document.content).letters for document in container.of_type("10-K", "EX-13"))
