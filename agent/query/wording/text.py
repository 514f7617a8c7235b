"""What a question asks of a filing's text: whose, of which year, and what of it; or data of the filing itself."""

import re
from collections.abc import Callable, Sequence
from datetime import date
from itertools import pairwise
from typing import Literal

from agent.prose.questions.asked_terms import term_of
from agent.prose.questions.topics import audit_fees, behind_a_report, causing, overview, results, shape_of, topic_of
from agent.prose.text.english import AUDITORS_REPORT, TOPICS
from agent.query.dates.years import Asked, Stretch
from agent.query.wording.instructions import is_bound
from agent.query.words.sentence import ARTICLES, Part, Sentence
from agent.query.words.word_classes import MOVING, connecting
from agent.registrants.mentions import Mention
from agent.state.query import Span, Years
from agent.state.references import Period, PeriodForm, Topic
from agent.words.tokens import Token

# The key of what came since a 10-K.
SINCE_REPORT = "since_report"
# What is asked with "when" of the filing itself.
_DATES = {
    "file": "filed",
    "submit": "filed",
    "submitted": "filed",
    "end": "period_end",
    "ends": "period_end",
    "over": "period_end",
}
_MOVING = MOVING | {"growth"}
# What joins two halves is part of neither.
_JOINT = re.compile(
    r"^(?:[\s,;:.!?]+|(?:and|but|plus|also)\b)+|(?:[\s,;:.!?]|\b(?:and|or|but|plus|also))+$", re.IGNORECASE
)
# Companies that are listed or compared are each asked by itself.
_LISTED = re.compile(r"(?:the company(?:'s)?(?:,| and| or| vs\.?| versus| &)+ )+(the company)", re.IGNORECASE)
# With fewer words of its own a half goes on about the measure of the other: "what drove it", "why lower".
_FEW = 2


def is_yes_no(sentence: Sentence) -> bool:
    """Whether a question begins with a verb, and so asks whether."""
    first = next((part for part in sentence.parts if not part.mention), None)
    asked = first is not None and first.value("frame") != "polite"  # "do you happen to know"
    return asked and first.word in connecting("asking whether")  # type: ignore[union-attr]


def is_told(sentence: Sentence) -> bool:
    """Whether it is asked if a company says or thinks so, or if something can be: "does Apple say ...", "could tariffs ...".

    Of a figure that nothing else is said of it is asked how it is: "could revenue be shown", "did it say how much it earned".
    """
    first = next((part for part in sentence.parts if not part.mention), None)
    bare = sentence.measured and not any(part.unknown or part.has("intent") for part in sentence.parts)
    if first is None or bare or amount_of(sentence) or first.value("frame") == "polite":
        return False
    opening = [token.base for token in sentence.tokens[first.first : first.first + 2]]
    if opening[0] in connecting("possible"):
        return not connecting("asked to answer") & set(opening[1:])
    return is_yes_no(sentence) and any(
        one.mention and part.bases[0] in connecting("saying") for one, part in pairwise(sentence.parts)
    )


def tells(sentence: Sentence, *, measured: bool) -> bool:
    """Whether words stand in it that ask for text: some always, some where no measure is asked how it moves."""
    if asks_reason(sentence) or is_told(sentence) or asks_meaning(sentence) or asks_audit_fees(sentence):
        return True
    moving = bool(sentence.having("operation"))
    return any(
        part.has("text") or (part.has("text_else") and (not measured or (part.bases[0] == "how" and not moving)))
        for part in sentence.parts
    )


def is_whether(sentence: Sentence, *, several: bool) -> bool:
    """Whether it is asked if something is so, and of no figure how it stands, moves or is to be judged.

    several: more years than one.
    """
    if (
        not is_yes_no(sentence)
        or not sentence.tokens
        or several
        or any(says_result(sentence, part) for part in sentence.parts)
        or (sentence.measured and any(part.says("judging") for part in sentence.parts))
    ):
        return False
    return not any(
        part.has("operation", "comparator") or part.value("frame") == "ask" or part.word in {"much", "many"}
        for part in sentence.parts
    )


