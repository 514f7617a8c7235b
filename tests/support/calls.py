"""An earnings call of the fictional Northwind Instruments, written in the forms that transcripts have."""

import html
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from docx import Document

from tests.support.brought_files import saved


class Said(NamedTuple):
    """One turn: who, what the label adds, and the paragraphs."""

    name: str
    role: str
    words: tuple[str, ...]


OPERATOR = "Operator"
CHIEF, MONEY = "Chief Executive Officer", "Chief Financial Officer"
LONG = (
    "We shipped more instruments than in any quarter before, and the plant in Lindau ran at its full capacity for the whole "
    "of the period. Orders for the ceramic stage came from three customers who had not bought from us until now."
)
CALL: tuple[Said, ...] = (
    Said(
        OPERATOR,
        "",
        (
            "Good morning, and welcome to the Northwind Instruments third quarter 2025 earnings conference call. "
            "Later we will take your questions. I will now hand over to Ida Brandt.",
        ),
    ),
    Said("Ida Brandt", "Northwind Instruments -- Investor Relations", ("Thank you, operator. With me is Tom Vale.",)),
    Said("Tom Vale", CHIEF, (f"Thank you, Ida. {LONG}", f"Looking ahead: {LONG}", "I now turn to Mary O'Neil-Roth.")),
    Said("Mary O'Neil-Roth", MONEY, (f"Revenue was $48.2 million, up 9%. {LONG}", LONG)),
    Said("Tom Vale", CHIEF, ("We are ready for the first question, operator.",)),
    Said(OPERATOR, "", ("The first question comes from Hugo Lindqvist of Meadow Capital.",)),
    Said("Hugo Lindqvist", "Meadow Capital -- Analyst", ("Good morning. How long will the plant run at capacity?",)),
    Said("Tom Vale", CHIEF, ("Until the second line opens in March.",)),
    Said("Hugo Lindqvist", "Meadow Capital -- Analyst", ("Thanks.",)),
    Said(OPERATOR, "", ("Our next question is from Petra Sand of Harbor Research.",)),
    Said("Petra Sand", "Harbor Research -- Analyst", ("What does the export permit cost you?",)),
    Said("Mary O'Neil-Roth", MONEY, ("Less than one percent of sales.",)),
    Said(OPERATOR, "", ("There are no further questions. You may now disconnect.",)),
)
QUESTIONS_AT = 5
TITLE = "Northwind Instruments, Inc. (NWI) Q3 2025 Earnings Call"
DAY = "October 28, 2025"


def labelled(call: Sequence[Said]) -> bytes:
    return "\n\n".join(
        [TITLE, DAY, *("\n\n".join([f"{one.name}: {one.words[0]}", *one.words[1:]]) for one in call)]
    ).encode()


def wrapped(call: Sequence[Said]) -> bytes:
    paragraphs = labelled(call).decode().split("\n\n")
    return "\n\n".join(textwrap.fill(paragraph, 72) for paragraph in paragraphs).encode()


def alone(call: Sequence[Said]) -> bytes:
    return "\n\n".join([TITLE, DAY, *("\n\n".join([one.name, *one.words]) for one in call)]).encode()


def with_roles(call: Sequence[Said]) -> bytes:
    labels = [f"{one.name} -- {one.role}" if one.role else one.name for one in call]
    turns = ("\n\n".join([label, *one.words]) for label, one in zip(labels, call, strict=True))
    return "\n\n".join([TITLE, DAY, *turns]).encode()


def stamped(call: Sequence[Said]) -> bytes:
    turns = ("\n\n".join([f"{one.name} (00:{number:02}:15):", *one.words]) for number, one in enumerate(call))
    return "\n\n".join([TITLE, DAY, *turns]).encode()


def page(call: Sequence[Said], label: Callable[[Said], str]) -> bytes:
    turns = "".join(label(one) + "".join(f"<p>{html.escape(words)}</p>" for words in one.words) for one in call)
    return f"<html><body><h1>{TITLE}</h1><p>{DAY}</p>{turns}</body></html>".encode()


def page_with_names(call: Sequence[Said]) -> bytes:
    return page(call, lambda one: f"<p><b>{html.escape(one.name)}</b></p>")


def page_with_roles_below(call: Sequence[Said]) -> bytes:
    def label(one: Said) -> str:
        role = f"<p><i>{html.escape(one.role.replace(' -- ', ', '))}</i></p>" if one.role else ""
        return f"<p><b>{html.escape(one.name)}</b></p>{role}"

    return page(call, label)


def word_file(call: Sequence[Said]) -> bytes:
    document = Document()
    document.add_heading(TITLE, 1)
    document.add_paragraph(DAY)
    for one in call:
        paragraph = document.add_paragraph()
        paragraph.add_run(f"{one.name}:").bold = True
        paragraph.add_run(f" {one.words[0]}")
        for words in one.words[1:]:
            document.add_paragraph(words)
    return saved(document)


def markdown(call: Sequence[Said]) -> bytes:
    return "\n\n".join([f"# {TITLE}", DAY, *("\n\n".join([f"**{one.name}**", *one.words]) for one in call)]).encode()


def sides(call: Sequence[Said]) -> bytes:
    """Questions and answers marked by a letter before the name, as some publishers do."""
    parts = [TITLE, DAY]
    for number, one in enumerate(call):
        side = "" if number < QUESTIONS_AT or one.name == OPERATOR else "Q - " if "Analyst" in one.role else "A - "
        parts.append(f"<{side}{one.name}>: {one.words[0]}")
        parts += one.words[1:]
    return "\n\n".join(parts).encode()


FORMS: Mapping[str, Callable[[Sequence[Said]], bytes]] = {
    form.__name__: form
    for form in (
        labelled,
        wrapped,
        alone,
        with_roles,
        stamped,
        page_with_names,
        page_with_roles_below,
        word_file,
        markdown,
        sides,
    )
}
