"""The names of months as documents and questions write them."""

import calendar

MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
MONTHS |= {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
# The longest first, for a pattern.
NAMES = "|".join(sorted(MONTHS, key=len, reverse=True))
