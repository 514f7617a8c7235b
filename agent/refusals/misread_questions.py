"""The refusal of a question that could not be read, and the answers about Diligence itself."""

from agent.numbers.registry.registry import Registry
from agent.query.words.refused_question import Misread
from agent.refusals.codes import Said
from agent.refusals.grammar import listed, lower_first
from agent.state import CompanyRef, Refusal
from agent.state.query import MOST_COMPANIES

# Verbs for one word, and for several.
_OF_ONE = {"is": "is", "fits": "fits", "asks": "asks", "depends": "depends", "matches": "matches", "it": "it"}
_OF_SEVERAL = {"is": "are", "fits": "fit", "asks": "ask", "depends": "depend", "matches": "match", "it": "they"}


def refusal(misread: Misread, registry: Registry, target: int = 0) -> Refusal:
    """The refusal of a question, or of one part of it."""
    text, detail = sentences(misread, registry)
    rows = [
        ("Company", ", ".join(company.called for company in misread.companies)),
        ("Measure", ", ".join(labels(misread, registry))),
        ("Period", ", ".join(period.text for period in misread.periods if period.text)),
        ("Words", ", ".join(misread.words)),
    ]
    return Refusal(
        target=target,
        code=misread.code,
        stage="plan",
        text=text,
        detail=detail,
        looked_for=tuple((what, value) for what, value in rows if value),
        words=misread.words,
        concepts=misread.measures or misread.named,
        parts=misread.parts,
        companies=tuple(company.cik for company in misread.companies),
    )


def sentences(misread: Misread, registry: Registry) -> tuple[str, str]:
    """The two sentences of a code, filled in."""
    said = misread.code.row.asked or Said()
    if misread.code.row.of_text and not (misread.measures or misread.named or misread.rows):
        said = misread.code.row.of_text
    names = [company.called for company in misread.companies]
    facts = {
        "words": listed([f"\u201c{word}\u201d" for word in misread.words]) or "A part of the question",
        "names": listed(names),
        "labels": listed([lower_first(label) for label in labels(misread, registry)]),
        **(_OF_SEVERAL if len(misread.words) > 1 else _OF_ONE),
        "among": f" ({listed(names)})" if len(names) > 1 else "",
        "most": MOST_COMPANIES,
    }
    known = {"words": misread.words, "names": names, "labels": misread.measures}

    def lacks(sentence: str) -> bool:
        return any(f"{{{key}}}" in sentence and not value for key, value in known.items())

    bare = bool(said.bare_first) and lacks(said.first)
    second = said.bare_second if lacks(said.second) or (bare and said.bare_second) else said.second
    return (said.bare_first if bare else said.first).format(**facts), second.format(**facts)


def labels(misread: Misread, registry: Registry) -> list[str]:
    """The labels of the measures that fit or are near; a metric's variants as the metric, once."""
    return list(dict.fromkeys(map(registry.label, misread.measures)))


def concierge(kind: str, covered: int, examples: tuple[CompanyRef, ...]) -> str:
    """What Diligence says about itself: nothing about a company's figures."""
    opening = {
        "greeting": "Hello. This is Diligence.",
        "thanks": "You're welcome.",
        "coverage": "This is Diligence.",
    }[kind]
    answers = f"{opening} It answers questions about annual reports (10-K), and about figures of quarterly ones (10-Q)"
    if not covered:
        return f"{answers}. No company can be asked about yet."
    held = "1 company is covered" if covered == 1 else f"{covered:,} companies are covered"
    names = [company.short for company in examples]
    named = f", including {listed(names)}" if names and covered > 1 else ""
    return (
        f"{answers}: a figure, a ratio, growth, several years or "
        f"companies side by side, or what the text says. Each answer is reported figures with their sources, sentences "
        f"quoted from the filing, or a refusal that says why. {held}{named}."
    )
