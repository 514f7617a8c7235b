"""Finds the fiscal year that a document names most often, to confirm the filing's fiscal year."""

import re
from collections import Counter

MARKUP = re.compile(rb"<[^>]*>")
NAMED = re.compile(
    rb"fiscal(?:\s|\xc2\xa0|&#160;|&nbsp;)+(?:years?(?:\s|\xc2\xa0|&#160;|&nbsp;)+)?(20\d\d)", re.IGNORECASE
)
# Calendar-year filers mention tax years and plans this often.
ENOUGH = 5


def named_year(document: bytes) -> int | None:
    """The year that "fiscal YYYY" names most often; None where it is rare, or two are equal."""
    # After the last ">" no "<" begins a tag.
    marked = document.rfind(b">") + 1
    counts = Counter(int(year) for year in NAMED.findall(MARKUP.sub(b" ", document[:marked]) + document[marked:]))
    (top, most), (_, next_most) = [*counts.most_common(2), (0, 0), (0, 0)][:2]
    return top if most >= ENOUGH and most > next_most * 2 else None
