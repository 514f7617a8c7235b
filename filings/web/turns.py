"""Who speaks where in a text, and which turn answers which: for the jumps of the reader.

A turn begins with a heading that opens a passage (`filings.document.blocks`). Nothing is known of names: who asks was
not heard in an earlier part, and is introduced by the one who opens this one, if somebody does.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from filings.document.blocks import Block

# Between a name and a role on one line.
APART = re.compile(r"\s+(?:--|[\u2013\u2014-])\s+")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: the position of its heading, who speaks, and in which role, as printed.

    answer: where a question's first answer begins. question: where the question of an answer begins.
    """

    start: int
    name: str
    role: str = ""
    answer: "Turn | None" = None
    question: "Turn | None" = None

    @property
    def key(self) -> str:
        """By which turns of one speaker are recognised: the name without the role on its line."""
        return APART.split(self.name)[0].casefold()

    @property
    def anchor(self) -> str:
        return f"t{self.start}"


@dataclass(frozen=True, slots=True)
class Speaker:
    """A speaker of a text: the first turn, and how many there are."""

    first: Turn
    count: int


def turns_of(text: str, blocks: Sequence[Block]) -> list[Turn]:
    """The turns of a text in order, not yet joined."""
    found = []
    for block, after in pairwise((*blocks, None)):
        if block is None or block.kind != "heading" or not block.opens:
            continue
        below = after is not None and after.kind == "heading" and not after.opens and after.level > block.level
        role = words(text, after) if below and after is not None else ""
        found.append(Turn(block.start, words(text, block), role))
    return found


def words(text: str, block: Block) -> str:
    return " ".join(text[block.start : block.end].split())


def joined(turns: Sequence[Turn], heard: Collection[str]) -> list[Turn]:
    """The turns with each question joined to its answers, and back. heard: keys of who spoke in earlier parts."""
    if not heard or not turns:
        return list(turns)
    host = turns[0].key if turns[0].key in heard else ""
    # A speaker whom nobody has heard and whom the host does not introduce answers too: an officer without a speech.
    introduced = {after.key for before, after in pairwise(turns) if before.key == host}
    askers = {turn.key for turn in turns if turn.key not in heard and (not host or turn.key in introduced)}
    found: list[Turn] = []
    asked: Turn | None = None
    for number, turn in enumerate(turns):
        following = turns[number + 1] if number + 1 < len(turns) else None
        if turn.key in askers:
            # After the thanks of who has asked, the host goes on and does not answer.
            again = asked is not None and asked.key == turn.key
            replied = following is not None and following.key not in askers and not (again and following.key == host)
            asked = replace(turn, answer=following) if replied else None
            found.append(asked or turn)
        elif asked is not None and (turn.key != host or asked.answer == turn):
            found.append(replace(turn, question=asked))
        else:
            found.append(turn)
    return found


def speakers(turns: Iterable[Turn]) -> list[Speaker]:
    """Who speaks, in the order in which they begin."""
    found: dict[str, Speaker] = {}
    for turn in turns:
        before = found.get(turn.key)
        found[turn.key] = Speaker(before.first, before.count + 1) if before else Speaker(turn, 1)
    return list(found.values())
