"""Mutations of verified claims: each a misleading claim that must not be shown, or the same claim typeset differently.

The rules share no code with the guards: words swapped, numbers changed, clauses cut at commas. A rule gives nothing
where a sentence has no place for it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from agent.state import Claim

SENTENCES = Path(__file__).with_name("mutation_sentences.txt")


@dataclass(frozen=True)
class Mutation:
    """A changed claim and what was done to it."""

    kind: str
    claim: Claim


Swaps = tuple[tuple[str, str], ...]

SCALES: Swaps = (("million", "billion"), ("billion", "million"), ("million", "thousand"))
UNITS: Swaps = (
    ("%", " basis points"),
    ("percent", "percentage points"),
    ("basis points", "percent"),
    ("$", "€"),
    ("€", "$"),
    ("£", "$"),
    ("shares", "units"),
    ("square feet", "acres"),
    ("days", "weeks"),
    ("months", "days"),
    ("weeks", "months"),
    ("hours", "days"),
    ("years", "quarters"),
)
PERIODS: Swaps = (
    ("year", "quarter"),
    ("quarter", "year"),
    ("annually", "monthly"),
    ("month", "year"),
    ("fourth quarter", "third quarter"),
    ("second half", "first half"),
    ("next", "last"),
    ("prior", "following"),
    ("currently", "previously"),
    ("fiscal", "calendar"),
    ("until", "after"),
    ("after", "before"),
)
MODALITIES: Swaps = (
    ("may", "will"),
    ("may", "must"),
    ("could", "will"),
    ("would", "will"),
    ("will", "may"),
    ("must", "may"),
    ("shall", "may"),
    ("should", "must"),
    ("cannot", "can"),
    ("can", "must"),
    ("expect", "have seen"),
    ("believe", "know"),
    ("intend to", "will"),
    ("be able to", "choose to"),
    ("is required to", "may"),
    ("are required to", "may"),
    ("is not required to", "may not"),
    ("may be unable to", "are unable to"),
)
DIRECTIONS: Swaps = (
    ("increased", "decreased"),
    ("decreased", "increased"),
    ("increase", "decrease"),
    ("decrease", "increase"),
    ("increases", "decreases"),
    ("decreases", "increases"),
    ("grew", "shrank"),
    ("fell", "rose"),
    ("rose", "fell"),
    ("declined", "increased"),
    ("decline", "increase"),
    ("up", "down"),
    ("down", "up"),
    ("raise", "lower"),
    ("lower", "raise"),
    ("loss", "gain"),
    ("gain", "loss"),
    ("losses", "gains"),
    ("growth", "decline"),
    ("reduce", "raise"),
    ("expands", "reduces"),
    ("added", "lost"),
    ("improved", "worsened"),
    ("adverse", "favorable"),
    ("adversely", "favorably"),
)
QUANTIFIERS: Swaps = (
    ("all", "some"),
    ("some", "all"),
    ("most", "few"),
    ("many", "few"),
    ("each", "one"),
    ("every", "almost every"),
    ("any", "every"),
    ("certain", "all"),
    ("several", "all"),
    ("only", "also"),
    ("none of", "some of"),
    ("substantially all", "all"),
    ("single", "second"),
    ("fewer than", "about"),
    ("at least", "at most"),
    ("up to", "at least"),
    ("approximately", "exactly"),
    ("about", "exactly"),
    ("generally", "always"),
    ("primarily", "solely"),
    ("mainly", "entirely"),
    ("partially", "fully"),
)
COMPARISONS: Swaps = (
    ("higher", "lower"),
    ("lower", "higher"),
    ("more than", "less than"),
    ("less than", "more than"),
    ("fewer than", "more than"),
    ("greater", "smaller"),
    ("largest", "smallest"),
    ("smallest", "largest"),
    ("exceeded", "fell short of"),
    ("exceed", "fall short of"),
    ("compared with", "the same as"),
    ("compared to", "the same as"),
    ("twice as", "half as"),
    ("longer", "shorter"),
    ("no later than", "no earlier than"),
    ("cheaper", "dearer"),
    ("above", "below"),
    ("below", "above"),
    ("at least", "less than"),
)
NUMBER_WORDS: Swaps = (
    ("two", "three"),
    ("three", "five"),
    ("four", "three"),
    ("six", "nine"),
    ("seven", "six"),
    ("nine", "eight"),
    ("ten", "twenty"),
    ("eleven", "twelve"),
    ("twelve", "ten"),
    ("half", "a third"),
)
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
# What a cut must not leave out.
GOVERNS = re.compile(
    r"\b(?:not|no|never|none|neither|nor|cannot|unable|without|may(?! \d)|might|could|would|should|must|if|unless|until|except|"
    r"excluding|although|though|despite|but|however|subject to|provided|believe|expect|alleg\w+|only|fewer|less|more|"
    r"approximately|partially|while|before)\b",
    re.IGNORECASE,
)
NEGATED = re.compile(
    r"\b(?:do not|does not|did not|is not|are not|was not|were not|have not|has not|will not|may not|not|never|no|none of|"
    r"neither|cannot|without)\s",
    re.IGNORECASE,
)
AUXILIARY = re.compile(r"\b(?:is|are|was|were|will|may|could|would|must|has|have|can|should)\b(?! (?:not|no|never)\b)")
NUMBER = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w-])")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
NAME = re.compile(r"(?<!^)(?<!\. )\b[A-Z][a-z]+(?: (?:& )?[A-Z][a-z]+)*\b")


def swapped(swaps: Swaps) -> Callable[[str], Iterator[str]]:
    """The rule that puts the second of each pair in the place of each first."""

    def rule(sentence: str) -> Iterator[str]:
        for old, new in swaps:
            left = r"(?<!\w)" if old[0].isalpha() else ""
            right = r"(?!\w)" if old[-1].isalpha() else ""
            for match in re.finditer(left + re.escape(old) + right, sentence, re.IGNORECASE):
                put = new.capitalize() if match.group()[:1].isupper() else new
                yield sentence[: match.start()] + put + sentence[match.end() :]

    return rule


def numbers(sentence: str) -> Iterator[str]:
    """One digit of each number changed, a digit more, and the point moved."""
    for match in NUMBER.finditer(sentence):
        if YEAR.fullmatch(match.group()):
            continue
        said = match.group()
        digit = str((int(said[-1]) + 1) % 10)
        for changed in (said[:-1] + digit, f"1{said}", said.replace(".", "") if "." in said else f"{said}.5"):
            yield sentence[: match.start()] + changed + sentence[match.end() :]
    yield from swapped(NUMBER_WORDS)(sentence)


def dates(sentence: str) -> Iterator[str]:
    """Each year a year off, each month another."""
    for match in YEAR.finditer(sentence):
        for off in (-1, 1):
            yield sentence[: match.start()] + str(int(match.group()) + off) + sentence[match.end() :]
    for match in re.finditer(rf"\b(?:{'|'.join(MONTHS)})(?= \d)", sentence):
        other = MONTHS[(MONTHS.index(match.group()) + 3) % 12]
        yield sentence[: match.start()] + other + sentence[match.end() :]


def negations_added(sentence: str) -> Iterator[str]:
    for match in AUXILIARY.finditer(sentence):
        yield f"{sentence[: match.end()]} not{sentence[match.end() :]}"
    for verb in ("believe", "expect", "depend", "rely", "own", "intend", "employed", "hired"):
        for match in re.finditer(rf"\b[Ww]e {verb}\b", sentence):
            yield f"{sentence[: match.start() + 2]} do not{sentence[match.start() + 2 :]}"


def negations_removed(sentence: str) -> Iterator[str]:
    for match in re.finditer(r"\b(?:not|never|no|nor) ", sentence):
        yield sentence[: match.start()] + sentence[match.end() :]
    for match in re.finditer(r"\b(?:do|does|did) not ", sentence):
        yield sentence[: match.start()] + sentence[match.end() :]
    yield from swapped((("none of", "all of"), ("unable", "able"), ("without", "with"), ("neither", "both")))(sentence)


def negations_outside(sentence: str) -> Iterator[str]:
    """The rest of a sentence after its negation, and everything before it, is cut off."""
    for match in NEGATED.finditer(sentence):
        rest = sentence[match.end() :]
        if len(rest.split()) >= 3:
            yield rest


def clauses_cut(sentence: str) -> Iterator[str]:
    """A sentence without the clause before or after a comma, where that clause governs the rest."""
    for match in re.finditer(r"(?<!\d),\s|(?<=[a-z]),\s", sentence):
        before, after = sentence[: match.start()], sentence[match.end() :]
        if GOVERNS.search(after) and len(before.split()) >= 3:
            yield f"{before}."
        # "However," alone ties a sentence to the one before it.
        if GOVERNS.search(before) and len(before.split()) >= 2 and len(after.split()) >= 3:
            yield after
    for match in re.finditer(r" (?:if|unless|until|without|because|but) ", sentence):
        if len(sentence[: match.start()].split()) >= 3 and match.group().strip() != "because":
            yield f"{sentence[: match.start()]}."


def merged(sentence: str, other: str) -> Iterator[str]:
    """The beginning of one fact with the end of another; and the numbers of one sentence exchanged."""
    verb = re.compile(r" (?:was|were|is|are|increased|decreased|grew|fell|rose|declined|has|have|may|will|must) ")
    one, two = verb.search(sentence), verb.search(other)
    if one and two and sentence[one.start() :] != other[two.start() :]:
        yield sentence[: one.start()] + other[two.start() :]
    found = [match for match in NUMBER.finditer(sentence) if not YEAR.fullmatch(match.group())]
    for left, right in pairwise(found):
        if left.group() != right.group():
            between = sentence[left.end() : right.start()]
            yield (sentence[: left.start()] + right.group() + between + left.group() + sentence[right.end() :])


def names(sentence: str, known: Sequence[str]) -> Iterator[str]:
    for match in NAME.finditer(sentence):
        if match.group() not in MONTHS:
            other = next((name for name in known if name not in sentence), "")
            if other:
                yield sentence[: match.start()] + other + sentence[match.end() :]


RULES: dict[str, Callable[[str], Iterator[str]]] = {
    "number": numbers,
    "unit": swapped(UNITS),
    "scale": swapped(SCALES),
    "date": dates,
    "period": swapped(PERIODS),
    "negation added": negations_added,
    "negation removed": negations_removed,
    "modality": swapped(MODALITIES),
    "direction": swapped(DIRECTIONS),
    "quantifier": swapped(QUANTIFIERS),
    "comparison": swapped(COMPARISONS),
}


def mutations(claim: Claim, other: Claim, known: Sequence[str]) -> Iterator[Mutation]:
    """Every mutation of a claim that quotes one sentence.

    other: a claim of the same filing, for merged facts and exchanged texts; known: names to substitute. A changed
    sentence is given twice: under the true quotation, and as its own, forged quotation.
    """
    sentence = claim.quote
    changed = [(kind, text) for kind, rule in RULES.items() for text in rule(sentence)]
    # "We" and the end of another sentence that begins with "we" is that sentence.
    changed += [("facts merged", text) for text in merged(sentence, other.quote) if not within(text, other.quote)]
    changed += [("name", text) for text in names(sentence, known)]
    for kind, text in dict.fromkeys(changed):
        if words(text) != words(sentence):
            yield Mutation(kind, claim.model_copy(update={"text": text}))
            yield Mutation(f"{kind}, forged", claim.model_copy(update={"text": text, "quote": text}))
    for kind, cuts in (("negation outside", negations_outside), ("clause cut", clauses_cut)):
        for text in dict.fromkeys(cuts(sentence)):
            if words(text) == words(sentence):
                continue
            yield Mutation(kind, claim.model_copy(update={"text": text}))
            bare = text.removesuffix(".") if not sentence.endswith(text) else text
            start = claim.start + sentence.find(bare)
            fragment = {"text": bare, "quote": bare, "start": start, "end": start + len(bare)}
            yield Mutation(f"{kind}, as a fragment", claim.model_copy(update=fragment))
    if words(other.quote) != words(sentence):
        yield Mutation("quotation under other text", claim.model_copy(update={"text": other.quote}))


def foreign(claim: Claim, other: Claim, kind: str) -> Iterator[Mutation]:
    """A claim that cites another company's or year's filing, in the citation alone and in its words as well."""
    place = {name: getattr(other, name) for name in ("chunk", "section", "sha256", "start", "end")}
    whose = {"cik": other.cik, "accession": other.accession}
    yield Mutation(kind, claim.model_copy(update=place))
    yield Mutation(kind, claim.model_copy(update=place | whose))
    yield Mutation(kind, claim.model_copy(update=whose))
    yield Mutation(kind, claim.model_copy(update=place | {"text": other.quote, "quote": other.quote}))
    yield Mutation(kind, claim.model_copy(update=place | whose | {"text": other.quote, "quote": other.quote}))


def words(text: str) -> list[str]:
    """What a mutation must change: signs count, white space and case do not."""
    return re.findall(r"\w+|[^\w\s.,;]", text.lower())


def within(text: str, sentence: str) -> bool:
    """Whether a sentence has these words in a row."""
    return f" {' '.join(words(text))} " in f" {' '.join(words(sentence))} "


def benign(claim: Claim) -> Iterator[Mutation]:
    """The same claim in other typesetting: white space, quotation marks, dashes, hyphens and first letter."""
    sentence = claim.quote
    first = sentence[:1].lower() if sentence[:1].isupper() else sentence[:1].upper()
    long = re.search(r"[a-z]{8}", sentence)
    middle = long.start() + 4 if long else len(sentence)
    settings = {
        "white space": sentence.replace(" ", "  ", 3).replace(" ", "\u00a0", 1),
        "lines": sentence.replace(" ", "\n", 2) + "\n",
        "narrow space": sentence.replace(" ", "\u2009"),
        "first letter": first + sentence[1:],
        "soft hyphen": sentence[:middle] + "\u00ad" + sentence[middle:],
        "no-width space": sentence[:middle] + "\u200b" + sentence[middle:],
        "quotation marks": sentence.replace("'", "\u2019").replace('"', "\u201d"),
        "straight marks": re.sub("[\u2018\u2019]", "'", re.sub("[\u201c\u201d]", '"', sentence)),
        "dash": re.sub("[-\u2013\u2014]", "\u2011", sentence),
        "long dash": re.sub("[-\u2010\u2011]", "\u2013", sentence),
        "ligature": sentence.replace("fi", "\ufb01").replace("fl", "\ufb02"),
    }
    for kind, text in settings.items():
        if text != sentence:
            yield Mutation(kind, claim.model_copy(update={"text": text}))
            yield Mutation(f"{kind}, quoted", claim.model_copy(update={"text": text, "quote": text}))
