"""Which of the names in a question are the companies asked about, and which periods are a company's own."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from agent.query.dates.years import Asked, Stretch, asked
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Part, Sentence
from agent.query.words.word_classes import connecting
from agent.refusals.codes import Code
from agent.registrants.mentions import Mention
from agent.registrants.registrant_index import CURATED, FULL, SYMBOL, Companies
from agent.state.query import Own, Years
from agent.state.references import PeriodForm
from agent.words.tokens import Token
from filings.edgar.registrant_names import LOOKALIKES
from filings.tables.months import MONTHS
from filings.xbrl.periods import FiscalPeriod

PARTS_OF_YEARS = frozenset(one.value.lower() for one in FiscalPeriod if len(one.value) == 2) - {"fy"}


def meant(
    companies: Companies, tokens: Sequence[Token], found: Sequence[Mention], measured: Collection[int] = ()
) -> tuple[list[Mention], list[Mention]]:
    """The companies surely named, and the words that may name one where none is.

    measured: places in names of measures of several words, where only a company that is held is one.
    """
    held = companies.held
    ours = {one.first for one in found if held.issuperset(one.ciks)}
    found = [one for one in found if one.first in ours or not set(one.places) <= set(measured)]
    found = [one for one in found if not _is_of_date(tokens, one)]
    owned = {one.last for one in found if tokens[one.last - 1].possessive}
    # "Meta's VR revenue" is no revenue of whoever is called VR.
    found = [one for one in found if one.first in ours or one.first not in owned]
    # Nor is "T-Mobile Metro revenue" one of Metro Inc.: right behind a company that is held, only a name in full is another.
    ends = {one.last for one in found if one.first in ours} - ours
    found = [one for one in found if one.level <= FULL or one.first not in ends or _is_beside(one, found, tokens)]
    strong, weak = [one for one in found if not one.weak], [one for one in found if one.weak]
    if not all(held.isdisjoint(one.ciks) for one in strong):
        # Beside a company that is held, letters that are somebody's ticker, a name that several have or one of three
        # letters, are no second one: "EU", "AI", "Meridian 4", "VR".
        strong = [
            one
            for one in strong
            if not held.isdisjoint(one.ciks)
            or (one.level != SYMBOL and len(one.ciks) == 1 and not _is_short(tokens, one))
            or _is_beside(one, strong, tokens)
        ]
    named = [one for one in weak if _is_name(companies, tokens, one)]
    if strong and all(one.level == SYMBOL and held.isdisjoint(one.ciks) for one in strong):
        # "Target's card deal with TD": nor are they before it, where it is named by an everyday word.
        strong = [] if any(one.first < strong[0].first and one.first in ours for one in named) else strong
    joined = [
        one for one in weak if _is_beside(one, strong, tokens) and (one in named or _is_held_symbol(companies, one))
    ]
    named.sort(key=lambda one: held.isdisjoint(one.ciks))
    return sorted([*strong, *joined], key=lambda one: one.first), named


def _is_short(tokens: Sequence[Token], mention: Mention) -> bool:
    return len(mention.places) == 1 and len(tokens[mention.first].base) < 4


def _is_of_date(tokens: Sequence[Token], mention: Mention) -> bool:
    """Whether letters that are somebody's ticker or name are the month of a date, "Dec 31", or a quarter: "Q2 2024"."""
    word = tokens[mention.first].base
    behind = tokens[mention.last : mention.last + 1]
    is_quarter = len(mention.places) == 1 and word in PARTS_OF_YEARS
    return is_quarter or (word in MONTHS and bool(behind) and behind[0].base.isdecimal())


def _is_name(companies: Companies, tokens: Sequence[Token], mention: Mention) -> bool:
    """Whether an everyday word is written as a name, or is a company that is held at a place where one stands."""
    first = tokens[mention.first]
    covered = len(mention.ciks) == 1 and companies.registrants[mention.ciks[0]].covered
    plain = first.base in LOOKALIKES
    return (
        (first.capital and mention.first > 0)
        or (covered and (len(first.base) > 2 or first.upper))
        or (covered and mention.first == 0 and _is_held_symbol(companies, mention))
        or (first.capital and not plain)
    )


