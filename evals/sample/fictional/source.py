"""Read the source of a report: a plain text with marks for headings, bullets, tables, years and figures.

A block ends at an empty line. `@2024` begins blocks of that fiscal year's report alone, `@all` ends it; `[[a|b]]`
is a in the first report and b in the second. `:name rest` is a directive; `:table` runs to `:end`. `//` is a comment.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from evals.sample.fictional.figures import Figures, Inconsistent, percent, printed

YEAR = re.compile(r"@(\d{4}|all)")
CHOICE = re.compile(r"\[\[([^|\]]*)\|([^\]]*)\]\]")
FIGURE = re.compile(r"\{([a-z]+)((?: [^{}]*)?)\}")
HEADINGS = {"#": "part", "##": "item", "###": "head", "####": "caption", "#####": "group"}


@dataclass(frozen=True, slots=True)
class Piece:
    """One block of the source. `kind`: paragraph, bullet, table, directive or a name out of HEADINGS."""

    kind: str
    text: str
    rows: tuple[str, ...] = ()


def read_source(path: Path, year: int, years: tuple[int, int]) -> Iterator[Piece]:
    """The blocks of the report of one fiscal year, included files in place, choices made."""
    wanted = True
    lines: list[str] = []
    table: list[str] | None = None
    for raw in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        line = raw.rstrip()
        if line.startswith("//"):
            continue
        if (told := YEAR.fullmatch(line)) is not None:
            wanted = told[1] in {"all", str(year)}
            continue
        if not wanted:
            continue
        line = CHOICE.sub(lambda match: match[1 + years.index(year)], line)
        if table is not None:
            if line == ":end":
                yield Piece("table", table[0], tuple(table[1:]))
                table = None
            elif line:
                table.append(line)
        elif line.startswith(":include "):
            yield from read_source(path.with_name(line.removeprefix(":include ")), year, years)
        elif line.startswith(":table"):
            table = [line.removeprefix(":table").strip()]
        elif line:
            lines.append(line)
        elif lines:
            yield from blocks(lines)
            lines = []
    if table is not None:
        raise Inconsistent(f"{path.name}: a table has no :end: {table[:2]}.")


def blocks(lines: list[str]) -> Iterator[Piece]:
    """The lines between two empty ones: a heading, directives, bullets, or one paragraph."""
    first, _, rest = lines[0].partition(" ")
    if first in HEADINGS:
        yield Piece(HEADINGS[first], " ".join([rest, *lines[1:]]))
    elif first.startswith(":"):
        for line in lines:
            yield Piece("directive", line[1:])
    elif first == "-":
        text = "\n".join(lines).removeprefix("- ")
        for bullet in text.split("\n- "):
            yield Piece("bullet", bullet.replace("\n", " "))
    else:
        yield Piece("paragraph", " ".join(lines))


def spelled(text: str, figures: Figures, year: int) -> str:
    """The text with the figures that stand in it as {m revenue}: written out, untagged.

    m amount in millions or billions, d its change on the year before, p that change in percent, w increased or
    decreased, g increase or decrease, s the share of a line in another, n a bare figure, y a year.
    """

    def figure(match: re.Match[str]) -> str:
        how, told = match[1], match[2].split()
        shift = int(told.pop()) if told and re.fullmatch(r"-\d", told[-1]) else 0
        own = year + shift
        if how == "y":
            return str(own)
        if how not in "mdpwgsn":
            return match[0]
        if how == "s":
            part, whole = (figures.compute(name, own) for name in told[0].split("/"))
            return percent(part, whole, int(told[1]) if len(told) > 1 else 0)
        value = figures.compute(told[0], own)
        if how == "n":
            return printed(value, figures.line(told[0]).places if told[0] in figures.lines else 0)
        if how == "m":
            return amount(value, figures.unit)
        before = figures.compute(told[0], own - 1)
        if how == "p":
            return percent(value - before, before)
        if how == "d":
            return amount(value - before, figures.unit)
        words = ("increased", "decreased") if how == "w" else ("increase", "decrease")
        return words[value < before]

    return FIGURE.sub(figure, text)


def amount(value: Decimal, unit: int) -> str:
    """Dollars in words, no finer than they are told: $12.3 million out of thousands, $12 million, $1.24 billion."""
    dollars = abs(value).scaleb(unit)
    if dollars >= 10**9:
        return f"${printed(dollars.scaleb(-9), 2)} billion"
    return f"${printed(dollars.scaleb(-6), 1 if unit < 6 else 0)} million"
