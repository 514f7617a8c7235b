"""What the words before a caret may become: a company, a measure or a fiscal year, in words that are read as it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from agent.numbers.registry.registry import Registry
from agent.query.words.lexicon import Lexicon, lexicon_of
from agent.query.words.word_classes import classes
from agent.refusals import query_text
from agent.refusals.grammar import lower_first
from agent.registrants.mentions import mentions
from agent.registrants.registrant_index import Companies
from agent.words.prefixes import Beginnings
from agent.words.tokens import stems, tokenise
from filings.edgar.registrant_names import name_words
from filings.models import Filing
from filings.models.report import READ

MOST = 8
# Beside measures that begin so too, a letter more tells the companies apart.
MOST_COMPANIES = 4
# Of words before the caret that are one name; and of letters, with fewer of which everything begins.
LONGEST, SHORTEST = 6, 2
# Fewer letters than this are an everyday word more often than a company that is not held.
SHORTEST_OTHER = 4
_WORD = re.compile(r"[^\W_][^\s,;:()\[\]\"\u201c\u201d/]*")
_YEAR = re.compile(r"(?:fy|fiscal)(?: year)? ?\d{0,4}|\d{2,4}")
_PARENTHESES = re.compile(r"\s*\([^()]*\)")
_FRAMES = {"aux", "function"}


class Kind(StrEnum):
    """What is completed."""

    COMPANY = "Company"
    MEASURE = "Measure"
    YEAR = "Fiscal year"


@dataclass(frozen=True, slots=True)
class Completion:
    """One of the things that may be meant. key: the CIK, the key of the registry, or the year.

    typed: the end of the text before the caret, in whose place `text` is put. found_by: the other name that it was
    found by, where it was. ended: of a fiscal year of one company, when that was over.
    """

    kind: Kind
    text: str
    typed: str
    key: str
    found_by: str = ""
    ended: date | None = None


def completions(text: str, caret: int, companies: Companies, registry: Registry) -> tuple[Completion, ...]:
    """At most `MOST`, the likeliest first; of the longest stretch of words before the caret that begins anything.

    caret: offset in the text. In the midst of a word nothing is completed.
    """
    before, behind = text[:caret], text[caret:]
    if behind[:1].isalnum():
        return ()
    words = list(_WORD.finditer(before))[-LONGEST:]
    if not words or before[words[-1].end() :].strip():
        return ()
    for word in words:
        typed = before[word.start() :]
        folded = " ".join(name_words(typed)) + (" " if typed[-1].isspace() else "")
        if len(folded.strip()) < SHORTEST or _only_frames(typed):
            continue
        others = f"{before[: word.start()]} {behind}"
        if found := [*_known(typed, folded, companies, registry), *_years(typed, folded, others, companies, registry)]:
            return tuple(found[:MOST])
    return tuple(_others(before[words[-1].start() :], companies, lexicon_of(registry)))


def _only_frames(typed: str) -> bool:
    """Whether a word says nothing by itself: "was" begins Waste Management, and is not meant so."""
    return any(one.kind == "frame" and one.value in _FRAMES for one in classes().get(stems(typed), ()))


def _known(typed: str, folded: str, companies: Companies, registry: Registry) -> list[Completion]:
    """Companies that can be asked about and measures: those that begin so before those with a later word that does."""
    held, named = companies.begun.of(folded), measures(registry).of(folded)
    most = MOST_COMPANIES if named else MOST
    ranked = [
        (one.inside, _company(one.owner, typed, companies, one.name))
        for one in sorted(held, key=lambda one: (one.inside, companies.place(one.owner)))[:most]
    ]
    for one in named:
        text = called(one.owner, registry)
        by = "" if f" {folded}" in f" {' '.join(name_words(text))}" else one.name
        ranked.append((one.inside, Completion(Kind.MEASURE, text, typed, one.owner, by)))
    return [completion for _, completion in sorted(ranked, key=lambda one: one[0])]


def _company(cik: int, typed: str, companies: Companies, by: str = "") -> Completion:
    ref = companies.ref(companies.registrants[cik])
    alone = {one for _, one in companies.exact.get(name_words(ref.short), ())} == {cik}
    text = ref.short if alone else ref.name
    found_by = "" if by in {ref.short, ref.name, ref.symbol} else by
    return Completion(Kind.COMPANY, text, typed, str(cik), found_by)


def _others(typed: str, companies: Companies, lexicon: Lexicon) -> Iterator[Completion]:
    """Companies that are known by name alone, where nothing else begins so and the word has no other meaning."""
    folded = " ".join(name_words(typed))
    if len(folded) < SHORTEST_OTHER or lexicon.vocabulary.issuperset(stems(typed)):
        return
    for one in companies.others_begun.of(folded)[:MOST]:
        yield _company(one.owner, typed, companies, one.name)


def _years(typed: str, folded: str, others: str, companies: Companies, registry: Registry) -> Iterator[Completion]:
    """Fiscal years held of the company that the rest of the text names last, the newest first; of all, where it names none."""
    if not _YEAR.fullmatch(folded):
        return
    named = mentions(companies, tokenise(others), lexicon_of(registry).vocabulary)
    held = Filing.objects.answering().filter(READ)
    ciks = [one.ciks[0] for one in named if companies.held.issuperset(one.ciks)]
    held = held.of_companies(ciks[-1:]) if ciks else held
    for year, ended in dict(held.order_by("-fiscal_year").values_list("fiscal_year", "period_end")).items():
        forms = (f"{year}", f"fy{year}", f"fy {year}", f"fiscal {year}", f"fiscal year {year}", f"fy{str(year)[2:]}")
        if any(form.startswith(folded) for form in forms):
            text = f"FY{year}" if folded.startswith("fy") else f"fiscal {year}"
            yield Completion(Kind.YEAR, text, typed, str(year), ended=ended if ciks else None)


def called(key: str, registry: Registry) -> str:
    """A measure as it is put into a question: its label, where that is read as it and as nothing else."""
    lexicon, plain = lexicon_of(registry), query_text.named(key, registry)
    label = lower_first(_PARENTHESES.sub("", registry.label(key)))
    as_label, as_plain = lexicon.named(stems(label)), lexicon.named(stems(plain))
    short = key in registry.metrics or len(label) <= len(plain)
    return label if short and as_label and as_plain and as_label.keys == as_plain.keys else plain


def measures(registry: Registry) -> Beginnings[str]:
    """Keys of the registry by how their names begin; built once for each version of it.

    Of the concepts that most questions are about, the other names are as near as what they are called: "sales".
    """
    if registry.version not in _built:
        shown = {key: one for key, one in registry.metrics.items() if not one.hidden}
        names = {
            key: dict.fromkeys((called(key, registry), one.label, *one.aliases))
            for key, one in (registry.concepts | shown).items()
        }
        seeds = {key for key, one in registry.concepts.items() if one.seed}
        _built[registry.version] = Beginnings(
            (key, name, name_words(name), int(place > 0 and key not in seeds))
            for key in names
            for place, name in enumerate(names[key])
        )
    return _built[registry.version]


# Registry version -> its names.
_built: dict[str, Beginnings[str]] = {}
