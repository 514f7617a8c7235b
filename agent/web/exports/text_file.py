"""The text of an answer in Markdown: quotations, or passages to read, part by part with their sources."""

from collections.abc import Iterator, Sequence

from agent.web.exports.figure_rows import Site
from agent.web.exports.markdown_file import plain
from agent.web.pages.answer_card import AnswerPart
from agent.web.pages.prose_card import Prose, ShownClaim

CHECKED = "Every quotation was compared with the stored document."


def written(parts: Sequence[AnswerPart], lines: Sequence[str], url: str, site: Site) -> str:
    """The parts of an answer that quote text, each under its heading. lines: what stands above them. url: of the answer."""
    told = [one for part in parts for one in _part(part, site)]
    return "\n\n".join((*map(plain, lines), *told, url)) + "\n"


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
