"""Whose filing tells of a question that names several companies: "Amazon's stake in Rivian", never "Apple vs Boeing"."""

from collections.abc import Callable

from agent.registrants.mentions import Mention
from agent.language.parsing import Parsed
from agent.language.texts import words_of

# Companies are set side by side, and each would be asked about by itself.
_COMPARING = frozenset(
    {
        "vs", "versus", "compare", "compared", "comparing", "comparison", "than", "both", "or", "bigger", "larger", "better",
        "difference", "differ", "smaller", "worse", "each", "respectively", "combined", "rank",
    }
)  # fmt: skip
_LISTING = frozenset({"and", "or", "/", "plus"})
# What one company does to another is told by the one it is done to.
_AFFECTING = frozenset(
    {"hurt", "affect", "threaten", "harm", "impact", "damage", "pressure", "endanger", "weaken", "sue", "sued"}
)
_TOWARDS = frozenset({"to", "from", "with", "in", "on", "through", "via", "against", "by", "for", "of"})
_FILING = frozenset({"10", "filing", "annual", "report"})


def told_by(parsed: Parsed, mentions: tuple[Mention, ...], is_held: Callable[[Mention], bool]) -> Mention | None:
    """The mention of the company whose filing tells how the named ones are related; None where they are compared."""
    told = [token.stem for token in parsed.tokens]
    if _COMPARING & set(told):
        return None
    held = [mention for mention in mentions if is_held(mention)]
    if not held or not parsed.mentions:
        return None
    chosen = next((one for one in held if _is_source(told, one)), None) or _chosen(parsed, told, held)
    listed = any(_are_listed(parsed, told, chosen, other) for other in mentions if other.ciks != chosen.ciks)
    return None if listed and not words_of("relations") & set(told) else chosen


def is_related(parsed: Parsed, cik: int) -> bool:
    """Whether a figure beside several companies is one of what they do with each other: "sales to Walmart".

    cik: of the company whose filing would tell. "Boeing's revenue from GE" is no figure of GE.
    """
    told = [token.stem for token in parsed.tokens]
    if _is_share(parsed, told):
        return True
    towards = [one for one in parsed.mentions if one.first and told[one.first - 1] in _TOWARDS - {"for", "of", "by"}]
    if parsed.measures and any(cik in one.ciks for one in towards):
        return False
    return bool(towards) or bool((words_of("relations") | words_of("aspects")) & set(told))


def _is_share(parsed: Parsed, told: list[str]) -> bool:
    """ "Walmart's share of Colgate's sales": a part of one company's figure that is another's."""
    return any(told[mention.last : mention.last + 2] == ["share", "of"] for mention in parsed.mentions)


def _is_source(told: list[str], mention: Mention) -> bool:
    return told[mention.last : mention.last + 1] != [] and told[mention.last] in _FILING


def _chosen(parsed: Parsed, told: list[str], held: list[Mention]) -> Mention:
    last = held[-1]
    if any(stem in _AFFECTING for stem in told[: last.first][-3:]):
        return last
    # "Walmart's share of Colgate's sales" is in Colgate's filing.
    if len(held) > 1 and told[held[1].first - 1] == "of" and parsed.tokens[held[1].last - 1].possessive:
        return held[1]
    towards = {one.first for one in held if one.first and told[one.first - 1] in _TOWARDS}
    return next((one for one in held if one.first not in towards), held[0])


def _are_listed(parsed: Parsed, told: list[str], one: Mention, other: Mention) -> bool:
    """Whether two companies stand side by side: "Apple and Google", "Apple, Microsoft and Google"."""
    first, second = sorted((one, other), key=lambda mention: mention.first)
    if second.first == first.last:
        tokens = parsed.tokens
        return "," in parsed.sentence.question[tokens[first.last - 1].end : tokens[second.first].start]
    return second.first - first.last == 1 and told[first.last] in _LISTING
