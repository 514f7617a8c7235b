"""Words that are a registrant's name or ticker somewhere else, and in this question something else."""

from collections.abc import Collection, Sequence

from agent.registrants.companies import CURATED, SYMBOL
from agent.language.lexicon import phrases
from agent.registrants.mentions import Mention
from agent.language.parsing import Sentence
from agent.words.tokens import Token
from agent.refusals.codes import Code

# What follows is taken out of a figure, or put into it: "net of TAC", "including VAT".
_TAKING = frozenset(
    {
        "of",
        "excluding",
        "ex",
        "excl",
        "including",
        "incl",
        "before",
        "after",
        "less",
        "without",
        "minus",
        "plus",
        "from",
    }
)

_SIDE_BY_SIDE = frozenset({"and", "or", "vs", "versus", "to", "with", "than", "/", "against"})


def companies_meant(
    mentions: Sequence[Mention], sentence: Sentence, held: Collection[int] = frozenset()
) -> list[Mention]:
    """The companies named without those that only look like one beside another; all of them where there is one.

    held: CIKs of companies that can be asked about.
    """
    if len({cik for mention in mentions for cik in mention.ciks}) < 2:
        return list(mentions)
    kept = [mention for mention in mentions if not _is_bystander(mention, sentence)]
    among = frozenset(held)
    named = {mention for mention in kept if not among.isdisjoint(mention.ciks)}
    if named:
        kept = [mention for mention in kept if mention in named or not _are_letters(mention, kept, sentence)]
    return kept or list(mentions)


def _are_letters(mention: Mention, mentions: Sequence[Mention], sentence: Sentence) -> bool:
    """Whether capitals beside a held company are no second one: "EU rules", "AIP", "Q&A", and not "vs TSM" or "and BA"."""
    tokens = sentence.tokens
    if mention.level != SYMBOL or len(mention.places) != 1 or tokens[mention.first].cashtag:
        return False
    return not any(
        _stands_beside(first, second, tokens) and tokens[first.last].text != "&"
        for other in mentions
        for first, second in ((mention, other), (other, mention))
    )


def _stands_beside(first: Mention, second: Mention, tokens: Sequence[Token]) -> bool:
    return second.first - first.last == 1 and tokens[first.last].stem in _SIDE_BY_SIDE


def _is_bystander(mention: Mention, sentence: Sentence) -> bool:
    places, tokens = set(mention.places), sentence.tokens
    # Q2 is a quarter and the name of a registrant.
    if any(period.interim and places <= set(stretch) for stretch, period in sentence.periods):
        return True
    before = tokens[mention.first - 1].stem if mention.first else ""
    net_of = before == "of" and mention.first > 1 and tokens[mention.first - 2].stem == "net"
    if mention.level == SYMBOL and len(mention.places) == 1 and (net_of or before in _TAKING - {"of", "from"}):
        return True
    # "The EU", "the IRS": letters behind an article are an office, and no ticker.
    if mention.level == SYMBOL and before == "the" and tokens[mention.first].upper:
        return True
    if mention.level == CURATED:
        return False
    # "MD&A" is no MD, and "Consumer & Community Banking" no community bank.
    return any(
        places < set(range(match.first, match.last))
        for match in phrases().matches(tokens)
        if any(
            meaning.kind == "topic" or (meaning.kind == "intent" and meaning.value is Code.DIMENSIONAL_ONLY)
            for meaning in match.meanings
        )
    )
