"""Words that are a registrant's name or ticker somewhere else, and in this question something else."""

from collections.abc import Sequence

from agent.codes import Code
from agent.language.companies import CURATED, SYMBOL
from agent.language.lexicon import phrases
from agent.language.mentions import Mention
from agent.language.parsing import Sentence

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


def companies_meant(mentions: Sequence[Mention], sentence: Sentence) -> list[Mention]:
    """The companies named without those that only look like one beside another; all of them where there is one."""
    if len({cik for mention in mentions for cik in mention.ciks}) < 2:
        return list(mentions)
    kept = [mention for mention in mentions if not _is_bystander(mention, sentence)]
    return kept or list(mentions)


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
