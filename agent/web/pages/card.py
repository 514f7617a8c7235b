"""What the answer card shows beside the drafts: the printed line, later filings, the formula, a line to copy."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from uuid import UUID

from agent.numbers.render import MINUS, in_table
from agent.refusals.labels import lower_first
from agent.state import Answer, Block, Check, Draft, FactRef, Found, LaterValue, Target
from agent.web.pages.citations import citations
from agent.web.pages.prose_card import Prose, Shelf, is_prose, prose, shelf
from filings.models import Fact, StatementKind

NAME = re.compile(r"[A-Za-z_]\w*(?::\w+)?")
SIGNS = {"-": MINUS, "*": "\u00d7", "/": "\u00f7", "+": "+"}

CITE_CHECK = "cite_check"
# What a span of the question is called on the page.
ROLES = {"concept": "measure", "phrase": "wording", "unused": "not understood"}


@dataclass(frozen=True)
class Cell:
    """One column of a printed line."""

    end: date
    printed: str
    used: bool


@dataclass(frozen=True)
class Line:
    """A row of a statement as the document prints it, newest year first as it stands there."""

    title: str
    label: str
    cells: tuple[Cell, ...]
    instant: bool


@dataclass(frozen=True)
class Shown:
    """A draft and what stands around it."""

    draft: Draft
    target: Target | None
    line: Line | None
    formula: str
    figures: str

    @property
    def found(self) -> Found:
        return self.draft.found

    @property
    def says_exact(self) -> bool:
        """Whether the figure in full says more than the headline does."""
        return self.draft.exact != " ".join(filter(None, (self.draft.headline, self.draft.unit_word)))

    @property
    def restated(self) -> LaterValue | None:
        """The first later filing that gives another value."""
        return next((later for later in self.found.later if later.change), None)

    @property
    def title(self) -> str:
        """Apple, research and development expense, fiscal 2024."""
        company = f"{self.target.company.called}, " if self.target else ""
        return f"{company}{lower_first(self.found.label)}, fiscal {self.found.fiscal_year}"

    @property
    def plain(self) -> str:
        """The figure and its source in a line of text, for pasting."""
        figure = " ".join(filter(None, (self.draft.headline, self.draft.unit_word)))
        sources = "; ".join(
            f"{fact.name}, {fact.form} {fact.accession}, filed {fact.filed:%-d %b %Y}" for fact in self.found.facts
        )
        when = f"{'as of' if is_instant(self.found) else 'year ended'} {shown_end(self.found):%-d %b %Y}"
        return f"{self.title} ({when}): {figure} ({self.draft.exact}). {sources}."


@dataclass(frozen=True)
class AnswerPart:
    """A block of the answer as the page shows it."""

    block: Block
    target: Target | None
    drafts: tuple[Shown, ...]
    mentions: tuple[Shown, ...]
    prose: Prose | None = None
    shelf: Shelf | None = None

    @property
    def sums(self) -> tuple[Check, ...]:
        """The statement's own sums that were tried, each once; those that do not hold first."""
        tried = dict.fromkeys(check for check in self.block.checks if check.name != CITE_CHECK)
        return tuple(sorted(tried, key=lambda check: check.ok))

    @property
    def broken_sums(self) -> int:
        return sum(not check.ok for check in self.sums)

    @property
    def labelled(self) -> bool:
        """Whether any figure's printed row is known."""
        return any(shown.found.fact and shown.found.fact.label for shown in self.drafts)

    @property
    def verified(self) -> bool:
        """Whether every figure was read again and found equal."""
        checks = [check for check in self.block.checks if check.name == CITE_CHECK]
        return bool(checks) and all(check.ok for check in checks)


def parts(answer: Answer, run: UUID, share: str = "") -> list[AnswerPart]:
    """The blocks of an answer, each with its target and what is shown around its drafts or its claims.

    share: the token of the link by which it is read, where it is.
    """
    targets = {target.id: target for target in answer.plan.targets}
    names = told_apart(answer)
    cited = iter(citations(answer, run, share))
    shown_parts = []
    for block in answer.blocks:
        target = targets.get(block.target)
        of_block = list(islice(cited, len(block.claims)))
        shown_parts.append(
            AnswerPart(
                block=block,
                target=target,
                drafts=tuple(shown(draft, target) for draft in block.drafts),
                mentions=tuple(shown(draft, target) for draft in block.mentions),
                prose=prose(block, target, of_block, answer.plan.axes, names.get(block.target, ""))
                if is_prose(block)
                else None,
                shelf=shelf(block, target),
            )
        )
    return shown_parts


