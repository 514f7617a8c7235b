"""Which of the names in a question are the companies asked about, and which periods are a company's own."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from agent.query.dates import MONTHS
from agent.query.periods import Asked, Stretch, asked
from agent.query.refused_question import Refused
from agent.query.sentence import Part, Sentence
from agent.query.word_classes import connecting
from agent.refusals.codes import Code
from agent.registrants.companies import CURATED, FULL, SYMBOL, Companies
from agent.registrants.mentions import Mention
from agent.state.query import Own, Years
from agent.state.references import PeriodForm
from agent.words.tokens import Token
from filings.edgar.registrant_names import LOOKALIKES


def meant(
    companies: Companies, tokens: Sequence[Token], found: Sequence[Mention], measured: Collection[int] = ()
) -> tuple[list[Mention], list[Mention]]:
    """The companies surely named, and the words that may name one where none is.

    measured: places in names of measures of several words, where only a company that is held is one.
    """
    found = [one for one in found if not set(one.places) <= set(measured) or companies.held.issuperset(one.ciks)]
    found = [one for one in found if not _is_month(tokens, one)]
    owned = {one.last for one in found if tokens[one.last - 1].possessive}
    # "Meta's VR revenue" is no revenue of whoever is called VR.
    found = [one for one in found if one.first not in owned or companies.held.issuperset(one.ciks)]
    # Nor is "T-Mobile Metro revenue" one of Metro Inc.: right behind a company that is held, only a name in full is another.
    ends = {one.last for one in found if companies.held.issuperset(one.ciks)}
    found = [
        one
        for one in found
        if one.level <= FULL
        or one.first not in ends
        or companies.held.issuperset(one.ciks)
        or _is_beside(one, found, tokens)
    ]
    strong = [mention for mention in found if not mention.weak]
    weak = [mention for mention in found if mention.weak]
    held = companies.held
    if any(not held.isdisjoint(mention.ciks) for mention in strong):
        # Beside a company that is held, letters that are somebody's ticker, or a name that several have, are no second
        # one: "EU", "AI", "Meridian 4".
        strong = [
            mention
            for mention in strong
            if not held.isdisjoint(mention.ciks)
            or (mention.level != SYMBOL and len(mention.ciks) == 1 and not _is_short(tokens, mention))
            or _is_beside(mention, strong, tokens)
        ]
    everyday = [one for one in weak if held.issuperset(one.ciks) and _is_name(companies, tokens, one)]
    if strong and all(one.level == SYMBOL and held.isdisjoint(one.ciks) for one in strong):
        # "Target's card deal with TD": nor are they before it, where it is named by an everyday word.
        strong = [] if any(one.first < strong[0].first for one in everyday) else strong
    joined = [
        mention
        for mention in weak
        if strong
        and _is_beside(mention, strong, tokens)
        and (_is_name(companies, tokens, mention) or _is_held_symbol(companies, mention))
    ]
    weak = sorted(
        (one for one in weak if _is_name(companies, tokens, one)), key=lambda one: not held.intersection(one.ciks)
    )
    return sorted([*strong, *joined], key=lambda one: one.first), weak


def _is_short(tokens: Sequence[Token], mention: Mention) -> bool:
    """Whether a name is no more than three letters: "VR"."""
    return mention.last - mention.first == 1 and len(tokens[mention.first].base) < 4


def _is_month(tokens: Sequence[Token], mention: Mention) -> bool:
    """Whether letters that are somebody's ticker are the month of a date: "Dec 31"."""
    behind = tokens[mention.last : mention.last + 1]
    return tokens[mention.first].base in MONTHS and bool(behind) and behind[0].base.isdecimal()


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


