"""Whether words speak of a measure of the whole company in one fiscal year, so that its figure may stand among them.

A closed grammar: only words that are known to leave a measure whole may stand in its clause. A word that is not known
may be a segment, a product or a region, and what is not known to be right is not right.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from agent.prose.text.english import COMPANY_WIDE
from agent.query.words.lexicon import Lexicon, Match
from agent.state.references import CompanyRef
from agent.words.tokens import Token, tokenise
from filings.document.sentences import sentence_spans

DENIED = COMPANY_WIDE.words("denied")
PARTS = COMPANY_WIDE.words("parts")
MOVED = COMPANY_WIDE.words("moved")
BEING = COMPANY_WIDE.words("being")
PLAIN = COMPANY_WIDE.words("plain")
LEADING = COMPANY_WIDE.words("being", "plain", "moved", "leading")
BEFORE = COMPANY_WIDE.words("before")
BEHIND = COMPANY_WIDE.words("being", "moved", "behind")
FOLLOWING = COMPANY_WIDE.words("being", "moved", "behind", "plain", "following")
WHY = COMPANY_WIDE.words("why")
NO_REASON = COMPANY_WIDE.words("no_reason")
JOINING = COMPANY_WIDE.words("joining")
TITLES = COMPANY_WIDE.words("titles")
FRONTED = COMPANY_WIDE.words("fronted")

_YEARS = r"(?:19|20)\d\d"
_FISCAL = r"(?:(?:fiscal|financial)\s+(?:year\s+)?|FY\s?'?)"
_BEFORE_THAT = (
    rf"(?:(?:the\s+)?(?:prior|previous|preceding|last)[\s-]+(?:fiscal[\s-]+)?year(?:'s|\u2019s)?(?:\s+levels?)?(?![\w-])"
    rf"|the\s+year\s+before\b|a\s+year\s+(?:ago|earlier|before)\b|{_FISCAL}?{_YEARS}\b)"
)
COMPARED = re.compile(
    rf",?\s*(?:\b(?:when\s+|as\s+)?(?:compared|relative|in comparison)\s+(?:to|with)|\bversus|\bvs\.?|\bover|\bfrom|\bthan)"
    rf"\s+(?:(?:that|those)\s+of\s+|in\s+)?{_BEFORE_THAT}|\byear[\s-]over[\s-]year\b|\byear[\s-]on[\s-]year\b",
    re.IGNORECASE,
)
AMOUNT = re.compile(
    r"(?:\b(?:by|or|to|approximately|about|nearly|roughly)\s+)*"
    r"(?:\$\s?\d[\d,.]*(?:\s(?:thousand|million|billion|trillion)\b)?"
    r"|(?<![\w.])\d[\d,.]*\s?(?:%|percent\b|percentage\spoints\b|basis\spoints\b|thousand\b|million\b|billion\b))",
    re.IGNORECASE,
)
# "Demand raised the company's net sales": who or what did it is free where whose measure it is stands behind the verb.
CAUSED = re.compile(
    r"(?P<subject>[^,;:()]+?)\s(?:raised|increased|reduced|decreased|lowered|drove|boosted|lifted)\s"
    r"(?:the company(?:'s|\u2019s)|our)(?:\s(?:total|consolidated|annual|reported))?\s*",
    re.IGNORECASE,
)
ITEM = re.compile(r"\b(?:item|part)\s+(?:\d{1,2}[a-c]?|[ivx]{1,3})\b", re.IGNORECASE)
ENDED = r"(?:[A-Z][a-z]+\s\d{1,2},?\s)"


@dataclass(frozen=True)
class Whole:
    """A company in the fiscal year that ended on `end`, and the names of measures."""

    company: CompanyRef
    year: int
    end: date
    names: Lexicon

    def speaks(self, text: str, at: int, concept: str) -> bool:
        """Whether text[:at] ends with the name of a measure, and the sentence is about it as a whole, in this year."""
        before, behind = text[:at], text[at:]
        if not before[-1:].isalnum() or len(sentence_spans(text, 0, len(text))) > 1 or re.search(r"[;:{}]", text):
            return False
        if DENIED & {token.base for token in tokenise(self.plain(text))}:
            return False
        tokens = tokenise(before)
        ending = [match for match in self.named(tokens) if match.last == len(tokens)]
        longest = max(ending, key=len, default=None)
        if longest is None or longest.named is None or concept not in longest.named.keys:
            return False
        return self.leads(before[: tokens[longest.first].start]) and self.follows(behind)

    def leads(self, text: str) -> bool:
        """Whether what stands before the name of a measure leaves it whole."""
        plain = self.plain(text)
        if re.search(_YEARS, plain):
            return False
        if (caused := CAUSED.fullmatch(plain)) and not FRONTED & {caused["subject"].split()[0].lower()}:
            return True
        tokens = tokenise(plain)
        if not tokens:
            return True
        places = self.measured(tokens)
        if tokens[-1].base not in BEFORE or (len(tokens) - 1) in places:
            return False
        for place, token in enumerate(tokens):
            if place not in places and token.base not in LEADING:
                return False
            # "In advertising, the net sales": a business, not a measure.
            ends = place in places and place + 1 not in places
            if ends and tokens[place + 1].base not in JOINING | MOVED | BEING:
                return False
        return True

    def follows(self, text: str) -> bool:
        """Whether what stands behind the figure of a measure leaves it whole."""
        if re.match(r"\s*[(\[-]", text):
            return False
        tokens = tokenise(self.plain(text))
        if not tokens:
            return True
        places = self.measured(tokens)
        if 0 in places or tokens[0].base not in BEHIND:
            return False
        verb = False
        for place, token in enumerate(tokens):
            verb |= token.base in BEING | MOVED or token.base in BEHIND & WHY
            if verb and token.base in WHY and not (token.base == "as" and _next(tokens, place) in NO_REASON):
                return not goes_on(tokens[place + 1 :])
            if place not in places and token.base not in FOLLOWING:
                return False
        return True

    def stands_under(self, headings: Sequence[str], opening: str = "") -> bool:
        """Whether no heading over a sentence, nor the sentence that opens its paragraph, turns it to a part or a year."""
        if (DENIED | PARTS) & {token.base for token in tokenise(opening)} or self.is_of_other_year(opening):
            return False
        return all(map(self.is_heading, headings))

    def is_heading(self, text: str) -> bool:
        if self.is_of_other_year(text):
            return False
        text = re.sub(rf"{ENDED}?(?:,?\s*and\s+)?{_FISCAL}?{_YEARS}", " ", ITEM.sub(" ", text))
        tokens = tokenise(self.plain(text))
        places = self.measured(tokens)
        known = TITLES | PLAIN
        return all(place in places or token.base in known for place, token in enumerate(tokens))

    def is_of_other_year(self, text: str) -> bool:
        """Whether a text names years, and this one not first among them."""
        years = re.findall(rf"\b{_YEARS}\b", text)
        return bool(years) and int(years[0]) != self.year

    def named(self, tokens: Sequence[Token]) -> list[Match]:
        """The names of measures among the tokens."""
        return [match for match in self.names.matches(tokens) if match.named]

    def measured(self, tokens: Sequence[Token]) -> set[int]:
        """The places of tokens that name measures, the longest names first."""
        found: set[int] = set()
        for match in sorted(self.named(tokens), key=lambda one: (-len(one), one.first)):
            if found.isdisjoint(match.places):
                found.update(match.places)
        return found

    def plain(self, text: str) -> str:
        """A text without what does not qualify a measure of this company and year."""
        for pattern, put in self.known:
            text = pattern.sub(put, text)
        return text

    @cached_property
    def known(self) -> list[tuple[re.Pattern[str], str]]:
        names = sorted(
            filter(None, (self.company.name, self.company.short, self.company.symbol)), key=len, reverse=True
        )
        company = "|".join(map(re.escape, names))
        ended = rf"(?:the\s+)?(?:fiscal\s+)?year\s+ended\s+{self.end:%B}\s+{self.end.day},?\s+{self.end.year}"
        this = rf"(?:{ended}|the\s+(?:full\s+)?(?:fiscal\s+)?year|(?:the\s+)?{_FISCAL}?{self.year}|FY\s?'?{self.year % 100:02})"
        return [
            (re.compile(rf"(?<![\w&-])(?:{company})(?![\w&-])"), "the company"),
            (COMPARED, " "),
            (AMOUNT, " "),
            (re.compile(rf"\b(?:in|during|for|throughout|over)\s+{this}(?![\w'\u2019-])", re.IGNORECASE), " "),
            (re.compile(rf"(?<![\w-]){_FISCAL}?{self.year}(?:'s|\u2019s)?(?![\w-])", re.IGNORECASE), " "),
        ]


def goes_on(tokens: Sequence[Token]) -> bool:
    """Whether a reason is followed by something else that the measure did: "due to wages and fell in Europe"."""
    told = [token.base for token in tokens if not token.base.endswith("ly")]
    for place, word in enumerate(told):
        ahead = [one for one in told[place + 1 :] if one not in PLAIN or one == "to"][:2] if word in JOINING else []
        # "And increased headcount" is a reason.
        if ahead and ahead[0] in BEING | MOVED and (len(ahead) == 1 or ahead[0] in BEING or ahead[1] in FRONTED):
            return True
    return False


def hides(quote: str, text: str) -> bool:
    """Whether a quotation speaks of a part or another kind of measure where the text that stands for it does not."""
    told, said = ({token.base for token in tokenise(one)} for one in (quote, text))
    return bool((told - said) & (DENIED | PARTS))


def _next(tokens: Sequence[Token], place: int) -> str:
    return tokens[place + 1].base if place + 1 < len(tokens) else ""
