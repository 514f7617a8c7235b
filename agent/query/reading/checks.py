"""What refuses a question before it becomes a query: no company, no word that is known, parts of years that do not go together."""

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.prose.questions.topics import items_of
from agent.query.dates.years import Stretch
from agent.query.wording import text
from agent.query.words.lexicon import Lexicon
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Part, Sentence, breaks, is_counted
from agent.query.words.word_classes import connecting
from agent.refusals.codes import Code
from agent.state.query import Line, Span
from agent.state.references import CompanyRef, RelativePeriod
from agent.words.tokens import stems

_PART_OF_YEAR = re.compile(
    r"(?:first|second|third|1st|2nd|3rd|next|this|current|previous|prior|latest|recent)[ -]+(?:fiscal )?(?:quarters?|qtrs?|10-?q)\b"
    r"|q[1-3]|[1-3]q|(?:month|week)s?\b|half|h[12]|[12]h|to.date|ytd|[tl]tm"
)
_COUNTED = re.compile(r"\bhow many (?:fiscal )?years\b", re.IGNORECASE)


def unknown_words(sentence: Sentence) -> tuple[str, ...]:
    """The words nobody knows, each run of them as typed; "how many countries" counts a part that is known."""
    counted = text.amount_of(sentence)
    strange = [part for part in sentence.parts if part.unknown or (counted and part.has("part"))]
    found = list[str]()
    for number, part in enumerate(strange):
        if not (number and strange[number - 1].last == part.first):
            found.append(sentence.text(part, _run_end(strange[number:])))
    return tuple(found)


def need_company(sentence: Sentence, refs: Sequence[CompanyRef]) -> None:
    """Refuses where no company is named: by the name that is none, or by that of a list without companies."""
    if empty := [part for part in sentence.parts if part.mention and not (part.mention.ciks or part.mention.everyone)]:
        raise Refused(Code.NO_COMPANY, *map(sentence.text, empty))
    if refs:
        return
    strange = [part for part in sentence.parts if part.unknown]
    capitals = [part for part in strange if part.capital]
    if capitals or (strange and sentence.measured):
        named = capitals or strange
        raise Refused(Code.UNKNOWN_COMPANY, sentence.text(named[0], _run_end(named)))
    of_all = any(set(part.stems) & connecting("companies") for part in sentence.parts)
    known = sentence.measured or not strange or of_all or items_of(sentence.question)
    raise Refused(Code.NO_COMPANY if known else Code.OFF_TOPIC)


def check_quarter(stretches: Sequence[Stretch]) -> None:
    """Text of a part of a year is in no 10-K, but of its last quarter, or of one that is told apart ("busiest").

    Twelve months in words may be any year's.
    """
    for stretch in stretches:
        if stretch.part and stretch.part.kind is RelativePeriod.TRAILING and "month" in stretch.text.lower():
            continue
        counted = stretch.part is not None and stretch.part.count
        if stretch.interim and (counted or _PART_OF_YEAR.search(stretch.text.lower())):
            raise Refused(Code.INTERIM_PERIOD, stretch.text)


def check_interim(sentence: Sentence, found: bool) -> None:
    """No figure is of a month or a week, or made by them; of text `check_quarter` decides.

    found: whether a measure is known by a verb, or from the question before.
    """
    if not (found or sentence.measured):
        return
    for part in sentence.parts:
        if part.has("interim") and not part.named:
            raise Refused(Code.INTERIM_PERIOD, sentence.text(part))


def check_beside(sentence: Sentence) -> None:
    """Refuses words that make of what stands beside them another thing: "filed in 2023", "the GM Financial revenue"; years
    that are counted; and a number of what a statement has an amount of money of: "how many operating lease vehicles".
    """
    if formed := sentence.having("statement_form"):
        raise Refused(Code.NOT_UNDERSTOOD, sentence.text(formed[0]))  # only a whole statement has one
    if counted := _COUNTED.search(sentence.question):
        raise Refused(Code.NOT_UNDERSTOOD, counted.group())
    for part in sentence.parts:
        if part.stretch and isinstance(part.stretch.periods, Span) and part.stretch.text.lower().startswith("after"):
            # A growth would begin with that year, a sum with the next.
            raise Refused(Code.INTERIM_PERIOD, part.stretch.text)
        lines = [row.measure for row in part.named.rows if isinstance(row.measure, Line)] if part.named else []
        if is_counted(sentence.tokens, part.first) and any("share" not in one.label.lower() for one in lines):
            raise Refused(Code.NOT_UNDERSTOOD, sentence.text(part))
    for part, following in pairwise(sentence.parts):
        if part.value("particular") == "filed" and set(following.bases) & {"in", "on"}:
            raise Refused(Code.NOT_UNDERSTOOD, sentence.text(part, following))  # which year was reported then?
        if sentence.text(part).lower() == "financial" and following.named and not part.has("member"):
            raise Refused(Code.NOT_UNDERSTOOD, sentence.text(part))


def check_without_measure(sentence: Sentence, lexicon: Lexicon) -> None:
    """Refuses what asks for figures and names no measure: "its best year", "the largest part", "how much did it make"; and
    nothing but a part of the company, "AWS 2024".
    """
    alone = unknown_words(sentence)
    if len(alone) == 1 and lexicon.part(stems(alone[0])) and not sentence.having("text", "verb"):
        raise Refused(Code.AMBIGUOUS_CONCEPT, *alone, measures=("revenue", "operating_income"))
    if records := sentence.meaning("operation", "which_year"):
        raise Refused(Code.AMBIGUOUS_CONCEPT, *(sentence.text(part) for part in records))
    parts = sentence.having("part")
    if parts and sentence.meaning("operation", "highest", "lowest", "rank"):
        raise Refused(Code.DIMENSIONAL_ONLY, sentence.text(parts[0]))
    verbs = sentence.having("verb")
    if verbs and not parts and not alone and text.amount_of(sentence):
        raise Refused(Code.AMBIGUOUS_CONCEPT, sentence.text(verbs[0]))


def is_head(sentence: Sentence, refused: Refused) -> bool:
    """Whether the word that refuses stands right behind the measure, which then only says of which kind it is.

    "Its tax fight" is a fight, "the inventory policy" a policy: the text tells of them.
    """
    parts, tokens = sentence.parts, sentence.tokens
    apart = breaks(sentence.question, tokens)
    return any(
        before.named
        and part.unknown
        and part.first not in apart
        and part.word.isalpha()
        and part.word not in connecting("no head")
        and sentence.text(part) in refused.words[0]
        for before, part in pairwise(parts)
        if refused.words
    )


def _run_end(parts: Sequence[Part]) -> Part:
    """The last of the parts that follow each other without a gap."""
    last = parts[0]
    for part in parts[1:]:
        if part.first != last.last:
            break
        last = part
    return last


def check_owners(sentence: Sentence, stretches: Sequence[Stretch]) -> bool:
    """Whether parts of years are asked, of every company the same. Raises Refused where each is named with its own."""
    ends = sorted(part.first for part in sentence.parts if part.mention)
    groups: dict[int, list[object]] = {}
    for one in stretches:
        told = (one.part.kind, one.part.year, one.part.end) if one.part else (one.periods, one.month)
        groups.setdefault(sum(end < one.first for end in ends), []).append(told)
    named = [one.text for one in stretches if one.interim]
    if named and len(ends) > 1 and any(group != next(iter(groups.values())) for group in groups.values()):
        raise Refused(Code.INTERIM_PERIOD, named[0])
    return bool(named)
