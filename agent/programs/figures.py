"""Figures in a drafted sentence: a placeholder bound to a number that the number path found, put in by code.

A figure is only ever set behind the name of its own measure, in brackets and with its year: "research and development
expense (fiscal 2024: $31,370 million)". Whatever the sentence says, that is what the figure is. The sentence itself is
verified without it.
"""

import re
from collections.abc import Sequence

from agent.answered import Draft
from agent.language.concepts import Measures
from agent.language.words import Token, tokenise
from agent.planned import CompanyRef, Record
from agent.programs import fence
from agent.programs.schemas import FactGiven

_FACT = r"\{\{\s*fact\s*:\s*(\d{1,3})\s*\}\}"
PLACEHOLDER = re.compile(rf"\s*(?:\(\s*{_FACT}\s*\)|{_FACT})")
# What may stand before and behind the name of a measure without making another measure of it.
_BEFORE = frozenset(
    [
        "the",
        "a",
        "its",
        "their",
        "our",
        "and",
        "or",
        "but",
        "that",
        "while",
        "as",
        "with",
        "of",
        "in",
        "to",
        "for",
        "from",
        "by",
        "on",
        "how",
        "why",
        "which",
        "when",
        "where",
        "company",
        "total",
        "reported",
        "consolidated",
    ]
)
_BEHIND = frozenset(
    [
        "and",
        "or",
        "but",
        "was",
        "were",
        "is",
        "are",
        "has",
        "had",
        "increased",
        "decreased",
        "rose",
        "fell",
        "grew",
        "declined",
        "driven",
        "due",
        "because",
        "reflecting",
        "reflected",
        "reflects",
        "primarily",
        "mainly",
        "compared",
        "as",
        "which",
        "while",
        "when",
        "during",
    ]
)


class Figure(Record):
    """A number that may be placed, as the number path rendered it."""

    number: int
    company: CompanyRef
    draft: Draft

    @property
    def given(self) -> FactGiven:
        """As a program is told of it: without the value, so that it cannot be typed."""
        return FactGiven(
            placeholder=f"{{{{fact:{self.number}}}}}",
            measure=fence.name(self.draft.found.label),
            company=fence.name(self.company.called),
            period=f"fiscal {self.draft.found.fiscal_year}",
        )


class Placed(Record):
    """A figure in the text of a claim: which claim, behind which character, which figure."""

    claim: int
    at: int
    number: int


def figures(drafts: Sequence[tuple[CompanyRef, Draft]]) -> tuple[Figure, ...]:
    """The figures of an answer, numbered from 1."""
    return tuple(
        Figure(number=place, company=company, draft=draft) for place, (company, draft) in enumerate(drafts, 1)
    )


def unbound(
    text: str, cik: int, offered: Sequence[Figure], measures: Measures
) -> tuple[str, list[tuple[int, int]]] | None:
    """A text without its placeholders, and (offset, number) of each; None where one may not stand where it does.

    cik: whose filing the text is drafted from; a figure of another company is not put into it.
    """
    by_number = {figure.number: figure for figure in offered}
    left = ""
    found: list[tuple[int, int]] = []
    end = 0
    for hit in PLACEHOLDER.finditer(text):
        left += text[end : hit.start()]
        end = hit.end()
        figure = by_number.get(int(hit[1] or hit[2]))
        twice = bool(found) and found[-1][0] == len(left)
        if figure is None or twice or figure.company.cik != cik or not names(left, text[end:], figure, measures):
            return None
        found.append((len(left), figure.number))
    left += text[end:]
    return None if {"{", "}"} & set(left) else (left, found)


def names(before: str, behind: str, figure: Figure, measures: Measures) -> bool:
    """Whether a text ends with the name of a figure's measure, and neither side makes another measure of it."""
    tokens = tokenise(before)
    ending = [match for match in measures.matches(tokens, ()) if match.last == len(tokens)]
    if not ending or before.rstrip() != before or not before[-1:].isalnum():
        return False
    longest = max(ending, key=len)
    if not any(figure.draft.found.concept in measures.keys(one.value) for one in longest.meanings):
        return False
    first = tokens[longest.first - 1] if longest.first else None
    return (first is None or leads(first, figure.company)) and follows(behind)


def leads(token: Token, company: CompanyRef) -> bool:
    named = {one.base for name in (company.name, company.short, company.symbol) for one in tokenise(name)}
    return token.base in _BEFORE or token.base in named


def follows(text: str) -> bool:
    """Whether what stands behind a figure ends its phrase."""
    word = re.match(r"\s*([a-z]+)", text, re.IGNORECASE)
    return word is None or word[1].lower() in _BEHIND