def judged_by(sentence: Sentence) -> str:
    """The words by which a figure is to be judged, as typed: whether it is "reasonably healthy"; empty where none are."""
    bounds = [f"({sentence.question[one[0].start : one[-1].end]})" for one in sentence.passed if is_bound(one)]
    judging = [sentence.text(part) for part in sentence.parts if part.says("judging", "keeping")]
    return " ".join((*judging, *bounds)) if is_yes_no(sentence) or bounds else ""


def says_result(sentence: Sentence, part: Part) -> bool:
    """Whether words ask for a figure by whether it is so: "did it make money", "has it paid dividends", and nothing unknown."""
    told = part.has("named_verb") and (part.has("frame") or part.last - part.first > 1)
    told = told or (part.has("verb") and any(one is part and other.named for one, other in pairwise(sentence.parts)))
    asks = is_yes_no(sentence) or any(one.mention and one.mention.everyone for one in sentence.parts)
    return told and asks and not sentence.unknown and not sentence.having("text")


def particulars_of(sentence: Sentence) -> tuple[str, ...]:
    """Keys of data of the filing itself that are asked for: auditor, filed."""
    if asks_since_report(sentence):
        return (SINCE_REPORT,)
    asked = [value for part in sentence.parts if (value := part.value("particular"))]
    told = [token.base for token in sentence.tokens]
    paid = TOPICS.pattern("paying").search(sentence.question) and not connecting("asking who") & {*told}
    if paid or asks_audit_fees(sentence):
        asked = [one for one in asked if one != "auditor"]  # what it is paid, and not who it is
    # "Incorporated" may end the name before it, too.
    if "incorporated" in told and {"where", "state"} & set(told):
        asked.append("state")
    if "when" in told and not any(part.unknown or part.named for part in sentence.parts):
        asked += [_DATES[word] for word in told[told.index("when") :] if word in _DATES][-1:]
    return tuple(dict.fromkeys(asked))


def amount_of(sentence: Sentence) -> Literal["", "count", "money"]:
    """Which kind of number is asked for by its words: how much, how many; empty where none is."""
    told = [token.base for token in sentence.tokens]
    pairs = set(pairwise(told))
    if ("how", "much") in pairs:
        return "money"
    counted = pairs & {("how", one) for one in ("many", "big", "large", "high")} or ("number", "of") in pairs
    return "count" if counted else ""


def asks_since_report(sentence: Sentence) -> bool:
    """Whether nothing but what came since a 10-K is asked: "what is new since its last 10-K"."""
    return shape_of(_shape(sentence)) == "since_report" and is_since_report(sentence)


def is_since_report(sentence: Sentence) -> bool:
    """Whether something is asked since a 10-K: "what changed in its legal proceedings since the last 10-K"."""
    return behind_a_report(" ".join(token.base for token in sentence.tokens))


def asks_audit_fees(sentence: Sentence) -> bool:
    """Whether nothing but what the auditor is paid is asked, which no measure holds."""
    return shape_of(_shape(sentence)) == "audit_fees"


def asks_reason(sentence: Sentence) -> bool:
    """Whether a reason or a manner is asked: "what held revenue back", "what if", "how concentrated is its revenue"."""
    tokens, known = sentence.tokens, {part.first: part for part in sentence.parts}
    for place, (token, after) in enumerate(pairwise(tokens)):
        part = known.get(place + 1)
        told = [one.base for one in tokens[place + 1 : place + 3]]
        behind = told[-1:] == ["behind"] and told[0] in connecting("lying")
        if token.base in {"what", "whats"} and (
            behind or after.base in connecting("supposing") or _causes(after, part)
        ):
            return True
        if token.base == "how" and part is not None and part.unknown and after.base not in connecting("manner"):
            return True
    return False


def asks_meaning(sentence: Sentence) -> bool:
    """Whether it is asked what the company means by a term, or how it calculates it."""
    company = {place for part in sentence.parts if part.mention for place in part.places}
    moving = any(part.has("operation") and not part.only_says("meaning") for part in sentence.parts)
    return not (sentence.formula or moving) and bool(term_of(_without(sentence, company)))


