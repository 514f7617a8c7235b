"""The salience guard: whether a text says nothing that its quotation does not say, in the same roles.

A text passes when it can be made from the quotation by steps that keep what it says: words that say nothing are left
out or put in, a listed word stands for the same word, the company's name stands for "we", the size of a change is left
out, and a clause is left out that adds no more than an example or a reason. Everything else keeps its place, so that every number stays with its unit and noun, every negation with its
scope, and two facts never merge. Any other difference is a problem.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence

from agent.prose.text.compared_words import AGREES, SAME, SELF, SELFS, Mark, Token, tokens
from agent.prose.text.english import COMPARED_WORDS

# What begins a clause that gives an example, a reason or a further fact. A clause that opens with "in" or "for" may be
# the scope of the whole sentence.
OPENERS = COMPARED_WORDS.words("openers")
# What a left-out clause may hold besides plain words: a fact of its own, not a part of the others.
LEFT_OUT = frozenset((Mark.WORD, Mark.DIRECTION))
# What turns the meaning of a fragment when it is left outside.
GOVERNING = frozenset(Mark) - {
    Mark.NUMBER, Mark.UNIT, Mark.DATE, Mark.NAME, Mark.DIRECTION, Mark.RESTRICTION, Mark.WORD,
}  # fmt: skip


def salience_problem(text: str, quote: str, names: Sequence[str] = ()) -> str:
    """Why the text is not what the quotation says, in a sentence that repeats nothing of it; empty when it is.

    names: what the filing's company is called, which its filing calls "we".
    """
    said, source = tokens(text, names), tokens(quote, names)
    if not said:
        return "It says nothing."
    if _derived(said, source):
        return ""
    return _reason(said, source)


def governs(text: str) -> bool:
    """Whether a text, left outside a fragment of its sentence, changes what the fragment says."""
    return any(token.mark in GOVERNING for token in tokens(text))


def _derived(said: Sequence[Token], source: Sequence[Token]) -> bool:
    """Whether `said` is `source` with nothing left out but what may be: dynamic programming over both."""
    width = len(source) + 1
    reached = [[False] * width for _ in range(len(said) + 1)]
    reached[0][0] = True
    gaps = _gaps(source)
    for row in range(len(said) + 1):
        for column in range(width):
            if not reached[row][column]:
                continue
            for stop in gaps.get(column, ()):
                reached[row][stop] = True
            if row < len(said) and column < len(source) and _equal(said, row, source, column):
                reached[row + 1][column + 1] = True
    return reached[-1][-1]


def _gaps(source: Sequence[Token]) -> dict[int, list[int]]:
    """Where something may be left out: its first token, and the places after its last."""
    gaps: dict[int, list[int]] = {}
    # "Respectively" binds the first of one list to the first of another, wherever they stand.
    if any(token.lower == "respectively" for token in source):
        return gaps
    for place, token in enumerate(source):
        starts_clause = place and source[place - 1].clause != token.clause
        if starts_clause and token.lower in OPENERS:
            stop = place
            while stop < len(source) and source[stop].clause == token.clause and source[stop].mark in LEFT_OUT:
                stop += 1
            if stop == len(source) or source[stop].clause != token.clause:
                gaps.setdefault(place, []).append(stop)
        if place and source[place - 1].mark is Mark.DIRECTION:
            size = place + (token.lower == "by")
            if size > place and size < len(source) and source[size].mark is Mark.NUMBER:
                gaps.setdefault(place, []).append(size)
            if size < len(source) and source[size].mark is Mark.NUMBER and _is_size(source, size + 1):
                gaps.setdefault(place, []).append(size + 1)
    return gaps


def _is_size(source: Sequence[Token], after: int) -> bool:
    """Whether the number before `after` is the size of a change: nothing is counted by it."""
    value = source[after - 1].value
    sized = value.endswith(("%", "percent")) or unicodedata.category(value.lstrip("(-")[:1] or " ") == "Sc"
    return sized and (after == len(source) or source[after].lower not in {"of", "points", "basis", "percentage"})


def _equal(said: Sequence[Token], row: int, source: Sequence[Token], column: int) -> bool:
    """Whether two tokens say the same."""
    one, other = said[row], source[column]
    if one.value == other.value:
        return True
    low, high = one.lower, other.lower
    if low == high:
        return one.first or other.first
    if {low, high} <= {SELF, "we", "us"} or {low, high} <= {SELFS, "our"}:
        return SELF in {low, high} or SELFS in {low, high}
    if {low, high} in ({"its", "our"}, {"it", "we"}):
        theirs = said if low.startswith("it") else source
        return any(token.value in {SELF, SELFS} for token in theirs)
    if SAME.get(low, low) == SAME.get(high, high):
        return True
    return _agrees(said, row, source, column)


def _agrees(said: Sequence[Token], row: int, source: Sequence[Token], column: int) -> bool:
    """Whether two verbs differ as "we depend" and "Northwind depends" do."""
    subjects = _subject(said, row), _subject(source, column)
    verbs = said[row].lower, source[column].lower
    if subjects == ("we", SELF):
        subjects, verbs = (SELF, "we"), (verbs[1], verbs[0])
    if subjects != (SELF, "we"):
        return False
    theirs, ours = verbs
    theirs, ours = SAME.get(theirs, theirs), SAME.get(ours, ours)
    endings = (f"{ours}s", f"{ours}es", f"{ours[:-1]}ies" if ours.endswith("y") else "")
    return AGREES.get(ours) == theirs or theirs in endings or theirs in {SAME.get(one, one) for one in endings}


def _subject(tokens: Sequence[Token], place: int) -> str:
    """Who does it: the nearest of the two words before a verb that is the company."""
    before = [token.lower for token in tokens[max(place - 2, 0) : place]]
    found = next((one for one in reversed(before) if one in {SELF, "we", "it"}), "")
    return SELF if found == "it" else found


def _reason(said: Sequence[Token], source: Sequence[Token]) -> str:
    """The weightiest difference, by its class alone: what cannot be verified is not repeated."""
    added = Counter(map(_key, said)) - Counter(map(_key, source))
    missing = Counter(map(_key, source)) - Counter(map(_key, said))
    new = {token.mark for token in said if _key(token) in added}
    gone = {token.mark for token in source if _key(token) in missing}
    for mark in Mark:
        if mark in new and mark is not Mark.WORD:
            return f"It has a {mark} that its passage does not have in that place."
        if mark in gone - {Mark.NUMBER, Mark.UNIT, Mark.NAME, Mark.DIRECTION, Mark.WORD}:
            return f"It leaves out a {mark} from its passage."
    if new:
        return "It has words that its passage does not have."
    return "It rearranges the words of its passage."


def _key(token: Token) -> str:
    return SAME.get(token.lower, token.lower)
