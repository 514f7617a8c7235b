"""Text in files that spreadsheets open: none of it is taken for a formula, and all of it can be written.

Names of companies, printed labels, questions and notes come from others. What a cell begins with decides whether a
spreadsheet computes it (OWASP, "CSV injection"); full-width and small forms of the signs count as well.
"""

import re
import unicodedata

SIGNS = ("=", "+", "-", "@")
CONTROLS = ("\t", "\r", "\n")
# What XML 1.0 has no character for, beside halves of pairs.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def writable(text: str) -> str:
    """A text with U+FFFD for whatever no XML and no UTF-8 can hold."""
    return _UNWRITABLE.sub("\ufffd", text)


def reads_as_formula(text: str) -> bool:
    """Whether a spreadsheet could compute a text: by its first sign, also behind blanks and what is not seen."""
    if text.startswith(CONTROLS):
        return True
    seen = (letter for letter in text if not letter.isspace() and unicodedata.category(letter) not in {"Cf", "Cc"})
    return unicodedata.normalize("NFKC", next(seen, "")).startswith(SIGNS)


def guarded(text: str) -> str:
    """A text for a field of CSV: behind an apostrophe where it could be computed."""
    text = writable(text)
    return f"'{text}" if reads_as_formula(text) else text
