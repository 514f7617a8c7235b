"""Answers in Markdown as the card shows them: tables with a column for each row's sources, or quotations with theirs."""

import re
from collections.abc import Iterator, Sequence

from django.utils.text import capfirst

from agent.numbers.facts.render import column_unit
from agent.numbers.tables import table_text
from agent.state import Cell
from agent.web.cards.answer_card import AnswerPart
from agent.web.cards.prose_card import Prose, ShownClaim
from agent.web.exports.figure_rows import Site, fact_page
from agent.web.exports.provenance import About, remarks
from agent.web.tables.figure_card import Figure
from agent.web.tables.table_card import TableCard

# Characters that are markup in Markdown or HTML.
_MARKUP = re.compile(r"([\\`*_\[\]<>|#~])")


def written(tables: Sequence[TableCard], about: About, site: Site) -> str:
    """An answer's tables, each under its title."""
    parts = [*map(plain, about.lines), *(part for one in tables for part in _table(one, site))]
    return "\n\n".join(filter(None, (*parts, about.url))) + "\n"


def _table(card: TableCard, site: Site) -> Iterator[str]:
    yield f"## {plain(card.title)}"
    heads = ["", *(one.short for one in card.rows.places), "Unit", "Source"]
    rows = [_row(cells, card, site) for cells in table_text.lines(card.table)]
    yield "\n".join(_line(one) for one in (heads, ["---", *("---:" for _ in card.rows.places), "---", "---"], *rows))
    if said := [*remarks(card), *([table_text.ROUNDED] if card.shows_work else [])]:
        yield "\n".join(f"- {plain(one)}" for one in said)


def _row(cells: Sequence[Cell], card: TableCard, site: Site) -> list[str]:
    by_place = {cell.column: cell for cell in cells}
    first = cells[0]
    unit = next((cell.unit for cell in cells if cell.value is not None), "")
    label = first.part or capfirst(table_text.measure(first))
    return [
        plain(f"{first.company}: {label}" if len(card.rows.companies) > 1 else label),
        *(_figure(by_place.get(one), card, site) for one in card.rows.places),
        plain(column_unit(unit, card.scale) if unit else ""),
        "; ".join(_sources(cells, site)),
    ]


def _figure(cell: Cell | None, card: TableCard, site: Site) -> str:
    if cell is None:
        return ""
    shown, own = plain(Figure(cell, card.scale).column), table_text.own_period(cell)
    return f"[{shown}]({fact_page(cell.fact, site)}){own}" if cell.fact else f"{shown}{own}"


def _sources(cells: Sequence[Cell], site: Site) -> Iterator[str]:
    """us-gaap:Revenues Cloud FY2023 0000320193-23-000106: each tag of a part once, with each year's fact."""
    found: dict[str, dict[str, str]] = {}
    for cell in cells:
        own = [(cell.place, cell.fact)] if cell.fact else []
        for place, fact in own or [(one.place, one.fact) for one in cell.operands]:
            link = f"[{place.short} {fact.form} {fact.accession}]({fact_page(fact, site)})"
            found.setdefault(" ".join(filter(None, (fact.name, fact.member))), {})[link] = link
    for tag, links in found.items():
        yield f"{plain(tag)} {', '.join(links)}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def plain(text: str) -> str:
    """A text on one line, without markup."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


# --- text ---


def text(parts: Sequence[AnswerPart], about: About, site: Site) -> str:
    """The parts of an answer that quote text, each under its heading."""
    told = [one for part in parts for one in _part(part, site)]
    return "\n\n".join((*map(plain, about.lines), *told, about.url)) + "\n"


def is_text(part: AnswerPart) -> bool:
    """Whether a part shows text of a document, or says why a document of several has none."""
    return bool(part.prose and (part.prose.claims or part.prose.near)) or bool(part.block.heading)


def _part(part: AnswerPart, site: Site) -> Iterator[str]:
    if not is_text(part):
        return
    block, prose = part.block, part.prose
    yield from (f"*{plain(one)}*" for one in block.missing)
    yield f"## {plain(block.heading or (prose.title if prose else ''))}"
    yield from (plain(filing.url) for filing in block.filings[:1] if block.heading and not filing.form and filing.url)
    if block.refusal:
        yield plain(f"{block.refusal.text} {block.refusal.detail}".strip())
    if prose:
        yield from _prose(prose, site)


def _prose(prose: Prose, site: Site) -> Iterator[str]:
    yield from (plain(one) for one in prose.notes)
    for group in prose.groups:
        yield from (f"### {plain(one)}" for one in (group.label,) if one)
        yield from (_claim(one) for one in group.claims)
    if prose.near:
        yield prose.block.above_passages
        yield from (f"> {plain(one.plain)}" for group in prose.near for one in group.passages)
    if prose.claims:
        yield "\n".join(f"- {_source(one, site)}" for one in prose.claims)


def _claim(one: ShownClaim) -> str:
    quotation = one.plain_quotation.strip()
    return "\n".join(f"> {plain(line)}" for line in (*one.plain.splitlines(), quotation) if line)


def _source(one: ShownClaim, site: Site) -> str:
    said = plain(one.source.removeprefix(one.citation.mark).strip())
    mark = plain(one.citation.mark)
    return f"[{mark}]({site(one.citation.href)}) {said}" if one.citation.href else f"{mark} {said}"
