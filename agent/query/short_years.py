"""Years of two digits without an apostrophe, known by where they stand: "AMD revenue 24", "22 vs 23", "21-24"."""

from collections.abc import Iterator, Sequence
from datetime import date

from agent.query.dates import full_year
from agent.query.periods import Stretch
from agent.query.sentence import Part, Sentence
from agent.query.word_classes import GROWING, connecting
from agent.state.query import Span, Years
from agent.state.references import Period, PeriodForm

# Other numbers are older than any figure that is asked for so.
_OLDEST = 12
_MEASURING = frozenset({*GROWING, "cagr"})
_SPANS = frozenset({"-", "\u2013", "\u2014", "->", "to"})


def short_years(sentence: Sentence, today: date, *, led: bool) -> list[Stretch]:
    """The years that numbers name right behind a measure or a company, where no other period is named.

    led: whether a question before says of what, so that they may stand alone: "and 23?".
    """
    parts = sentence.parts
    if any(part.stretch for part in parts):
        return []
    found: list[Stretch] = []
    for run in _runs(sentence, today):
        first, last = parts[run[0]], parts[run[-1]]
        before = [part for part in parts[: run[0]] if not set(sentence.bases(part)) <= connecting("before a year")]
        alone = led and all(part.has("frame") or part is first for part in parts if not part.number)
        if not (alone or (before and _leads(before[-1]))) or _is_counted(parts[run[-1] + 1 :], last):
            continue
        years = [_year(sentence, parts[at]) for at in run]
        gap = sentence.question[sentence.tokens[first.first].end : sentence.tokens[last.first].start].strip().lower()
        since = run[0] > 0 and sentence.bases(parts[run[0] - 1]) == ("since",)
        if since or (len(run) == 2 and gap in _SPANS):
            span = Span(first=years[0], last=years[1] if len(run) > 1 else None)
            begins = parts[run[0] - 1] if since else first
            found.append(Stretch(begins.first, last.last, sentence.text(begins, last), periods=span))
            continue
        found += (
            Stretch(parts[at].first, parts[at].last, sentence.text(parts[at]), periods=Years(periods=(year,)))
            for at, year in zip(run, years, strict=True)
        )
    return found


def _runs(sentence: Sentence, today: date) -> Iterator[list[int]]:
    """Places of the parts that may be years, those that are listed together in one run."""
    parts, run = sentence.parts, list[int]()
    listing = connecting("listing years")
    for place, part in enumerate(parts):
        if _may_be_year(sentence, part, today):
            run.append(place)
        elif run and not (set(sentence.bases(part)) <= listing and run[-1] == place - 1):
            yield run
            run = []
    if run:
        yield run


def _may_be_year(sentence: Sentence, part: Part, today: date) -> bool:
    token = sentence.tokens[part.first]
    digits = part.number and token.text.isdecimal() and len(token.text) == 2 and not token.cashtag
    return bool(digits) and 0 <= today.year + 1 - full_year(token.text) <= _OLDEST


def _leads(part: Part) -> bool:
    named = part.named is not None or part.mention is not None or part.has("named_verb")
    return named or bool(part.values("operation") & _MEASURING)


def _is_counted(behind: Sequence[Part], last: Part) -> bool:
    """Whether numbers count, or measure, what stands behind them: "24 stores", "24 billion", "24 of them"."""
    following = behind[0] if behind and behind[0].first == last.last else None
    if following is None or following.mention or following.named:
        return False
    return following.unknown or following.number or not following.has("frame", "operation")


def _year(sentence: Sentence, part: Part) -> Period:
    text = sentence.text(part)
    return Period(form=PeriodForm.BARE, year=full_year(text), text=str(full_year(text)))
