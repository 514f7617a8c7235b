"""Divides the transcript of an earnings call into prepared remarks and questions, and both into speakers' turns.

Nothing is known of names or of one publisher's layout: turns are labels that recur, and questions begin where a speaker
who was not heard before asks and is answered, after a turn that speaks of questions; or at a heading that says so.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from filings.document.blocks import BLOCK_GAP, Block
from filings.document.layout import Layout, is_title
from filings.document.speaker_labels import Turn, opening, speaker_turns
from filings.sections.parsed_section import LONGEST_HEADING, ParsedSection
from filings.sections.section_drafts import Range, assembled, trimmed

PREPARED, QUESTIONS = "prepared", "questions"
SPEAKER_LEVEL, ROLE_LEVEL, LAST_LEVEL = 2, 3, 6
OF_QUESTIONS = re.compile(r"\bquestions?\b|\bq\s*(?:&|and)\s*a\b", re.IGNORECASE)
ENDS = re.compile(r"[.?!,;]$")
LONGEST_TITLE = 8  # words of the heading of a part
AHEAD = 5  # turns within which who asks is answered, and asks again
SHORT = 0.5  # of the longest turn so far: a question is shorter, a speech is not


def read_call(layout: Layout, filename: str) -> tuple[ParsedSection, ...]:
    """The two parts of a call, each speaker's turn under a heading of its own.

    Where no questions begin, all is prepared and the questions are not_found. Where no speakers are told apart, both
    are, and the text follows without a part.
    """
    turns = speaker_turns(layout)
    if not turns:
        whole = ParsedSection("", "unverified", "", "", filename, layout.text, layout.pages, layout.blocks)
        return ParsedSection(PREPARED, "not_found"), ParsedSection(QUESTIONS, "not_found"), whole
    titles = titles_of_parts(layout, turns)
    begin = questions_begin(layout, turns, titles)
    prepared = _part(layout, filename, PREPARED, turns[:begin], titles, opening(layout, turns))
    if begin == len(turns):
        return prepared, ParsedSection(QUESTIONS, "not_found")
    start = titles.get(begin, turns[begin].label)[0]
    above = (start, titles[begin][1]) if begin in titles else (start, start)
    return prepared, _part(layout, filename, QUESTIONS, turns[begin:], titles, above)


def questions_begin(layout: Layout, turns: Sequence[Turn], titles: dict[int, Range]) -> int:
    """The number of the turn with which the questions begin; the number of turns where none do."""
    titled = (number for number in titles if number and OF_QUESTIONS.search(layout.text[slice(*titles[number])]))
    found = next(titled, None)
    if found is not None:
        return found
    exchanged = next((number for number in range(len(turns) - 3) if _is_exchange(layout, turns, number)), len(turns))
    heard, longest = {turns[0].speaker}, _words(layout, turns[0])
    for number in range(1, min(exchanged, len(turns) - 1)):
        heard.add(turns[number].speaker)
        longest = max(longest, _words(layout, turns[number]))
        if _opens_questions(layout, turns, number, heard, longest):
            return number
    return exchanged


def _opens_questions(layout: Layout, turns: Sequence[Turn], number: int, heard: set[str], longest: int) -> bool:
    """Whether a turn speaks of questions, and the next is by someone new who is answered.

    heard: who spoke up to this turn. longest: the words of the longest turn up to it.
    """
    turn, asker = turns[number], turns[number + 1].speaker
    if asker in heard or not OF_QUESTIONS.search(layout.text, *turn.body):
        return False
    if _words(layout, turns[number + 1]) > SHORT * longest:
        return False
    hosts = {turns[0].speaker, turn.speaker}
    for other in turns[number + 2 : number + 2 + AHEAD]:
        if other.speaker == asker or (other.speaker in heard and other.speaker not in hosts):
            return True
        if other.speaker in hosts and OF_QUESTIONS.search(layout.text, *other.body):
            return False
    return False


def _is_exchange(layout: Layout, turns: Sequence[Turn], number: int) -> bool:
    """Whether two speakers take turns, and one of them asks each time."""
    first, second, third, fourth = turns[number : number + 4]
    return (
        first.speaker == third.speaker != second.speaker == fourth.speaker
        and "?" in layout.text[slice(*first.body)]
        and "?" in layout.text[slice(*third.body)]
    )


def _words(layout: Layout, turn: Turn) -> int:
    return len(layout.text[slice(*turn.body)].split())


def titles_of_parts(layout: Layout, turns: Sequence[Turn]) -> dict[int, Range]:
    """Lines that name a part of the call, by the number of the turn that each stands directly above."""
    labelled = [_block_of(layout, turn.label[0]) for turn in turns]
    taken = set(labelled)
    titles: dict[int, Range] = {}
    for number, place in enumerate(labelled):
        block = layout.blocks[place - 1]
        if not place or place - 1 in taken or block.kind == "table":
            continue
        text = layout.of(block)
        apart = block.kind == "heading" or is_title(text)
        if apart and len(text.split()) <= LONGEST_TITLE and not ENDS.search(text) and OF_QUESTIONS.search(text):
            titles[number] = block.start, block.end
    return titles


def _block_of(layout: Layout, offset: int) -> int:
    """The number of the block that an offset is in."""
    number = layout.block_at(offset)
    return number if number < len(layout.blocks) and layout.blocks[number].start == offset else number - 1


def _part(
    layout: Layout, filename: str, item: str, turns: Sequence[Turn], titles: dict[int, Range], above: Range
) -> ParsedSection:
    """A part: what stands above its first turn, then each turn as heading, role and words."""
    taken = {title[1]: title for title in titles.values()}
    ranges: list[Range] = [above] if above[0] < above[1] else []
    kinds: dict[int, int] = {}  # the level of a heading, by where it begins
    for turn in turns:
        ranges.append(turn.label)
        kinds[len(ranges) - 1] = SPEAKER_LEVEL
        if turn.role:
            ranges.append(turn.role)
            kinds[len(ranges) - 1] = ROLE_LEVEL
        body = _less(layout, turn.body, taken.get(turn.body[1]))
        if body[0] < body[1]:
            ranges.append(body)
    text, pages, blocks = assembled(layout, ranges)
    levels: dict[int, int] = {}
    bodies: set[int] = set()
    at = 0
    # As `assembled` lays ranges out.
    for number, (start, end) in enumerate(ranges):
        if number in kinds:
            levels[at] = kinds[number]
        elif number or above[0] >= above[1]:
            bodies.add(at)
        at += end - start + len(BLOCK_GAP)
    first = min(bodies | set(levels), default=0)
    title = layout.text[slice(*above)] if above in titles.values() else ""
    own = 1 if title else 0
    made = tuple(_as_spoken(block, levels, bodies, first, own) for block in blocks)
    return ParsedSection(item, "extracted", title[:LONGEST_HEADING], "", filename, text, pages, made)


def _less(layout: Layout, body: Range, title: Range | None) -> Range:
    """Words without the title of the next part at their end."""
    return trimmed(layout, body[0], title[0]) if title and title[0] >= body[0] else body


def _as_spoken(block: Block, levels: dict[int, int], bodies: set[int], first: int, own: int) -> Block:
    level = levels.get(block.start)
    if level:
        return Block("heading", block.start, block.end, level, opens=level == SPEAKER_LEVEL)
    if block.start < first:
        return Block("heading", block.start, block.end, 1) if own else block
    if block.kind == "heading":
        # The words of a turn that are set apart stand below its speaker.
        if block.start in bodies:
            return Block("paragraph", block.start, block.end)
        return replace(block, level=min(max(block.level, SPEAKER_LEVEL) + ROLE_LEVEL - SPEAKER_LEVEL, LAST_LEVEL))
    return block
