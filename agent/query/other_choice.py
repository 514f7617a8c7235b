"""The same question with another choice in how its table is made, for a link beside the answer."""

from agent.state.query import Alignment, Basis, Query

Choice = Alignment | Basis
PHRASES: dict[Choice, str] = {
    Alignment.FISCAL: "by each company's own fiscal calendar",
    Alignment.CALENDAR: "aligned by calendar",
    Basis.FIRST: "as first reported",
    Basis.LAST: "as last reported",
}
OTHER_ALIGNMENT = {Alignment.FISCAL: Alignment.CALENDAR, Alignment.CALENDAR: Alignment.FISCAL}
OTHER_BASIS = {Basis.FIRST: Basis.LAST, Basis.LAST: Basis.FIRST}


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
