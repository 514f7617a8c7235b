"""Which words differ between two versions of a sentence."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from filings.redline.units import compared

Range = tuple[int, int]

_TOKEN = re.compile(r"\w+(?:[.,'\u2019]\w+)*|\s+|.", re.DOTALL)


def marks(old: str, new: str) -> tuple[tuple[Range, ...], tuple[Range, ...]]:
    """The ranges of the old text that are not in the new one, and those of the new text that were not in the old one."""
    before, after = list(_TOKEN.finditer(old)), list(_TOKEN.finditer(new))
    matcher = SequenceMatcher(
        None, [compared(one.group()) for one in before], [compared(one.group()) for one in after], autojunk=False
    )
    gone, come = [], []
    for tag, first, last, start, stop in matcher.get_opcodes():
        if tag != "equal":
            gone += [one.span() for one in before[first:last]]
            come += [one.span() for one in after[start:stop]]
    return _joined(old, gone), _joined(new, come)


def _joined(text: str, spans: Iterable[Range]) -> tuple[Range, ...]:
    """The ranges, those made one that only white space parts, without it at their ends."""
    found: list[Range] = []
    for start, end in spans:
        if not text[start:end].strip():
            continue
        if found and not text[found[-1][1] : start].strip():
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return tuple(found)
