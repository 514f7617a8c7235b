"""Where a discussion of results tells of a change whose cause no sentence gives for sure: the row of a table that holds it,
with the paragraph beside it, and the sentence that states it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.prose.answers.causes import Change, discussion, is_measure, is_of_whole, is_of_year, move
from agent.prose.answers.foretold import looks_forward
from agent.prose.text.reasons import SALES, Roots, head, named, pattern, rooted
from agent.prose.text.section_text import SectionText, Sentence
from agent.words.stems import roots

# How far from a table the paragraph stands that tells of it: a line may open the table.
BESIDE = 2
# The places of what is found among the rest: with a cause; with one that may be of another kind of figure, or is of the
# opposite change; without one.
CAUSE, UNSURE, STATED, OPPOSED = range(4)
_BRACKETED = re.compile(r"\([^()]*\)")
_TOTAL = re.compile(r"\W*total\W*$", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d$")
_NUMBER = re.compile(r"\d[\d,.]*")


@dataclass(frozen=True, slots=True)
class ChangePassage:
    """What is shown of a change: the row of a table and a sentence of the paragraph beside it, or one of them."""

    text: SectionText
    row: Sentence | None = None
    sentence: Sentence | None = None


def change_passages(change: Change, filing: int, fiscal_year: int) -> list[ChangePassage]:
    """The paragraph that states the change with a cause, beside its table where that has the row; else the row of a table
    with the paragraph beside it, and then the best sentence that states the change elsewhere. Empty where none is found.
    """
    for text in discussion(filing):
        said: dict[int, tuple[int, Sentence]] = {}
        for place, one in sorted(_said(text, change, fiscal_year), key=lambda found: (found[0], found[1].start)):
            said.setdefault(one.block, (place, one))
        rows = _rows(text, change)
        best, sentence = min(said.values(), key=lambda one: one[0], default=(STATED, None))
        if sentence and best <= UNSURE:
            near = (row for at in _beside(sentence) for row in rows if row.block == at)
            return [ChangePassage(text, next(near, None), sentence)]
        beside = [ChangePassage(text, row, said[at][1]) for row in rows for at in _beside(row) if at in said]
        found = [*beside, *(ChangePassage(text, row) for row in rows)][:1]
        if sentence and not any(one.sentence for one in found):
            found.append(ChangePassage(text, None, sentence))
        if found:
            return found
    return []


def _beside(one: Sentence) -> Iterator[int]:
    for step in range(1, BESIDE + 1):
        yield from (one.block - step, one.block + step)


def _said(text: SectionText, change: Change, fiscal_year: int) -> Iterator[tuple[int, Sentence]]:
    """The sentences that state the change, each with its place."""
    for number, stored in enumerate(text.bounds.stored):
        sentences = text.sentences(number) if stored[0] in {"paragraph", "bullet"} else ()
        for one in sentences:
            moved = move(one, text)
            idle = any(pattern(name).search(moved.told) for name in ("supposed", "means")) or looks_forward(one.text)
            shared = pattern("share").search(moved.told) and not change.of_rate
            if not moved.way or idle or shared:
                continue
            own = head(one.text)
            # "Compared with 2024" in the sentence before says nothing of the year that it is of.
            above = (moved.told, one.before.partition(" compared ")[0], *one.headings)
            if not (is_of_year(own, above, change.year, fiscal_year) and _is_said(moved.thing, one, change)):
                continue
            counted = any(letter.isdecimal() for letter in own)
            opposed = moved.way != (change.way or moved.way)
            if not opposed and pattern("cause").search(one.text):
                yield UNSURE if pattern("other").search(own) else CAUSE, one
            elif counted and opposed:
                yield OPPOSED, one
            elif counted:
                follows = any(pattern("cause").search(other.text) for other in sentences[one.order + 1 :])
                yield UNSURE if follows else STATED, one


def _is_said(thing: Roots, one: Sentence, change: Change) -> bool:
    """Whether what moved is the measure, of the whole company; or with the headings above that of its part."""
    if change.whole:
        return is_measure(thing, change.measure) and _of_whole(one, change)
    (name, *_) = change.measure
    name -= rooted("kinds")
    if not (thing & name and thing <= name | SALES | rooted("kinds")):
        return False
    for heading in map(roots, one.headings):
        if name <= thing or not is_of_whole(heading, change):
            break
        thing |= heading
    return name <= thing


def _of_whole(one: Sentence, change: Change) -> bool:
    return all(is_of_whole(roots(heading), change) for heading in one.headings)


def _rows(text: SectionText, change: Change) -> list[Sentence]:
    """The first row of each table that is of the measure; of the whole company none of those of its parts."""
    every = (row for number in range(len(text.bounds.stored)) if (row := _row(text, number, change)))
    return [one for one in every if not change.whole or _of_whole(one, change)]


def _row(text: SectionText, number: int, change: Change) -> Sentence | None:
    """The first row of a table that is of the measure; None where none is, for a table of shares and a block that is none."""
    kind, start, end = text.bounds.stored[number][:3]
    above = text.bounds.stored[number - 1][1] if number else start
    if kind != "table" or (pattern("share").search(text.text[above:end]) and not change.of_rate):
        return None
    return next((one for one in text.sentences(number) if _is_row(one, change)), None)


def _is_row(row: Sentence, change: Change) -> bool:
    label, _, figures = row.text.partition("\t")
    numbers = _NUMBER.findall(figures)
    if all(map(_YEAR.match, numbers)):
        return False  # the head of the columns
    grown = any(pattern(name).search(f"{row.before} {label}") for name in ("up", "down", "changed"))
    if not (grown or change.of_rate or change.apart) and figures.count("%") >= len(numbers):
        return False  # shares of something
    if bool(pattern("apart").search(label)) is not change.apart:
        return False
    own = named(_BRACKETED.sub("", label))
    if own in change.measure:
        return True
    name = change.measure[0] - rooted("kinds")
    if change.whole or not name:
        return False
    if not own:
        return bool(_TOTAL.match(label)) and name <= roots(row.before)
    rest, headed = name - own, roots(" ".join((row.before, *row.headings[:1])))
    return own <= name and rest <= headed | (SALES if SALES & headed else frozenset())
