"""In what form an answer is wanted: the scale of its figures, and how the columns of a table are chosen."""

from agent.query.wording.instructions import form_of
from agent.query.words.refused_question import Refused
from agent.query.words.sentence import Part, Sentence
from agent.refusals.codes import Code
from agent.state.query import Alignment, Basis, Query
from agent.state.references import Scale

MOST_DECIMALS = 12
Choice = Alignment | Basis
PHRASES: dict[Choice, str] = {
    Alignment.FISCAL: "by each company's own fiscal calendar",
    Alignment.CALENDAR: "aligned by calendar",
    Basis.FIRST: "as first reported",
    Basis.LAST: "as last reported",
}
OTHER_ALIGNMENT = {Alignment.FISCAL: Alignment.CALENDAR, Alignment.CALENDAR: Alignment.FISCAL}
OTHER_BASIS = {Basis.FIRST: Basis.LAST, Basis.LAST: Basis.FIRST}


def scale_asked(sentence: Sentence) -> Scale | None:
    """The scale that figures are asked in: the last named."""
    found = [value for part in sentence.parts if (value := part.value("scale"))]
    found += [told for words in sentence.passed if (told := form_of(words).scale)]
    return Scale(found[-1]) if found else None


def decimals_asked(sentence: Sentence) -> int | None:
    """To how many decimals instructions round figures: the last that say so; None where none does."""
    told = [found for words in sentence.passed if (found := form_of(words).decimals) is not None]
    return min(told[-1], MOST_DECIMALS) if told else None


def alignment_of(sentence: Sentence, companies: int) -> Alignment | None:
    """How the question aligns periods of several companies; None where it does not say.

    Raises Refused for calendar periods of one company, which are not made of its fiscal ones.
    """
    said = _said(sentence, Alignment)
    found = Alignment(said[-1].value("frame") or "") if said else None
    if found is Alignment.CALENDAR and companies < 2:
        first, last = said[-1].tokens[0], said[-1].tokens[-1]
        raise Refused(Code.NOT_UNDERSTOOD, sentence.question[first.start : last.end])
    return found


def basis_of(sentence: Sentence, *, ranked: bool = False) -> Basis | None:
    """Which report the question wants each year from; None where it does not say.

    Raises Refused for both; and, of all companies in an order, which is that of first reported figures, for the last.
    """
    said = _said(sentence, Basis)
    chosen = {part.value("frame") for part in said}
    if len(chosen) > 1 or (ranked and Basis.LAST in chosen):
        raise Refused(Code.NOT_UNDERSTOOD, sentence.text(said[-1]))
    return Basis(said[-1].value("frame") or "") if said else None


def _said(sentence: Sentence, choice: type[Alignment | Basis]) -> list[Part]:
    """The parts that make one choice of a closed class."""
    return [part for part in sentence.parts if part.value("frame") in set(choice)]


def with_choice(question: str, query: Query, choice: Choice) -> str:
    """The question that makes a choice, in place of the one of the same kind that it may make.

    query: how the question was read; its words have the question's offsets.
    """
    text = question
    alike = set(type(choice))
    for word in sorted(query.words, key=lambda one: one.start, reverse=True):
        if word.meaning in alike and text[word.start : word.end] == word.text:
            text = text[: word.start].rstrip(" ,(") + text[word.end :].removeprefix(")")
    mark = "?" if question.rstrip().endswith("?") else ""
    return f"{text.rstrip(' ?.!,;')}, {PHRASES[choice]}{mark}"
