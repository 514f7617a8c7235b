"""Text that a program sends: what every database stores."""

import re
from typing import Annotated

from pydantic import AfterValidator

# JSON can spell both.
_NEVER = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """The text as it is. Raises ValueError where it has a NUL, or half of a surrogate pair."""
    if _NEVER.search(text):
        raise ValueError("A text has no NUL and no half of a surrogate pair.")
    return text


Text = Annotated[str, AfterValidator(storable)]
