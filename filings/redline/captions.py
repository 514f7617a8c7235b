"""The captions of risk factors: the headings of a section that each state a risk."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

# The Item of a 10-K whose headings state risks.
RISKS = "1A"
# A caption is a sentence, which has so many words at least.
LEAST_WORDS = 6
_GROUP = re.compile(
    r"^(?:risks? (?:related|relating|associated)|general risk|risk factors?|other risk)", re.IGNORECASE
)


def is_caption(text: str) -> bool:
    """Whether a heading states a risk; "Risks Related to Our Industry" only groups some."""
    return len(text.split()) >= LEAST_WORDS and not _GROUP.match(text)


def captions_of(text: str, blocks: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int]]:
    """Where every caption of a section stands, in the filing's order. blocks: as `Section.blocks` stores them."""
    for row in blocks:
        if row[0] == "heading" and is_caption(text[row[1] : row[2]]):
            yield row[1], row[2]
