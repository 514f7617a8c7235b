"""What every report is written in: Markdown's tables, shares with their bounds, and the module that makes it."""

from collections.abc import Iterable, Iterator, Sequence

from diligence.statistics import Share


def share(of: Share) -> str:
    """A share with its Wilson 95 % interval, in one cell."""
    return " ".join(str(of).split())


def table(head: Sequence[object], rows: Iterable[Iterable[object]], right: int = 0) -> Iterator[str]:
    """The lines of a table. right: so many of the last columns hold numbers."""
    yield line(head)
    yield f"|{'---|' * (len(head) - right)}{'---:|' * right}"
    yield from map(line, rows)


def line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def document(title: str, doc: str | None, *parts: Iterable[str]) -> str:
    """A whole report: its title, what a module's docstring says of it behind its first line, and its parts."""
    lines = [f"# {title}", "", *(doc or "").partition("\n\n")[2].strip().splitlines()]
    for part in parts:
        lines += ["", *part]
    return "\n".join([*lines, ""])
