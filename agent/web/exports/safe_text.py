"""Makes text safe for spreadsheets: no formula is executed, and every character can be written.

Company names, printed labels, questions and notes come from others. A cell's first character decides whether a
spreadsheet computes it (OWASP, "CSV injection"); full-width and small forms count as well.
"""

import re
import unicodedata

SIGNS = ("=", "+", "-", "@")
CONTROLS = ("\t", "\r", "\n")
# Characters that XML 1.0 does not allow, besides halves of pairs.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def writable(text: str) -> str:
    """A text with U+FFFD for what XML or UTF-8 cannot represent."""
    return _UNWRITABLE.sub("\ufffd", text)


def reads_as_formula(text: str) -> bool:
    """Whether a spreadsheet could compute a text: by its first character, after blanks and invisible ones."""
    if text.startswith(CONTROLS):
        return True
    seen = (letter for letter in text if not letter.isspace() and unicodedata.category(letter) not in {"Cf", "Cc"})
    return unicodedata.normalize("NFKC", next(seen, "")).startswith(SIGNS)


def guarded(text: str) -> str:
    """A text for a CSV field: after an apostrophe where it could be computed."""
    text = writable(text)
    return f"'{text}" if reads_as_formula(text) else text
