"""The kinds of documents that can be held and cited: one row a kind.

A kind to add is a row here and, where its text divides in a way of its own, one scheme in `filings.sections.schemes`.
Beside it, `agent.programs.schemas` lists those that a model chooses from, and `agent/prose/questions/topics.yaml` in which
order kinds are read where a question names none.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

# What one document of a kind reports on: a fiscal year, a fiscal quarter, or what happened on a day.
Span = Literal["year", "quarter", "day"]


@dataclass(frozen=True, slots=True)
class SourceKind:
    """One kind. `key` is stored; `forms` are its forms at the SEC without "/A", none for what a person brings.

    `called` names one document within a sentence ("its 10-K says"), `plural` several. `mark` is put before the number
    of a citation: "10K" gives [10K1]. `scheme` names how its text is divided. `words` are the closed words by which a
    question names it, in lower case; `nouns` those that do so only behind "in the", "on its", "Apple's".
    """

    key: str
    label: str
    called: str
    plural: str
    mark: str
    span: Span
    scheme: str
    words: tuple[str, ...]
    nouns: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    has_facts: bool = field(default=False)  # whether its figures are held as XBRL facts
    prints_statements: bool = field(default=False)  # whether the company's statements are read from its text
    dated: str = field(default="Filed")  # what its day is that of
    # Whether a question that names it and no subject asks for the newest of it: "any news on Apple?"
    newest: bool = field(default=False)

    def __str__(self) -> str:
        return self.key

    @property
    def has_items(self) -> bool:
        """Whether it has parts that tell of the same as the Items of a 10-K."""
        return self.scheme in {"annual", "quarterly", "foreign"}

    @property
    def imported(self) -> bool:
        """Whether people bring it, as the SEC has none."""
        return not self.forms

    @property
    def quarters(self) -> int:
        """How many quarters of a fiscal year have one: the SEC asks for no 10-Q of the fourth."""
        return 4 if self.imported else 3

    def citation(self, number: int) -> str:
        """Its mark in an answer: [10K1], and [1] for a kind without letters."""
        return f"[{self.mark}{number}]"


ANNUAL = SourceKind(
    key="10-K",
    label="Annual report (10-K)",
    called="10-K",
    plural="10-Ks",
    mark="10K",
    span="year",
    scheme="annual",
    words=("10-k", "10k", "annual report", "annual filing"),
    forms=("10-K", "10-K405", "10-KSB", "10-KT", "10-KT405"),
    has_facts=True,
    prints_statements=True,
)
QUARTERLY = SourceKind(
    key="10-Q",
    label="Quarterly report (10-Q)",
    called="10-Q",
    plural="10-Qs",
    mark="10Q",
    span="quarter",
    scheme="quarterly",
    words=("10-q", "10q", "quarterly report", "quarterly filing"),
    forms=("10-Q", "10-QT"),
    has_facts=True,
    prints_statements=True,
)
CURRENT = SourceKind(
    key="8-K",
    label="Current report (8-K)",
    called="8-K",
    plural="8-Ks",
    mark="8K",
    span="day",
    scheme="current",
    words=("8-k", "8k", "current report", "press release", "earnings release", "news release"),
    nouns=("release",),
    forms=("8-K",),
    prints_statements=True,
)
PROXY = SourceKind(
    key="DEF 14A",
    label="Proxy statement (DEF 14A)",
    called="proxy statement",
    plural="proxy statements",
    mark="PX",
    span="day",
    scheme="headings",
    words=("proxy", "proxy statement", "def 14a", "def14a", "proxy filing"),
    forms=("DEF 14A",),
)
FOREIGN = SourceKind(
    key="20-F",
    label="Foreign annual report (20-F, 40-F)",
    called="20-F",
    plural="20-Fs",
    mark="20F",
    span="year",
    scheme="foreign",
    words=("20-f", "20f", "40-f", "40f"),
    forms=("20-F", "40-F"),
)
CALL = SourceKind(
    key="call",
    label="Earnings call",
    dated="Held",
    called="earnings call",
    plural="earnings calls",
    mark="",
    span="quarter",
    scheme="call",
    words=("earnings call", "conference call", "transcript"),
    nouns=("call",),
)
REPORT = SourceKind(
    key="report",
    label="Other report",
    dated="Published",
    called="report",
    plural="reports",
    mark="D",
    span="year",
    scheme="headings",
    words=("uploaded report", "imported document", "uploaded document"),
    prints_statements=True,
)
NEWS = SourceKind(
    key="news",
    label="News",
    dated="Published",
    called="news",
    plural="news",
    mark="N",
    span="day",
    scheme="headings",
    words=("news", "headlines"),
    newest=True,
)

KINDS: dict[str, SourceKind] = {
    kind.key: kind for kind in (ANNUAL, QUARTERLY, CURRENT, PROXY, FOREIGN, CALL, REPORT, NEWS)
}
# Annual reports to the SEC.
YEARLY = tuple(kind for kind in KINDS.values() if kind.span == "year" and not kind.imported)


def choices() -> list[tuple[str, str]]:
    """(key, label) of each kind, for forms and tables."""
    return [(kind.key, kind.label) for kind in KINDS.values()]


def kind_of_form(form: str) -> SourceKind | None:
    """The kind of a form at the SEC, amended or not; None for forms that are not held."""
    plain = form.upper().removesuffix("/A")
    return next((kind for kind in KINDS.values() if plain in kind.forms), None)


def kinds_of(names: Iterable[str]) -> tuple[SourceKind, ...]:
    """The kinds that a person lists by key or form, as "10-K", "8-k" or "DEF14A", in the table's order.

    Raises ValueError that names the first one unknown.
    """
    found = set()
    for name in names:
        plain = _plain(name)
        kind = next((one for one in KINDS.values() if plain in {_plain(one.key), *map(_plain, one.forms)}), None)
        if kind is None:
            raise ValueError(f"“{name}” is no kind of document. Known: {', '.join(KINDS)}.")
        found.add(kind)
    return tuple(kind for kind in KINDS.values() if kind in found)


def kinds_filed(names: Iterable[str]) -> tuple[SourceKind, ...]:
    """Like `kinds_of`, for documents that the SEC has. Raises ValueError also for a kind that people bring."""
    found = kinds_of(names)
    if brought := next((kind for kind in found if kind.imported), None):
        raise ValueError(f"“{brought.key}” is not filed with the SEC.")
    return found


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).upper()


def kinds_placed(question: str) -> tuple[tuple[SourceKind, int, int, bool], ...]:
    """The kinds that a question may name, each with the offsets of its words and whether these name it by themselves, in
    order of place.
    """
    return tuple(
        (kind, match.start(), match.end(), _folded(match[1]) in kind.words)
        for match in _named(tuple(KINDS.values())).finditer(question)
        for kind in KINDS.values()
        if _folded(match[1]) in (*kind.words, *kind.nouns)
    )


def _folded(words: str) -> str:
    return re.sub(r"\s+", " ", words.lower().replace("\u2011", "-"))


@cache
def _named(kinds: tuple[SourceKind, ...]) -> re.Pattern[str]:
    """The words of all kinds, the longest first, each whole and also in the plural."""
    words = sorted({word for kind in kinds for word in (*kind.words, *kind.nouns)}, key=len, reverse=True)
    joined = "|".join(re.escape(word).replace(r"\ ", r"\s+").replace(r"\-", "[-\u2011]") for word in words)
    return re.compile(rf"(?<![\w-])({joined})(?:s|['\u2019]s)?(?![\w-])", re.IGNORECASE)
