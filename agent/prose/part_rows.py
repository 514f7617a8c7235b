"""Rows of tables that print a figure of a part of a company: found by the words asked for, in the column of the year."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from agent.prose.about import about, printed_row
from agent.prose.rows import NOTE, PLAIN, Row, named_rows
from agent.prose.section_text import SectionText
from agent.prose.weights import Term, asked
from agent.state import About, FilingRef
from agent.state.references import SubQuery
from agent.words.stems import roots
from filings.tables.months import MONTHS

# The unit of a table, and years.
_ASIDE = re.compile(r"\([^()]*\)|\d+|\boperating (?=segment|division|unit)")
_BY = re.compile(r"\bby (?:\w+ )?(?:(?:and|or) )?\w+")
_STATEMENT = re.compile(r"\bstatements?\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
# Names of a part that say nothing of it.
_VAGUE = roots("other all rest corporate")
# What companies divide their figures by, and what says above a table that it does.
_DIVIDED = roots(
    "by segment product category region geography geographic area line reportable business division of "
    "from and the in company information data following table presents shows sets forth summarizes summary compares "
    f"details below our for with dollars millions thousands years fiscal ended months weeks change {' '.join(MONTHS)}"
)


@dataclass(frozen=True, slots=True)
class PartRows:
    """The rows in which the tables of a filing print a measure of a part for its own year.

    part: as the company calls it. names: of the measure. is_of_whole: whether the label of a row is that of the measure
    of the whole company. is_of_another: whether what stands above a table names another measure, and not this one.
    """

    part: str
    names: Sequence[str]
    filing: FilingRef
    is_of_whole: Callable[[str], bool]
    is_of_another: Callable[[str], bool]

    def found(self, read: Iterable[SectionText]) -> list[Row]:
        """Of all sections of the filing, the best first; none where two differ."""
        if not roots(self.part) - PLAIN - _VAGUE:
            return []
        # How much its words say is the same in every section.
        wanted = [(one, asked(_query(one), self.filing.filing).terms) for one in self.asked_for()]
        found = [row for text in read for row in self._of(text, wanted)]
        figures = {
            digits(one.figure) for row in found if (one := printed_row(row.text, row.start, row.end, self.filing))
        }
        sure = [row for row in found if not self.is_of_another(_above(row))] if len(figures) == 1 else []
        return sorted(sure, key=lambda row: -row.worth)

    def unlike(self) -> list[str]:
        """The names of the measure by other words each: revenue, sales; not those of all words of another and more."""
        found: dict[frozenset[str], str] = {}
        for name in sorted(self.names, key=len):
            found.setdefault(roots(name) - PLAIN, name)
        return [name for words, name in found.items() if words and not any(other < words for other in found if other)]

    def asked_for(self) -> list[str]:
        """The part with each name of the measure."""
        return [f"{self.part} {name}" for name in self.unlike()]

    def _of(self, text: SectionText, wanted: Sequence[tuple[str, Sequence[Term]]]) -> Iterator[Row]:
        seen: set[tuple[int, int]] = set()
        stands = text.text.lower()
        for asked_for, terms in wanted:
            if not all(word[:4] in stands for word in asked_for.lower().split()):
                continue
            for row in named_rows(text, terms, roots(asked_for), "money", self.filing):
                if row.certain and (row.start, row.end) not in seen and self._is_it(row, asked_for):
                    seen.add((row.start, row.end))
                    yield row

    def _is_it(self, row: Row, asked_for: str) -> bool:
        """Whether a row is of all the words that are asked for, and nothing in its name makes it another figure: "Unit
        sales by product", "Non-operating income".

        Nor in what stands above the table, where the part or the measure stands there alone: it may name several.
        """
        told = about(row.text, row.start, row.end)
        label, own = NOTE.sub("", row.label), roots(asked_for)
        heads, above = _texts(told, "group", "header"), _texts(told, "caption")
        every = f"{label} {heads} {above}"
        more = f"{label} {heads}" if own - PLAIN <= roots(f"{label} {heads}") else every
        words, all_roots = set(_WORD.findall(every.lower())), roots(every)
        if not all(
            word in words or frozenset() < roots(word) <= all_roots for word in _WORD.findall(asked_for.lower())
        ):
            return False
        if roots(_ASIDE.sub(" ", more.lower())) - PLAIN - own - _DIVIDED:
            return False
        # "Cost of products sold" and "Total net sales" are of the whole company, also below "Net sales by product".
        by_name = _BY.sub(" ", f"{heads} {above}".lower())
        return roots(self.part) - PLAIN <= roots(by_name) or not self.is_of_whole(label)


def _query(words: str) -> SubQuery:
    return SubQuery(label=words, words=tuple(words.split()))


def _above(row: Row) -> str:
    """What stands above the table of a row: what introduces it, and its nearest heading, unless that is of a statement."""
    told = about(row.text, row.start, row.end)
    headings = [one.text for one in told if one.kind == "heading"]
    above = " ".join((_texts(told, "caption"), *(one for one in headings[-1:] if not _STATEMENT.search(one))))
    return _ASIDE.sub(" ", above)


def _texts(told: Sequence[About], *kinds: str) -> str:
    return " ".join(one.text for one in told if one.kind in kinds)


def digits(figure: str) -> str:
    """A printed figure without its currency and its commas."""
    return "".join(letter for letter in figure if letter.isdigit() or letter in "(-.")