def _is_held_symbol(companies: Companies, mention: Mention) -> bool:
    """Whether letters are the ticker of a company that is held, or how all call it: "tesla or gm"."""
    return mention.level in {SYMBOL, CURATED} and companies.held.issuperset(mention.ciks)


def _is_beside(mention: Mention, strong: Sequence[Mention], tokens: Sequence[Token]) -> bool:
    for other in strong:
        if other is mention:
            continue
        gap = range(min(other.last, mention.last), max(other.first, mention.first))
        words = {tokens[place].stem for place in gap}
        apart = bool(gap) or tokens[gap.start].start - tokens[gap.start - 1].end > 1  # a comma
        if apart and len(words) <= 1 and words <= connecting("beside companies"):
            return True
    return False


def check_counterparties(sentence: Sentence) -> None:
    """Refuses a second company that is not asked about, but dealt with: "revenue from Apple" of Broadcom."""
    mentions = sentence.mentions
    if len({part.ciks for part in mentions}) < 2:
        return
    for number, part in enumerate(mentions[1:], 1):
        before = sentence.word_before(part)
        last = mentions[number - 1]
        if {token.base for token in sentence.tokens[last.last : part.first]} & {"plus", "+", "minus", "less"}:
            raise Refused(Code.CROSS_COMPANY, sentence.text(last, part))
        # "Bought by Amazon and by Alphabet" names two of one kind.
        listed = before == sentence.word_before(last)
        if before in connecting("dealing") and last.last < part.first - 1 and not (listed or _is_compared(sentence)):
            raise Refused(Code.NOT_UNDERSTOOD, sentence.text(part))


def _is_compared(sentence: Sentence) -> bool:
    return any(part.value("operation") in {"compare", "difference", "rank"} for part in sentence.parts)


def own_periods(sentence: Sentence, stretches: Sequence[Stretch], general: Asked) -> tuple[list[Own], Asked]:
    """Periods that stand beside their companies, and the general ones: "AMD FY2024 vs NVDA FY2025"."""
    parts, named = sentence.parts, {part.ciks for part in sentence.mentions}
    dated = (part for part in parts if part.period and part.period.form is not PeriodForm.LATEST)
    pairs = [(owner, part) for part in dated if (owner := _owner(parts, part))] or _in_turn(parts)
    years = {(part.period.year, part.period.end) for _, part in pairs if part.period}
    beside = {part.first for _, part in pairs}
    rest = [one for one in stretches if one.first not in beside]
    left = {owner.ciks for owner, _ in pairs}
    if len(named) < 2 or not pairs or (not rest and (len(years) == 1 or len(pairs) == 1 or left != named)):
        return [], general
    if left == named and any(one.period or one.periods for one in rest):
        rest = []
    own = [
        Own(cik=cik, periods=Years(periods=(part.period,)))
        for owner, part in pairs
        if part.period
        for cik in owner.ciks
    ]
    others = asked(rest) if rest else replace(general, years=general.years[:1], range=None)
    return own, others


def _in_turn(parts: Sequence[Part]) -> list[tuple[Part, Part]]:
    """Companies and years that take turns: "AMD revenue FY2024 and NVDA revenue FY2025"."""
    told = [part for part in parts if part.mention or part.period]
    pairs = list(zip(told[::2], told[1::2], strict=False))
    turns = len(told) % 2 == 0 and len(pairs) > 1 and all(one.mention and other.stretch for one, other in pairs)
    return pairs if turns else []


def _owner(parts: Sequence[Part], part: Part) -> Part | None:
    """The company a period stands beside: right behind it, or before "for" and it."""
    place = parts.index(part)
    following = parts[place + 1 : place + 3]
    word = following[0].word if len(following) == 2 and following[1].mention else ""
    at = next((place - back for back in (1, 2) if place >= back and parts[place - back].mention), None)
    if at is not None and word != "for":
        listed = _ends_list(parts[max(at - 2, 0) : at])  # "Nike and Starbucks fiscal 2025"
        if not listed and all(one.word in connecting("before own years") for one in parts[at + 1 : place]):
            return parts[at]
    return following[1] if word in {"for", "of"} else None


def _ends_list(before: Sequence[Part]) -> bool:
    """Whether before a company stands another, with nothing but a word that lists between them."""
    return len(before) == 2 and before[0].mention is not None and before[1].only_says("listing companies")
