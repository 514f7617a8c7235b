"""Finds each truth of questions.jsonl again in the documents of ../shared/forms: the tests run it."""

import csv
import functools
import hashlib
import html
import lzma
import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path

from pydantic import BaseModel, ConfigDict

QUESTIONS = Path(__file__).parent / "questions.jsonl"
FORMS = Path(__file__).resolve().parents[2] / "../shared/forms"
ABSENT = "../shared/forms is not there: no truth of evals/sources is verified"

DROPPED = re.compile(r"<(script|style|ix:header)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
# Tags within a word or a line: what they part is one word.
INLINE = re.compile(r"</?(?:span|b|i|u|em|strong|font|a|sup|sub|ix:[a-z]+)(?=[\s/>])[^>]*>", re.IGNORECASE)
TAG = re.compile(r"<[^>]*>")

# How far from a figure its label may stand, in characters before and after.
BEFORE, AFTER = 400, 150
PRINTED = re.compile(r"\d+(,\d{3})*(\.\d+)?")
# Parentheses around nothing else, or a minus.
NEGATIVE = re.compile(r"\(\s?\$?\s?\d[\d,.]*\s?\)|[-\u2212]\s?\$?\s?\d[\d,.]*")


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Place(Strict):
    """Where something stands in the plain text of an accession's document."""

    accession: str
    start: int
    end: int


class Figure(Place):
    """A printed number. `value` is printed x 10^scale, signed; `start` and `end` are its digits' in the plain text.

    `label` are words that stand near it. `undated`: the document need not print `period_end`, since it is a forecast's,
    or a year's that is called by its number.
    """

    value: Decimal
    unit: str
    scale: int
    period_end: date
    label: str
    undated: bool = False


class Evidence(Place):
    """A statement that answers, and the digest of its text in UTF-8."""

    sha256: str


class Truth(Strict):
    """Figures, or evidences, or why nothing answers and which patterns the documents must not have."""

    figures: list[Figure] = []
    evidences: list[Evidence] = []
    need: str = "any"
    reason: str = ""
    absent: list[str] = []


class Question(Strict):
    """A row of questions.jsonl. `documents` are in the order of `accessions`."""

    id: str
    kind: str
    half: str
    ticker: str
    company: str
    question: str
    accessions: list[str]
    documents: list[str]
    expect: str
    truth: Truth


def questions(path: Path = QUESTIONS) -> list[Question]:
    """The rows, in their order."""
    return [Question.model_validate_json(line) for line in path.read_text(encoding="utf-8").splitlines()]


def plain(markup: str) -> str:
    """A document's text on one line, for offsets: without tags, entities read, NFKC, white space collapsed.

    Spaces of no width, which some printers put between cells, are white space here.
    """
    text = TAG.sub(" ", INLINE.sub("", DROPPED.sub(" ", markup)))
    return " ".join(unicodedata.normalize("NFKC", html.unescape(text)).replace("\u200b", " ").split())


@functools.cache
def mirrored(folder: Path) -> dict[tuple[str, str], Path]:
    """Where each document lies, by accession and file name."""
    with (folder / "forms.csv").open(encoding="utf-8", newline="") as file:
        return {
            (row["accession"], row["primary_doc"]): folder / "mirror" / f"{row['mirror_path']}.xz"
            for row in csv.DictReader(file)
        }


@functools.cache
def text_of(accession: str, document: str, folder: Path = FORMS) -> str:
    """The plain text of a document of the mirror. KeyError where it is not listed."""
    return plain(lzma.decompress(mirrored(folder)[accession, document].read_bytes()).decode("utf-8"))


def is_dated(text: str, day: date) -> bool:
    """Whether the text prints the date: in letters, short or long, with the year at most a table's head away, or in digits."""
    month = rf"{day:%b}[a-z]*\.? {day.day}\b"
    return bool(
        re.search(rf"{month}[^a-z]{{0,60}}{day.year}|\b{day.month}/{day.day}/{day.year}\b", text, re.IGNORECASE)
    )


def figure_problems(figure: Figure, text: str) -> Iterator[str]:
    printed = text[figure.start : figure.end]
    if not PRINTED.fullmatch(printed):
        yield f"no number stands at {figure.start}"
    elif Decimal(printed.replace(",", "")).scaleb(figure.scale) != abs(figure.value):
        yield f"{printed} stands at {figure.start}, not {figure.value}"
    elif (figure.value < 0) != bool(NEGATIVE.search(text[max(0, figure.start - 3) : figure.end + 2])):
        yield f"the sign of {printed} differs"
    if figure.label not in text[max(0, figure.start - BEFORE) : figure.end + AFTER]:
        yield f"{figure.label!r} does not stand near {printed}"
    if not figure.undated and not is_dated(text, figure.period_end):
        yield f"{figure.period_end} is not printed"


def problems(question: Question, folder: Path = FORMS) -> Iterator[str]:
    """What of a row's truth is not in its documents."""
    texts = {
        accession: text_of(accession, document, folder)
        for accession, document in zip(question.accessions, question.documents, strict=True)
    }
    for figure in question.truth.figures:
        yield from figure_problems(figure, texts[figure.accession])
    for one in question.truth.evidences:
        said = texts[one.accession][one.start : one.end]
        if hashlib.sha256(said.encode()).hexdigest() != one.sha256:
            yield f"another text stands at {one.start} of {one.accession}"
    for pattern in question.truth.absent:
        for accession, text in texts.items():
            if found := re.search(pattern, text, re.IGNORECASE):
                yield f"{accession} has {pattern!r} at {found.start()}"
