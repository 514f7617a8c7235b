"""The sentences of questions that could not be planned.

Plain present tense. The first sentence says what is not there, the second why a near thing is not given.
"""

from agent.language.misread import Misread
from agent.refusals.codes import Code
from agent.state import QuestionType

_FIRST: dict[Code, str] = {
    Code.EMPTY: "The question has no words.",
    Code.TOO_LONG: "The question is longer than those that are read.",
    Code.NO_COMPANY: "The question names no company.",
    Code.UNKNOWN_COMPANY: "{words} {is} the name or ticker of no registrant on SEC's list.",
    Code.AMBIGUOUS_COMPANY: "{words} {fits} several registrants: {names}.",
    Code.INTERIM_PERIOD: "Only full fiscal years are answered, and {words} {is} none.",
    Code.CONCEPT_UNKNOWN: "{words} {is} not a measure that is read from annual reports here.",
    Code.AMBIGUOUS_CONCEPT: "{words} {fits} several measures: {labels}.",
    Code.DIMENSIONAL_ONLY: "{words} {is} a part of a company, and only figures of the whole company are held.",
    Code.NON_GAAP: "{words} {asks} for a figure outside GAAP, which no fact of a 10-K's statements holds.",
    Code.YEAR_OVER_YEAR: "{words} {asks} about more than one year, and one year is answered at a time.",
    Code.CROSS_COMPANY: "The question asks about several companies{among}, and one is answered at a time.",
    Code.RATIO: "{words} {is} computed from several figures, and only reported figures are answered.",
    Code.PREDICTION: "{words} {asks} about the future, and a 10-K reports the past.",
    Code.ADVICE: "{words} {asks} for investment advice, which is not given here.",
    Code.PRICE: "{words} {depends} on the market, and market prices are in no 10-K.",
    Code.TRANSCRIPT: "{words} {is} not an annual report, and only 10-K filings are held.",
    Code.EXTERNAL_DATA: "{words} {is} outside annual reports, and only 10-K filings are held.",
    Code.NOT_UNDERSTOOD: "{words} could change which figure is asked, and {is} not understood.",
    Code.OFF_TOPIC: "The question is not about a company's annual report.",
}
_SECOND: dict[Code, str] = {
    Code.EMPTY: "Name a company, a measure and a year.",
    Code.TOO_LONG: "Ask for one thing of one company.",
    Code.NO_COMPANY: "The same measure differs from company to company, so none is assumed.",
    Code.UNKNOWN_COMPANY: "The nearest names are {names}; none is taken for it.",
    Code.AMBIGUOUS_COMPANY: "Which one is meant changes the figure, so none is chosen.",
    Code.INTERIM_PERIOD: "A full year's figure would be another figure, so it is not given in its place.",
    Code.CONCEPT_UNKNOWN: "The nearest measures are {labels}; none is given in its place.",
    Code.AMBIGUOUS_CONCEPT: "They differ, so none is chosen.",
    Code.DIMENSIONAL_ONLY: "The company's total would be another figure, so it is not given in its place.",
    Code.NON_GAAP: "The GAAP figure is another figure, so it is not given in its place.",
    Code.YEAR_OVER_YEAR: "Ask for each year's figure by itself.",
    Code.CROSS_COMPANY: "Ask about each company by itself.",
    Code.RATIO: "The figures it is made of answer by themselves.",
    Code.PREDICTION: "A past figure says nothing certain about it, so none is given in its place.",
    Code.ADVICE: "Figures that a decision may rest on answer by themselves.",
    Code.PRICE: "What the filing reports answers by itself.",
    Code.TRANSCRIPT: "What was said there cannot be checked against a filing held here.",
    Code.EXTERNAL_DATA: "What it says cannot be checked against a filing held here.",
    Code.NOT_UNDERSTOOD: "Without {it} the question would be another question, so the figure without {it} is not given.",
    Code.OFF_TOPIC: "Ask for a figure of a company, such as revenue in fiscal 2024.",
}
# Where the second sentence has nothing to name.
_SECOND_WITHOUT: dict[Code, str] = {
    Code.UNKNOWN_COMPANY: "No other company's figure is given in its place.",
    Code.CONCEPT_UNKNOWN: "A neighbouring measure would be another figure, so none is given in its place.",
}
_FIRST_WITHOUT: dict[Code, str] = {
    Code.CONCEPT_UNKNOWN: "The question names no measure.",
    Code.UNKNOWN_COMPANY: "The question names a company that is no registrant on SEC's list.",
    Code.INTERIM_PERIOD: "Only full fiscal years are answered.",
}


# What is said of one of the words, and of several.
_OF_ONE = {"is": "is", "fits": "fits", "asks": "asks", "depends": "depends", "it": "it"}
_OF_SEVERAL = {"is": "are", "fits": "fit", "asks": "ask", "depends": "depend", "it": "them"}
_VAGUE = (
    "The question names no subject that the text of the filing could be searched for.",
    "Name one, as its risks, its competitors, its legal proceedings or what changed its revenue.",
)


def sentences(misread: Misread) -> tuple[str, str]:
    """The two sentences of a question that is not planned."""
    code = misread.code
    facts = {
        "words": _listed([f"\u201c{word}\u201d" for word in misread.words]) or "A part of the question",
        "names": _listed(misread.names),
        "labels": _listed(misread.labels),
        **(_OF_SEVERAL if len(misread.words) > 1 else _OF_ONE),
        "among": f" ({_listed(misread.names)})" if len(misread.names) > 1 else "",
    }
    first = _FIRST[code] if misread.words else _FIRST_WITHOUT.get(code, _FIRST[code])
    second = _SECOND[code]
    if code is Code.NOT_UNDERSTOOD and misread.type is QuestionType.PROSE:
        return _VAGUE
    if ("{names}" in second and not misread.names) or ("{labels}" in second and not misread.labels):
        second = _SECOND_WITHOUT[code]
    return first.format(**facts), second.format(**facts)


def _listed(words: tuple[str, ...] | list[str]) -> str:
    """a, b and c."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def concierge(kind: str, covered: int, examples: tuple[str, ...]) -> str:
    """What Diligence says about itself: never anything about a company's figures."""
    opening = {
        "greeting": "Hello. This is Diligence.",
        "thanks": "Glad it was of use.",
        "coverage": "This is Diligence.",
    }[kind]
    if not covered:
        return f"{opening} It answers questions about annual reports (10-K). No company is held yet."
    held = "1 company is held" if covered == 1 else f"{covered:,} companies are held"
    named = f", among them {_listed(examples)}" if examples and covered > 1 else ""
    return (
        f"{opening} It answers questions about annual reports (10-K): one company, one fiscal year, a figure or what the "
        f"text says. Each answer is a reported figure with its source, sentences quoted from the filing, or a refusal that "
        f"says why. {held}{named}."
    )
