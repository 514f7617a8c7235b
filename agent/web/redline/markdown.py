"""What changed in an Item as a Markdown file."""

from collections.abc import Iterator

from agent.web.api.redline import Redline, RedlineChange, RedlinePassage
from agent.web.exports.figure_rows import Site
from agent.web.exports.markdown_file import plain

CHECKED = "Every passage is quoted from the stored text of the filing that it is named with."


def written(made: Redline, site: Site) -> str:
    """The result, the risks that were added, removed or reworded, and every change under its heading."""
    return "\n\n".join(_lines(made, site)) + "\n"


def _lines(made: Redline, site: Site) -> Iterator[str]:
    years = made.older.fiscal_year, made.newer.fiscal_year
    yield f"# {plain(made.company)}: {plain(made.title)}, fiscal {years[0]} to {years[1]}"
    yield from map(plain, made.said)
    yield plain(f"Older: {made.older.accession}. Newer: {made.newer.accession}. {CHECKED}")
    if captions := [one for one in made.captions if one.kind not in {"same", "rolled"}]:
        yield "## Risks"
        yield from (_passage(one, years) for one in captions)
    yield "## Text"
    heading = ""
    for change in made.changes:
        if change.heading and change.heading != heading:
            yield f"### {plain(change.heading)}"
        heading = change.heading
        yield f"[{change.kind.capitalize()}]({site(change.page)})"
        yield _change(change, years)
    yield site(made.page)


def _change(change: RedlineChange, years: tuple[int | None, int | None]) -> str:
    return "\n\n".join(_passage(one, years) for one in change.passages if one.kind not in {"same", "rolled"})


def _passage(one: RedlinePassage, years: tuple[int | None, int | None]) -> str:
    """Both versions of a passage as quotations, each under its year and page."""
    told = []
    for year, said in zip(years, (one.older, one.newer), strict=True):
        if said:
            page = f", page {said.page}" if said.page else ""
            columns = f" ({plain(said.columns)})" if said.columns else ""
            told.append(f"> **{one.kind.capitalize()}, fiscal {year}{plain(page)}:** {plain(said.text)}{columns}")
    return "\n>\n".join(told)
