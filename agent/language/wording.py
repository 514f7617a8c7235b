"""The sentences of questions that could not be planned, and of those about Diligence itself."""

from agent.language.misread import Misread
from agent.refusals.codes import Code, Said
from agent.refusals.labels import listed
from agent.state import QuestionType

# What is said of one of the words, and of several.
_OF_ONE = {"is": "is", "fits": "fits", "asks": "asks", "depends": "depends", "matches": "matches", "it": "it"}
_OF_SEVERAL = {"is": "are", "fits": "fit", "asks": "ask", "depends": "depend", "matches": "match", "it": "they"}
_VAGUE = (
    "The question names no topic to look for in the filing.",
    "Name one, such as risks, competitors, legal proceedings or what changed revenue.",
)


def sentences(misread: Misread) -> tuple[str, str]:
    """The two sentences of a question that is not planned: those of its code, filled in."""
    said = misread.code.row.asked or Said("")
    if misread.code is Code.NOT_UNDERSTOOD and misread.type is QuestionType.PROSE:
        return _VAGUE
    facts = {
        "words": listed([f"\u201c{word}\u201d" for word in misread.words]) or "A part of the question",
        "names": listed(misread.names),
        "labels": listed(misread.labels),
        **(_OF_SEVERAL if len(misread.words) > 1 else _OF_ONE),
        "among": f" ({listed(misread.names)})" if len(misread.names) > 1 else "",
    }
    first = said.first if misread.words else said.bare_first or said.first
    bare = any(f"{{{key}}}" in said.second and not getattr(misread, key) for key in ("words", "names", "labels"))
    return first.format(**facts), (said.bare_second if bare else said.second).format(**facts)


def concierge(kind: str, covered: int, examples: tuple[str, ...]) -> str:
    """What Diligence says about itself: never anything about a company's figures."""
    opening = {
        "greeting": "Hello. This is Diligence.",
        "thanks": "You're welcome.",
        "coverage": "This is Diligence.",
    }[kind]
    if not covered:
        return f"{opening} It answers questions about annual reports (10-K). No company has been ingested yet."
    held = "1 company is covered" if covered == 1 else f"{covered:,} companies are covered"
    named = f", including {listed(examples)}" if examples and covered > 1 else ""
    return (
        f"{opening} It answers questions about annual reports (10-K): one company, one fiscal year, a figure or what the "
        f"text says. Each answer is a reported figure with its source, sentences quoted from the filing, or a refusal that "
        f"says why. {held}{named}."
    )