def asks_why(sentence: Sentence) -> bool:
    """Whether the reason of something is asked: "why", "what drove it", "how come"."""
    told = [token.base for token in sentence.tokens]
    return asks_reason(sentence) or bool(connecting("explaining") & {*told}) or ("how", "come") in pairwise(told)


def _causes(token: Token, part: Part | None) -> bool:
    """Whether a verb tells of causing something: listed, or of the past and not one of reporting a figure."""
    verb = part.value("verb") if part is not None else None
    caused = verb is not None and verb not in connecting("reporting")
    told = part is not None and (part.unknown or caused or bool(part.values("operation") & _MOVING))
    past = token.base.endswith("ed") and len(token.base) > 4
    return (past and told) or token.base in causing()


# --- whose filing ---


def asked_about(
    sentence: Sentence, mentions: Sequence[Mention], is_held: Callable[[Mention], bool]
) -> tuple[Mention, ...]:
    """The companies whose filings tell: all that are compared or listed, else the one that deals with the others.

    "Amazon's stake in Rivian" stands in Amazon's filing, and "the effect of Kraft Heinz on Berkshire" in Berkshire's.
    """
    once = tuple({mention.ciks: mention for mention in reversed(mentions)}.values())[::-1]
    held = [mention for mention in once if is_held(mention)]
    told = sentence.words
    if len(once) < 2 or not held or told & connecting("side by side"):
        return once
    if len(held) == 1:
        return tuple(held)
    beside = all(_are_listed(sentence, one, other) for one, other in pairwise(once))
    if beside and not told & connecting("related"):
        return once
    dealt_with: list[Mention] = []
    for before, mention in zip((None, *once), once, strict=False):
        listed = before in dealt_with and before is not None and _are_listed(sentence, before, mention)
        if listed or sentence.word_before(mention) in connecting("towards"):
            dealt_with.append(mention)
    free = [mention for mention in held if mention not in dealt_with]
    owners = [mention for mention in free if sentence.tokens[mention.last - 1].possessive]
    return (*owners, *free, *held)[:1]


def _are_listed(sentence: Sentence, one: Mention, other: Mention) -> bool:
    between = sentence.tokens[one.last : other.first]
    comma = "," in sentence.gap(one, other)
    return (not between and comma) or (
        0 < len(between) < 3 and {token.base for token in between} <= {"and", "or", "/"}
    )


# --- of which years ---


def years_of(sentence: Sentence, found: Asked, today: date, topics: Sequence[Topic] = ()) -> tuple[Period, ...]:
    """The years whose filings are asked: of a span its ends, of years to come and of how long an auditor has served the
    newest, of the reason of a change the later one.
    """
    periods = found.periods
    if isinstance(periods, Span):
        served = any(AUDITORS_REPORT.pattern("tenure_asked").search(one.text) for one in topics)
        newest = periods.last is None and (served or (periods.first.year or 0) >= today.year)
        return (*(() if newest else (periods.first,)), periods.last or Period(form=PeriodForm.LATEST))
    if not isinstance(periods, Years):
        return (periods.until or Period(form=PeriodForm.LATEST),)
    years = [one.year for one in periods.periods if one.year]
    explained = sentence.words & connecting("explaining")
    if len(years) == 2 == len(periods.periods) and explained and max(years) - min(years) == 1:
        return (periods.periods[years.index(max(years))],)
    return periods.periods


# --- what ---


