"""Figures in drafted sentences: a placeholder refers to a verified figure, which code inserts.

A figure is only set after the name of its own measure, in brackets and with its year: "research and development expense
(fiscal 2024: $31,370 million)", and only where the sentence is about that measure of the whole company in that year.
The sentence itself is verified without it.
"""

import re
from collections.abc import Sequence

from pydantic import Field

from agent.numbers.facts.render import inline
from agent.programs import program_inputs
from agent.programs.schemas import FactGiven
from agent.prose.answers.company_wide import Whole, hides
from agent.query.words.lexicon import Lexicon
from agent.state.references import CompanyRef, Record, Scale
from agent.state.tables import Cell

_FACT = r"\{\{\s*fact\s*:\s*(\d{1,3})\s*\}\}"
PLACEHOLDER = re.compile(rf"\s*(?:\(\s*{_FACT}\s*\)|{_FACT})")


class Figure(Record):
    """A figure that may be inserted, as rendered in the answer."""

    number: int
    company: CompanyRef
    cell: Cell
    inline: str = Field(description="As it is set into a sentence, with its brackets.")

    @property
    def given(self) -> FactGiven:
        """The figure as the model sees it: without the value, so that it cannot be typed."""
        return FactGiven(
            placeholder=f"{{{{fact:{self.number}}}}}",
            measure=program_inputs.name(self.cell.label),
            company=program_inputs.name(self.company.called),
            period=f"fiscal {self.cell.fiscal_year}",
        )

    def whole(self, names: Lexicon) -> Whole | None:
        """The company and year of the figure; None where its year is unknown."""
        if self.cell.fiscal_year is None or self.cell.period_end is None:
            return None
        return Whole(self.company, self.cell.fiscal_year, self.cell.period_end, names)


class Placed(Record):
    """A figure in a claim's text: claim, character position, figure."""

    claim: int
    at: int
    number: int


def figures(cells: Sequence[tuple[CompanyRef, Cell]], scale: Scale | None) -> tuple[Figure, ...]:
    """The figures of an answer, numbered from 1. scale: as they are asked in."""
    return tuple(
        Figure(number=place, company=company, cell=cell, inline=inline(cell, scale))
        for place, (company, cell) in enumerate(cells, 1)
    )


def unbound(
    text: str, quote: str, accession: str, offered: Sequence[Figure], names: Lexicon
) -> tuple[str, list[tuple[int, int]]] | None:
    """A text without its placeholders, and (offset, number) of each; None where one is not allowed at its place.

    quote: the quotation behind the text. accession: the filing it is drafted from; figures of other companies or years
    are not inserted.
    """
    by_number = {figure.number: figure for figure in offered}
    left = ""
    found: list[tuple[int, Figure]] = []
    end = 0
    for hit in PLACEHOLDER.finditer(text):
        left += text[end : hit.start()]
        end = hit.end()
        figure = by_number.get(int(hit[1] or hit[2]))
        twice = bool(found) and found[-1][0] == len(left)
        if figure is None or twice or figure.cell.accession != accession:
            return None
        found.append((len(left), figure))
    left += text[end:]
    if {"{", "}"} & set(left) or hides(quote, left):
        return None
    wholes = [(at, figure.whole(names), figure.cell.measure) for at, figure in found]
    if not all(whole and whole.speaks(left, at, measure) for at, whole, measure in wholes):
        return None
    return left, [(at, figure.number) for at, figure in found]