def told_apart(answer: Answer) -> dict[int, str]:
    """Target -> whose filing it is asked of, where an answer has several that quote: AMD, or fiscal 2025 of one."""
    quoting = [target for target in answer.plan.targets if not target.readings]
    companies = {target.company.cik for target in quoting}
    years = {
        filing.target: f"fiscal {filing.fiscal_year}" for block in answer.blocks for filing in block.filings
    }  # fmt: skip
    if len(quoting) < 2:
        return {}
    named = {}
    for target in quoting:
        name = target.company.called
        again = sum(other.company.cik == target.company.cik for other in quoting) > 1
        year = years.get(target.id, "") if again else ""
        named[target.id] = ", ".join(filter(None, (name if len(companies) > 1 else "", year)))
    return named


def joined(shown: Sequence[AnswerPart]) -> bool:
    """Whether the parts stand in one card: those of a question that asks for figures and for the filing's words."""
    of_prose = [part.prose is not None or bool(part.target and part.target.topic) for part in shown]
    return len(shown) > 1 and any(of_prose)


def understood(answer: Answer) -> tuple[Target, ...]:
    """What of the question was understood: the plan's targets, or what a refusal was about."""
    abouts = (block.refusal.about for block in answer.blocks if block.refusal)
    return answer.plan.targets or tuple(about for about in abouts if about)


def words(answer: Answer) -> list[tuple[str, str, str]]:
    """Every stretch of the question: the words, what they are, and what they were read as."""
    readings = (reading for target in understood(answer) for reading in target.readings)
    labels = {reading.concept: reading.label for reading in readings}
    return [
        (span.text, ROLES.get(span.role, span.role), labels.get(span.meaning, span.meaning.replace("_", " ")))
        for span in answer.plan.spans
    ]


def shown(draft: Draft, target: Target | None) -> Shown:
    """A draft with its printed line and its formula."""
    found = draft.found
    formula, figures = formulas(found)
    return Shown(draft, target, printed_line(found.fact) if found.fact else None, formula, figures)


def printed_line(fact: FactRef) -> Line | None:
    """The row of the statement a fact stands in, with its other columns; None where no document is held."""
    if not (fact.printed and fact.label and fact.statement):
        return None
    columns = (
        Fact.objects.filter(
            company__cik=fact.cik,
            filing__accession=fact.accession,
            source=Fact.Source.DOCUMENT,
            taxonomy=fact.taxonomy,
            tag=fact.tag,
            unit=fact.unit,
            statement=fact.statement,
            label=fact.label,
            dimensions="",
        )
        .exclude(printed="")
        .order_by("-end")
        .values_list("end", "printed")
    )
    cells = tuple(Cell(end, printed, end == fact.end) for end, printed in columns)
    if not any(cell.used for cell in cells):
        cells = (Cell(fact.end, fact.printed, used=True), *cells)
    title = fact.title or StatementKind(fact.statement).label
    return Line(title, fact.label, cells, instant=fact.start == fact.end)


def formulas(found: Found) -> tuple[str, str]:
    """A derived number's expression in the operands' labels, and in their figures; both empty for a fact."""
    if not found.formula:
        return "", ""
    operands = {operand.concept: operand for operand in found.operands}

    def label(match: re.Match[str]) -> str:
        operand = operands.get(match[0])
        return lower_first(operand.label) if operand else match[0].replace("_", " ")

    def figure(match: re.Match[str]) -> str:
        operand = operands.get(match[0])
        return in_table(operand.fact.value, operand.fact.unit) if operand else "0"

    # opt(x) is x or nothing: the reader sees x.
    expression = re.sub(r"\bopt\(([^()]*)\)", r"\1", found.formula)
    expression = re.sub(r"(?<=\s)[-+*/](?=\s)", lambda match: SIGNS[match[0]], expression)
    return NAME.sub(label, expression), NAME.sub(figure, expression)


def is_instant(found: Found) -> bool:
    """Whether a number is of a day and not of a year."""
    return all(fact.start == fact.end for fact in found.facts)


def shown_end(found: Found) -> date:
    """The day a number is of, or the last day of its year."""
    return found.fact.end if found.fact else found.period_end