def topic(
    sentence: Sentence, subjects: Sequence[Mention], thing: str = "", *, whole_years: bool = True
) -> Topic | None:
    """The topic of a question; None where it names nothing to look for.

    subjects: the companies asked about. thing: the measure of the question's other half, or of the question before,
    which "it" stands for. whole_years: whether years alone are periods; a quarter is then part of what is told.
    """
    places = {place for mention in subjects for place in mention.places}
    match shape_of(_shape(sentence)):
        case "overview":
            return overview()
        case "results":
            return results()
        case "audit_fees":
            return audit_fees()
        case "vague":
            return None
    # "Why did it rise" is asked of the measure, "does it mention tariffs" of the company.
    explains = asks_why(sentence)
    told = _without(sentence, places, thing if explains else "", whole_years=whole_years)
    found = topic_of(told)
    few = found is None or (not found.whole and sum(len(query.words) for query in found.queries) < _FEW)
    alone = is_yes_no(sentence) or sentence.having("text", "text_else")
    goes_on = thing and few and thing not in told and (explains or (found is not None and not alone))
    if not goes_on:
        return found
    told = told.rstrip("?!.")
    if told.lower() in connecting("asking why alone"):
        return topic_of(f"why did {thing} change?")
    last = sentence.parts[-1]
    named = last.first > 0 and sentence.tokens[last.first - 1].base in ARTICLES  # "what caused the drop" in it
    moved = named and bool(last.values("operation") & _MOVING)
    return topic_of(f"{told} {'in ' if moved and explains else ''}{thing}")


def is_price(topic: Topic) -> bool:
    """Whether nothing but the price of the company's share is asked: "is the stock cheap", but not "stock split"."""
    told = {word.lower() for query in topic.queries for word in query.words}
    return bool(told & connecting("priced")) and told <= connecting("priced") | connecting("pricing")


def is_newest(topic: Topic) -> bool:
    """Whether its words say only that something new is asked for: "recent", "happened lately"."""
    told = {word.lower() for query in topic.queries for word in query.words}
    return told <= connecting("saying how new")


def _shape(sentence: Sentence) -> str:
    said: list[str] = []
    for part in sentence.parts:
        said += ["@c"] if part.mention else ["@p"] if _is_when(sentence, part) else part.stems
    return " ".join(said)


def _is_when(sentence: Sentence, part: Part, *, whole_years: bool = True) -> bool:
    """Whether a part says of which year; a month or a quarter is part of what is told, unless parts of years are asked."""
    stretch = part.stretch
    if stretch is None or names_thing(sentence, stretch):
        return False
    return not (whole_years and (stretch.interim or stretch.month))


def names_thing(sentence: Sentence, stretch: Stretch) -> bool:
    """Whether a bare year is one of a plan or of a name: "carbon neutral by 2040", "its 2022 Productivity Initiative"."""
    tokens, period = sentence.tokens, stretch.period
    if period is None or period.form is not PeriodForm.BARE:
        return False
    named = tokens[stretch.last : stretch.last + 2]
    small = sum(token.text.islower() for token in tokens) > 1  # not where every word has a capital
    until = stretch.first > 0 and tokens[stretch.first - 1].base in connecting("until")
    return until or (
        small and len(named) > 1 and all(one.capital and one.base not in connecting("of a filing") for one in named)
    )


def _without(sentence: Sentence, company: set[int], thing: str = "", *, whole_years: bool = True) -> str:
    """The question with "the company" for the company's name, without its period, and with the thing for "it"."""
    tokens, question = sentence.tokens, sentence.question
    periods = {
        place for part in sentence.parts if _is_when(sentence, part, whole_years=whole_years) for place in part.places
    }
    parts: list[str] = []
    end = tokens[0].start
    for place, token in enumerate(tokens):
        gap = question[end : token.start]
        gap = "" if any(map(str.isalnum, gap)) else gap  # words that were passed over
        end = token.end
        if place in periods or (place + 1 in periods and token.stem in connecting("before a period")):
            continue
        if place in company:
            if place + 1 not in company:
                parts.append(" the company's" if token.possessive else " the company")
            continue
        word = (
            thing
            if thing and token.base in connecting("of several" if " and " in thing else "of one")
            else question[token.start : token.end]
        )
        parts.append(f"{gap if gap.strip() else ' '}{word}")
    mark = question[end:].strip()[:1]
    told = _JOINT.sub("", " ".join("".join(parts).split()))
    return _LISTED.sub(r"\1", told) + (mark if mark in {"?", "!", "."} else "")
