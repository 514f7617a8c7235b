"""How many columns or rows a cell of an HTML table covers, as browsers read it (HTML Living Standard, 2.3.4.2)."""

import re

# Six digits are more than any table has; a number of thousands of digits is never made a number.
NUMBER = re.compile(r"[ \t\n\f\r]*\+?0*([0-9]{1,6})")


def cell_span(text: str | None, most: int) -> int:
    """The value of a colspan or rowspan attribute, from 1 to `most`; 1 where it is no number."""
    found = NUMBER.match(text or "")
    return min(max(int(found[1]), 1), most) if found else 1
