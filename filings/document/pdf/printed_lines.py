"""Lines of text that know where they are printed."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from filings.document.layout.lines import BULLET_START, Line
from filings.document.pdf.characters import Word

WHOLE = 0.93  # share of characters from which a line has a style


@dataclass(slots=True, eq=False)
class Mark:
    """Words as printed in a row, their page, and their box: x0, y0, x1, y1 in points from the upper left corner."""

    text: str
    page: int
    words: list[Word] | None
    box: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)


@dataclass(slots=True, eq=False)
class PrintedLine(Line):
    """A line with the rows it is printed in. `marks` have its characters in order, but for blanks and mended hyphens."""

    marks: list[Mark] = field(default_factory=list)


def line_of(rows: Sequence[Sequence[Word]], page: int, text: str, centered: bool = False) -> PrintedLine:
    """A line of the words of rows, whose text is given."""
    words = [word for row in rows for word in row]
    total = sum(len(word.text) for word in words)
    whole = WHOLE * total
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[word.size] += len(word.text)
    return PrintedLine(
        text=text,
        page=page,
        bold=_share(words, lambda word: word.bold) >= whole,
        italic=_share(words, lambda word: word.italic) >= whole,
        caps=text.isupper(),
        centered=centered,
        size=sizes.most_common(1)[0][0],
        bullet=BULLET_START.match(text) is not None,
        marks=[mark for row in rows for mark in _marks(row, page)],
    )


def _share(words: Sequence[Word], has: Callable[[Word], bool]) -> int:
    return sum(len(word.text) for word in words if has(word))


def _marks(words: Sequence[Word], page: int) -> list[Mark]:
    """One mark for the words of each line of a row: a label may be several."""
    found: list[Mark] = []
    for word in words:
        last = found[-1].words if found else None
        if last and abs(last[-1].base - word.base) < word.size and word.x0 >= last[-1].x0:
            last.append(word)
            found[-1].text += f" {word.text}"
        else:
            found.append(Mark(word.text, page, [word]))
    return found
