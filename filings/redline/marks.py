"""Which words differ between two versions of a sentence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from filings.redline.compared_units import compared

_TOKEN = re.compile(r"\w+(?:[.,'\u2019]\w+)*|\s+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Words:
    """Consecutive characters of both versions: the same words, or the older ones with what stands in their place."""

    old: str
    new: str
    same: bool


def words_of(old: str, new: str) -> list[Words]:
    """Two versions of a sentence from their first character to their last, both complete. Differences that only white
    space parts are one.
    """
    found: list[Words] = []
    for one in _runs(old, new):
        if found and not one.same and not found[-1].same:
            found[-1] = Words(found[-1].old + one.old, found[-1].new + one.new, same=False)
        elif len(found) > 1 and not one.same and not found[-1].new.strip():
            gap = found.pop()
            found[-1] = Words(found[-1].old + gap.old + one.old, found[-1].new + gap.new + one.new, same=False)
        else:
            found.append(one)
    return found


def _runs(old: str, new: str) -> Iterator[Words]:
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    matcher = SequenceMatcher(None, [*map(_key, before)], [*map(_key, after)], autojunk=False)
    for tag, first, last, start, stop in matcher.get_opcodes():
        yield Words("".join(before[first:last]), "".join(after[start:stop]), same=tag == "equal")


def _key(token: str) -> str:
    return compared(token) or " "