def check_counterparties(sentence: Sentence, refs: int) -> None:
    """Refuses a second company that is not asked about, but dealt with: "revenue from Apple" of Broadcom."""
    mentions = sentence.mentions
    if refs < 2:
        return
    for number, part in enumerate(mentions[1:], 1):
        before = sentence.word_before(part)
        last = mentions[number - 1]
        if {token.base for token in sentence.tokens[last.last : part.first]} & {"plus", "+", "minus", "less"}:
            raise Refused(Code.CROSS_COMPANY, sentence.text(last, part))
        if before in connecting("dealing") and last.last < part.first - 1 and not _is_compared(sentence):
            raise Refused(Code.NOT_UNDERSTOOD, sentence.text(part))


def _is_compared(sentence: Sentence) -> bool:
    return any(part.value("operation") in {"compare", "difference", "rank"} for part in sentence.parts)


def own_periods(sentence: Sentence, stretches: Sequence[Stretch], general: Asked) -> tuple[list[Own], Asked]:
    """Periods that stand beside their companies, and the general ones: "AMD FY2024 vs NVDA FY2025"."""
    check_counterparties(sentence, len({part.mention.ciks for part in sentence.parts if part.mention}))
    parts = sentence.parts
    pairs: list[tuple[Part, Part]] = []
    for part in parts:
        if part.stretch and part.stretch.period and part.stretch.period.form is not PeriodForm.LATEST:
            owner = _owner(sentence, parts, part)
            if owner:
                pairs.append((owner, part))
    if not pairs:
        pairs = _in_turn(parts)
    named = {part.mention.ciks for part in parts if part.mention}
    years = {
        (part.stretch.period.year, part.stretch.period.end)
        for _, part in pairs
        if part.stretch and part.stretch.period
    }
    beside = {part.first for _, part in pairs}
    rest = [one for one in stretches if one.first not in beside]
    left = {owner.mention.ciks for owner, _ in pairs if owner.mention}
    if len(named) < 2 or not pairs or (len(years) == 1 and not rest) or (len(pairs) == 1 and not rest):
        return [], general
    if left != named and not rest:
        return [], general
    if left == named and any(one.period or one.periods for one in rest):
        rest = []
    own = [
        Own(cik=cik, periods=Years(periods=(part.stretch.period,)))
        for owner, part in pairs
        if owner.mention and part.stretch and part.stretch.period
        for cik in owner.mention.ciks
    ]
    others = asked(rest) if rest else replace(general, years=general.years[:1], range=None)
    return own, others


def _in_turn(parts: Sequence[Part]) -> list[tuple[Part, Part]]:
    """Companies and years that take turns: "AMD revenue FY2024 and NVDA revenue FY2025"."""
    told = [part for part in parts if part.mention or (part.stretch and part.stretch.period)]
    pairs = list(zip(told[::2], told[1::2], strict=False))
    turns = len(told) % 2 == 0 and len(pairs) > 1 and all(one.mention and other.stretch for one, other in pairs)
    return pairs if turns else []


def _owner(sentence: Sentence, parts: Sequence[Part], part: Part) -> Part | None:
    """The company a period stands beside: right behind it, or before "for" and it."""
    place = parts.index(part)
    for back in (1, 2):
        if place >= back and parts[place - back].mention:
            between = parts[place - back + 1 : place]
            if _ends_list(sentence, parts, place - back):
                break  # "Nike and Starbucks fiscal 2025"
            if all(one.word in connecting("before own years") for one in between):
                following = parts[place + 1 : place + 3]
                if len(following) == 2 and following[0].word == "for" and following[1].mention:
                    break
                return parts[place - back]
            break
    following = parts[place + 1 : place + 3]
    if len(following) == 2 and following[0].word in {"for", "of"} and following[1].mention:
        return following[1]
    return None


def _ends_list(sentence: Sentence, parts: Sequence[Part], place: int) -> bool:
    """Whether a company stands behind another with nothing but a word that lists between them."""
    before = parts[place - 2 : place]
    return (
        len(before) == 2
        and before[0].mention is not None
        and {sentence.tokens[at].base for at in before[1].places} <= connecting("listing companies")
    )
