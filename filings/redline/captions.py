"""The captions of risk factors: the headings of a section that each state a risk."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

# The Item of a 10-K whose headings state risks.
RISKS = "1A"
# A heading of so many words is a sentence. Shorter ones state a risk only where they stand on the level of such ones.
LEAST_WORDS = 6
# "Risks Related to Our Industry", "Other Legal Risks" and notes on the whole text; "We Are Subject to Tax Risks" states one.
_GROUP = re.compile(
    r"(?:summary of )?(?:risks? (?:related|relating|associated)|general risk|risk factors?|other risk)|special note"
    r"|cautionary|(?!.*\b(?:we|our|us)\b).*\brisks:?$",
    re.IGNORECASE,
)


def captions_of(text: str, blocks: Sequence[Sequence[Any]]) -> Iterator[tuple[int, int]]:
    """Where every caption of a section stands, in the filing's order. blocks: as `Section.blocks` stores them.

    Captions have text of their own and stand on one level; where more text stands under names of groups, there are none.
    """
    stated, groups = list[tuple[int, int, int]](), 0
    for place, row in enumerate(blocks):
        followed = place + 1 < len(blocks) and blocks[place + 1][0] != "heading"
        if row[0] == "heading" and followed:
            if _GROUP.match(text[row[1] : row[2]]):
                groups += 1
            else:
                stated.append((row[3], row[1], row[2]))
    long = Counter(level for level, start, end in stated if len(text[start:end].split()) >= LEAST_WORDS)
    for at, count in long.most_common(1):
        if count >= groups:
            yield from ((start, end) for level, start, end in stated if level == at)
