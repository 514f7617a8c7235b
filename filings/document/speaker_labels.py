"""Finds who speaks in a transcript by its form: labels that recur, at the start of a paragraph or alone above it.

Known forms: "Name: text"; a name alone on its line, above the text; "Name -- Firm -- Role" or "Name, Role" so; the role on
the line below the name. A transcript has one form. Names are compared without roles, numbers and times.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from filings.document.blocks import Block
from filings.document.layout import Layout, is_title

Range = tuple[int, int]

LONGEST_LABEL = 120
LONGEST_NAME, MOST_WORDS = 60, 7
TIME = r"[\[(]?\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b[\])]?"
# "Name: text", "[00:01] Name (Role): text", "<Q - Name - Firm>: text".
BEFORE_TEXT = re.compile(rf"(?:{TIME}\s*)?<?(?P<label>[^:<>\n]{{1,{LONGEST_LABEL}}}?)>?\s*(?:{TIME}\s*)?:(?:\s+|$)")
ALONE = re.compile(rf"(?:{TIME}\s*)?<?(?P<label>[^:<>\n]{{1,{LONGEST_LABEL}}}?)>?\s*(?:{TIME}\s*)?:?")
COUNTED = re.compile(r"\s*\[\d{1,3}\]$")  # the number of a turn
SIDE = re.compile(r"(?:Q|A)\s*[-\u2013\u2014.:]\s*(?=\S)")  # of a question or an answer
ROLE_BEGINS = re.compile(r"\s+(?:-{1,2}|[\u2013\u2014])\s+|\s*[,|(]\s*|\s*[\u2013\u2014]\s+")
ENDS_SENTENCE = re.compile(r"[.?!;,\u2026][\"\u201d\u2019')\]]*$")
INITIAL = re.compile(r"\b[A-Z]\.$|\b(?:Inc|Corp|Ltd|Co|Jr|Sr|Dr|Mr|Ms|Mrs)\.$")
NUMBERED = re.compile(r"\D*\s\d{1,3}")  # "Speaker 1"
YEAR = re.compile(r"\b(?:19|20)\d\d\b")  # of titles
NAME_WORD = re.compile(r"[^\W\d_][\w.'\u2019-]*")
# What parts are called, which are never speakers.
OF_PARTS = re.compile(
    r"\bquestions?\b|\bq\s*(?:&|and)\s*a\b|\bremarks\b|\btranscript\b|\bparticipants\b", re.IGNORECASE
)
LONGEST_ROLE = 120
LEAST_TURNS = 2
LEAST_SPOKEN = 8  # words of the first turn of a speaker who has no other
NEAR = 1_200  # characters before a turn in which its speaker is announced, or after it thanked
LABELLED = 0.8  # share of paragraphs from which each has a label


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker says without a break. Ranges are of the layout's text; `body` is empty where nothing is said."""

    speaker: str
    label: Range
    role: Range | None
    body: Range


@dataclass(frozen=True, slots=True)
class _Label:
    """A possible label: its block, its range, the speaker's name as it is compared, and where the words begin."""

    place: int
    range: Range
    speaker: str
    after: int


def speaker_turns(layout: Layout) -> tuple[Turn, ...]:
    """The turns of a transcript in order; none where no labels recur."""
    return max((_turns(layout, _before_text(layout)), _turns(layout, _without_roles(list(_alone(layout))))), key=len)


def compared(label: str) -> str:
    """A speaker's name as it is compared: without role, number of the turn, and case."""
    name = SIDE.sub("", COUNTED.sub("", label), count=1)
    return " ".join(ROLE_BEGINS.split(name, maxsplit=1)[0].split()).casefold().rstrip(".")


def is_name(label: str) -> bool:
    """Whether a label may begin with a name or a function: a few words, most of them with capitals, no number but a
    last one.
    """
    name, *role = (
        part.strip() for part in ROLE_BEGINS.split(SIDE.sub("", COUNTED.sub("", label), count=1), maxsplit=1)
    )
    words = NAME_WORD.findall(name)
    # A role or firm has capitals too: "And, what we see" is the beginning of a sentence.
    if role and any(len(word) > 3 for word in NAME_WORD.findall(role[0])) and not is_title(role[0]):
        return False
    if (
        YEAR.search(label)
        or not words
        or not name[0].isalpha()
        or len(name) > LONGEST_NAME
        or len(name.split()) > MOST_WORDS
    ):
        return False
    if any(letter.isdigit() for letter in name) and not NUMBERED.fullmatch(name):
        return False
    return not OF_PARTS.search(name) and 2 * sum(word[0].isupper() for word in words) > len(words)


def is_label(text: str) -> bool:
    """Whether a text that recurs can be a speaker's label: a name, or words with a number ("speaker 2")."""
    return is_name(text) or (NUMBERED.fullmatch(text) is not None and len(text) <= LONGEST_NAME)


def _before_text(layout: Layout) -> Iterator[_Label]:
    """Labels at the start of a paragraph."""
    for place, block in enumerate(layout.blocks):
        if block.kind == "table":
            continue
        found = BEFORE_TEXT.match(layout.text, block.start, block.end)
        if found and compared(found["label"]):
            yield _Label(place, found.span("label"), compared(found["label"]), min(found.end(), block.end))


