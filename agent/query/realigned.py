"""The same question with the periods of its companies aligned in the other way, for a link beside the answer."""

from agent.state.query import Alignment, Query

PHRASES = {
    Alignment.FISCAL: "by each company's own fiscal calendar",
    Alignment.CALENDAR: "aligned by calendar",
}
OTHER = {Alignment.FISCAL: Alignment.CALENDAR, Alignment.CALENDAR: Alignment.FISCAL}


def realigned(question: str, query: Query, align: Alignment) -> str:
    """The question that asks for an alignment, in place of the one that it may name.

    query: how the question was read; its words have the question's offsets.
    """
    text = question
    for word in sorted(query.words, key=lambda one: one.start, reverse=True):
        if word.meaning in PHRASES and text[word.start : word.end] == word.text:
            text = text[: word.start].rstrip(" ,(") + text[word.end :].removeprefix(")")
    mark = "?" if question.rstrip().endswith("?") else ""
    return f"{text.rstrip(' ?.!,;')}, {PHRASES[align]}{mark}"
