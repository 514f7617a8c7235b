"""What stands behind the figures of a clause: what they are of, their dates, and what they are compared with."""

import re
from collections.abc import Sequence

from filings.tables.sentence_patterns import (
    AGAIN,
    BETWEEN,
    COMPARED,
    COUNTED,
    ENDS,
    ENUMERATED,
    JOINS,
    REST,
    TRAILING,
    Tail,
)
from filings.tables.sentence_tokens import COMMA, COUNT, MONEY, WORDS, Token, is_verb

_MOVED = re.compile(r"[eqn]*[IJn][neqo]*oa*[MPNS](?P<date>D)")


def read_tail(tokens: Sequence[Token], tags: str, place: int) -> Tail | None:
    """What stands behind the figures up to the end of their clause; None where a word does that it cannot have."""
    end = place
    while end < len(tags) and (tags[end] in REST or (tags[end] == COUNT and tags[end - 1] in "pa")):
        if tags[end] == "F" and re.match(r"Fe*a*[MPNSD]", tags[end:]):
            break
        end += 1
    skipped = end
    if end < len(tags) and tags[end] not in ENDS:
        if tags[end] not in JOINS:
            return None
        joined = _joined(tokens, tags, place, end)
        if end > place and tags[end - 1] == "p" and (tags[end] == MONEY or tokens[end - 1].said.lower() == "as"):
            # "for $5 million", "as we opened ..."
            skipped = end + 1 if tags[end] == MONEY else len(tags)
            end -= 1
        elif joined < place or (
            re.match(r"ja*[MPNSX]", tags[joined:]) and not (AGAIN.match(tags, joined) or COUNTED.match(tags, joined))
        ):
            return None
        else:
            skipped = end = joined
    tail = Tail(skipped)
    tail.words += [one for one in tokens[place:end] if not one.dated]
    tail.dates += [one.dated for one in tokens[place:end] if one.dated]
    if tags[end - 1 : end] in tuple("nG") and (listed := ENUMERATED.match(tags, tail.end)):
        # "cash, cash equivalents and marketable securities"
        tail.words += [one for one in tokens[end : listed.end()] if not one.dated]
        tail.dates += [one.dated for one in tokens[end : listed.end()] if one.dated]
        tail.end = listed.end()
    while more := TRAILING.match(tags, tail.end):
        if more["with"] and tokens[more.start("with")].said.lower() not in WORDS["narrowing"]:
            break
        for one in tokens[tail.end : more.end()]:
            if one.dated:
                tail.dates.append(one.dated)
            elif one.tag not in "cr":
                tail.words.append(one)
        tail.end = more.end()
    if between := BETWEEN.match(tags, tail.end):
        # "from 2023 to 2024"
        first, second = tokens[between.start("base")], tokens[between.start("date")]
        tail.base, tail.based, tail.end = first.dated, first.said, between.end()
        tail.dates += [second.dated] if second.dated else []
    elif compared := COMPARED.match(tags, tail.end):
        if compared["date"]:
            tail.compared = tokens[compared.start("figure")] if compared["figure"] else None
            date = tokens[compared.start("date")]
            tail.base, tail.based = date.dated, date.said
        if compared["level"]:
            tail.level, date = tokens[compared.start("level")], tokens[compared.start("dated")]
            tail.dates += [date.dated] if date.dated else []
        tail.end = compared.end()
        if not compared["date"] and not compared["figure"]:
            _compared_otherwise(tokens, tags, tail, compared.start())
    return tail


def _joined(tokens: Sequence[Token], tags: str, place: int, end: int) -> int:
    """Where the next clause is joined by "and": before a verb, else the only one; below `place` where none is certain."""
    places = [number for number in range(place, end) if tags[number] == "j"]
    verbs = [number for number in places if tags[number + 1] in "bLudhHVv" or is_verb(tokens[number + 1].said)]
    return verbs[0] if verbs else places[0] if len(places) == 1 else place - 1


def _compared_otherwise(tokens: Sequence[Token], tags: str, tail: Tail, start: int) -> None:
    """Take "compared to what was planned" into the words of a tail; of other figures nothing."""
    if moved := _MOVED.match(tags, tail.end):
        # "compared to a decline of 12% in 2023"
        date = tokens[moved.start("date")]
        tail.base, tail.based, tail.end = date.dated, date.said, moved.end()
        return
    stop = next((place for place in range(tail.end, len(tags)) if tags[place] in ENDS), len(tags))
    tail.is_read = set(tags[tail.end : stop]) <= REST
    if tail.is_read:
        tail.words += tokens[start + (tags[start] == COMMA) : stop]
    else:
        stop = next((place for place in range(tail.end, len(tags)) if tags[place] == "k"), len(tags))
    tail.end = stop
