"""Citations for the section reader: the ranges to mark, and the previous and next citation."""

from dataclasses import dataclass

from filings.web.reader import Mark


@dataclass(frozen=True, slots=True)
class Cited:
    """One citation: its number in the answer, its range of a section's text, and the address that opens it there."""

    number: int
    section: int
    sha256: str
    start: int
    end: int
    quote: str
    page: str
    href: str


@dataclass(frozen=True, slots=True)
class Citations:
    """All citations of one answer, and the open one.

    back: the answer's address. query: marks its passages in any section. total: its claims, including those whose
    passage is no longer stored.
    """

    back: str
    query: str
    cited: tuple[Cited, ...]
    total: int
    now: int = 0

    @property
    def current(self) -> Cited | None:
        return next((one for one in self.cited if one.number == self.now), None)

    @property
    def previous(self) -> Cited | None:
        return next((one for one in reversed(self.cited) if one.number < self.now), None) if self.now else None

    @property
    def following(self) -> Cited | None:
        """The next citation; the first where none is open."""
        return next((one for one in self.cited if one.number > self.now), None)

    def marks(self, section: int, sha256: str, text: str) -> tuple[tuple[Mark, ...], int]:
        """The marks of a section, and how many citations are no longer in its text.

        A section read again since the answer has another text: its passages are found by their words.
        """
        marks, lost = [], 0
        for one in self.cited:
            if one.section != section:
                continue
            start, end = one.start, one.end
            if one.sha256 != sha256:
                start = text.find(one.quote) if one.quote else -1
                end = start + len(one.quote)
            if 0 <= start < end <= len(text):
                marks.append(Mark(start, end, one.number, one.number == self.now, one.href))
            else:
                lost += 1
        return tuple(marks), lost