def _alone(layout: Layout) -> Iterator[_Label]:
    """Labels alone on their line, with words below them."""
    for place, (block, below) in enumerate(pairwise(layout.blocks)):
        if block.kind in {"table", "bullet"} or below.kind == "table" or block.end - block.start > LONGEST_LABEL:
            continue
        found = ALONE.fullmatch(layout.text, block.start, block.end)
        if not found or (ENDS_SENTENCE.search(found["label"]) and not INITIAL.search(found["label"])):
            continue
        if is_label(found["label"]):
            yield _Label(place, found.span("label"), compared(found["label"]), block.end)


def _turns(layout: Layout, found: Iterable[_Label]) -> tuple[Turn, ...]:
    labels = list(found)
    spoken = [label for label in labels if _is_spoken_below(layout, label)]
    counts = Counter(label.speaker for label in spoken)
    recurring = {
        label.speaker
        for label in spoken
        if counts[label.speaker] >= LEAST_TURNS and is_label(layout.text[slice(*label.range)])
    }
    if not recurring:
        return ()
    first = min(label.place for label in spoken if label.speaker in recurring)
    prose = sum(block.kind != "table" for block in layout.blocks[first:])
    every = sum(label.speaker in recurring for label in spoken) >= LABELLED * prose
    places = [label.place for label in labels]
    once = set(spoken)
    kept = [
        label
        for label in labels
        if (label.speaker in recurring and label.place >= first)
        or (label in once and _speaks_once(layout, label, places, first, every))
    ]
    turns = []
    for number, label in enumerate(kept):
        end = layout.blocks[kept[number + 1].place - 1].end if number + 1 < len(kept) else len(layout.text)
        end = max(end, label.after)
        role = _role(layout, label, kept[number + 1].place if number + 1 < len(kept) else len(layout.blocks))
        begin = role[1] if role else label.after
        turns.append(Turn(label.speaker, label.range, role, _without_blanks(layout.text, begin, end)))
    return tuple(turns)


def _without_roles(labels: list[_Label]) -> list[_Label]:
    """Labels without those that mostly stand directly below another: what speakers are, not who."""
    places = {label.place: label.speaker for label in labels}
    every = Counter(label.speaker for label in labels)
    below = [label for label in labels if label.place - 1 in places]
    recurring = Counter(
        label.speaker for label in below if every[label.speaker] > 1 or every[places[label.place - 1]] > 1
    )
    roles = {speaker for speaker, count in recurring.items() if 2 * count > every[speaker]}
    # One name above another, each there once: a name and its role where others have theirs so; else a title and a name.
    roles |= {label.speaker for label in below if roles and every[label.speaker] == 1}
    return [label for label in labels if label.speaker not in roles]


def _is_spoken_below(layout: Layout, label: _Label) -> bool:
    """Whether words follow a label: in its paragraph, or as the next one or the next but one, below a role."""
    block = layout.blocks[label.place]
    if label.after < block.end:
        return True
    return any(_is_prose(layout, below) for below in layout.blocks[label.place + 1 : label.place + 3])


def _is_prose(layout: Layout, block: Block) -> bool:
    text = layout.of(block)
    return block.kind != "table" and (len(text) > LONGEST_ROLE or bool(re.search(r"[.?!\u2026\"\u201d-]$", text)))


def _speaks_once(layout: Layout, label: _Label, places: Sequence[int], first: int, every: bool) -> bool:
    """Whether a label that has one turn is a speaker's: every paragraph has one, or others name the speaker nearby.

    places: of all labels, in order. first: the place of the first that recurs.
    """
    start, end = label.range
    if not is_name(layout.text[start:end]):
        return False
    after = bisect_right(places, label.place)
    until = places[after] if after < len(places) else len(layout.blocks)
    stop = layout.blocks[until - 1].end
    top = 0
    if label.place < first:
        # Above all others stand hosts, but also titles, and lines such as "Date: ...", which are no sentence.
        below = label.place + 1
        if label.after == layout.blocks[label.place].end and (
            until == below or (until == below + 1 and not _is_prose(layout, layout.blocks[below]))
        ):
            return False
        body = layout.text[label.after : stop]
        if len(body.split()) < LEAST_SPOKEN or not _is_sentence(body):
            return False
    else:
        # Participants are listed at the top.
        top = min(layout.blocks[first].start, NEAR)
    if every:
        return True
    around = layout.text[:top], layout.text[max(0, start - NEAR) : start], layout.text[stop : stop + NEAR]
    names = [word for word in NAME_WORD.findall(label.speaker) if len(word) > 2]
    return any(re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE) for name in names for text in around)


def _is_sentence(text: str) -> bool:
    return re.search(r"[a-z][.?!](?:\s|$)", text) is not None


def _role(layout: Layout, label: _Label, until: int) -> Range | None:
    """The line below a name that tells role or firm, where words follow it."""
    place = label.place + 1
    if label.after < layout.blocks[label.place].end or place + 1 >= until:
        return None
    block = layout.blocks[place]
    text = layout.of(block)
    if block.kind in {"table", "bullet"} or len(text) > LONGEST_ROLE or ENDS_SENTENCE.search(text):
        return None
    if ROLE_BEGINS.search(layout.text[slice(*label.range)]) or not is_title(text):
        return None
    return block.start, block.end


def _without_blanks(text: str, start: int, end: int) -> Range:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def opening(layout: Layout, turns: Sequence[Turn]) -> Range:
    """What stands above the first turn: title, date, participants."""
    return 0, _without_blanks(layout.text, 0, turns[0].label[0] if turns else len(layout.text))[1]
