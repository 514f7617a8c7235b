"""Words of a question that goes on from another: those that say nothing of their own, those that stand for something,
and how one text is put together from two."""

import re
from collections.abc import Sequence

from agent.words.tokens import Token

# With these a question names nothing of its own: whatever else stands in it replaces a part of the question before.
SHELL = frozenset(
    {
        "a", "about", "again", "also", "and", "are", "as", "at", "but", "did", "do", "does", "for", "full", "give", "had", "has", "have", "how",
        "in", "instead", "is", "it", "its", "me", "much", "now", "of", "ok", "okay", "on", "please", "question", "same", "show", "so",
        "tell", "that", "the", "their", "them", "then", "they", "thing", "this", "to", "try", "was", "were", "what", "whats", "which", "year", "years",
    }
)  # fmt: skip
LEADS = re.compile(r"^(?:(?:and|but|so|also|then|now|ok|okay|plus)\b[\s,]*)+", re.IGNORECASE)
# The year beside that of the answer; "last year" is none of them: it is counted from today.
EARLIER = re.compile(
    r"\b(?:the\s+)?(?:(?:fiscal\s+)?year\s+(?:before|earlier|prior)(?:\s+that)?"
    r"|(?:prior|previous|preceding)\s+(?:fiscal\s+)?year)\b",
    re.IGNORECASE,
)
LATER = re.compile(
    r"\b(?:the\s+)?(?:(?:fiscal\s+)?year\s+(?:after|later)(?:\s+that)?|following\s+(?:fiscal\s+)?year)\b",
    re.IGNORECASE,
)
OWNER = re.compile(r"\b(?:its|their|the\s+company['\u2019]s|the\s+firm['\u2019]s)(?=\s)", re.IGNORECASE)
WHO = re.compile(r"\b(?:they|them|it|the\s+company|the\s+firm|the\s+business)\b", re.IGNORECASE)
POINTING = frozenset({"this", "that", "these", "those"})
IT_OR_THEY = frozenset({"it", "they", "them"})
# "It" that does one of these is the figure, and the company does nothing of the kind.
MOVES = frozenset(
    {
        "increase", "increased", "decrease", "decreased", "rise", "rose", "risen", "fall", "fell", "fallen", "grow", "grew", "grown", "drop",
        "dropped", "decline", "declined", "change", "changed", "go", "went", "improve", "improved", "worsen", "worsened", "compare",
        "compared", "higher", "lower", "up", "down", "high", "low",
    }
)  # fmt: skip
CAUSES = frozenset(
    {
        "drove",
        "drive",
        "drives",
        "driving",
        "caused",
        "cause",
        "affected",
        "behind",
        "explain",
        "explains",
        "explained",
    }
)
OF_FIGURE = frozenset(
    {
        "driver",
        "drivers",
        "reason",
        "reasons",
        "cause",
        "causes",
        "growth",
        "increase",
        "decrease",
        "decline",
        "change",
        "trend",
    }
)
# What a subject of the text does, or has; then "it" and "they" are not the company for sure.
OF_SUBJECT = frozenset(
    {
        "affect", "affected", "affects", "impact", "impacts", "impacted", "hurt", "help", "matter", "mean", "mitigate", "mitigated", "work",
        "apply", "happen", "increase", "decrease", "change", "arise", "effect", "effects", "consequence", "consequences", "likelihood",
        "severity", "material", "new", "different",
    }
)  # fmt: skip
BEING = frozenset({"is", "was", "are", "were", "be", "been"})
# Before "this" and "that" where they stand for something, and behind them where they do not.
POINTED_AT = BEING | {
    "does", "did", "do", "can", "could", "will", "would", "may", "might", "has", "have", "had", "about", "of", "for", "by", "to", "from",
    "with", "on", "in", "why", "how",
}  # fmt: skip
WITH_A_NAME = frozenset({"year", "period", "filing", "10", "annual", "report", "company", "fiscal"})
# Behind these, a company is whom the filing of another one speaks of.
TOWARDS = frozenset(
    {
        "from",
        "with",
        "to",
        "against",
        "by",
        "on",
        "like",
        "toward",
        "towards",
        "via",
        "through",
        "over",
        "than",
        "and",
        "or",
    }
)
# With these a text qualifies what was asked before: "and for data center?"
NARROWING = frozenset(
    {"for", "in", "from", "of", "by", "at", "to", "within", "outside", "excluding", "including", "without", "per"}
)
REWORDING = frozenset(
    {
        "make",
        "shorten",
        "rephrase",
        "reword",
        "rewrite",
        "translate",
        "repeat",
        "simplify",
        "continue",
        "elaborate",
        "summarize",
        "summarise",
    }
)
SINGULAR = {"do": "does", "are": "is", "were": "was", "have": "has"}
_ENDS = " ?.!\u2026"
SEVERAL_WAYS = "it could be read in more than one way"


def without_possessive(text: str, last: Token) -> str:
    """A name as typed, without the possessive that it has in its place."""
    if not last.possessive:
        return text
    return re.sub(r"['\u2019\u2018`](?:s)?$", "", text, flags=re.IGNORECASE)


def possessive(name: str) -> str:
    return name if name.lower().endswith(("'s", "\u2019s")) else f"{name}'s"


def in_place_of(words: str, name: str) -> str:
    """A name in the place of another, possessive where that was."""
    return possessive(name) if re.search(r"['\u2019](?:s)?$", words, re.IGNORECASE) else name


def edited(text: str, edits: Sequence[tuple[int, int, str]]) -> str:
    """A text with stretches replaced."""
    for start, end, words in sorted(edits, reverse=True):
        text = f"{text[:start]}{words}{text[end:]}"
    return text


def with_added(text: str, added: Sequence[str]) -> str:
    """A text with words at its end, before its question mark."""
    if not added:
        return text
    mark = "?" if text.rstrip().endswith("?") else ""
    return f"{text.rstrip(_ENDS)} {' '.join(added)}{mark}"
