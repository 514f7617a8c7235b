"""Passages that touch on a question without answering it: where they stand, and nothing of what they say."""

from agent.refusals.codes import Code
from agent.state import AgentState, Nearby, Passage, Refusal
from filings.models import Section
from filings.web.citations import co_filed

MOST = 3
# Of a passage that shares words with the question: the cosine from which on it is near in meaning too.
NEAR = 0.3


def nearby(refusal: Refusal, state: AgentState) -> tuple[Nearby, ...]:
    """Up to three passages to be read instead of an answer, where a search was made and no sentence answered."""
    if refusal.code is not Code.NOT_FOUND_IN_FILING:
        return ()
    found = [one for search in state.retrievals if search.target == refusal.target for one in search.passages]
    near = [one for one in found if touches(one)][:MOST]
    if not near:
        return ()
    sections = (
        Section.objects.select_related("filing")
        .defer("text", "blocks", "pages")
        .in_bulk({one.section for one in near})
    )
    shared = co_filed(one.accession for one in near)
    return tuple(
        Nearby(
            title=title(one, sections[one.section]), url=address(one, sections[one.section], one.accession in shared)
        )
        for one in near
        if one.section in sections
    )


def touches(passage: Passage) -> bool:
    """Whether a passage that search found is near the question and stands in an Item."""
    return bool(passage.item) and "lexical" in passage.ranks and (passage.cosine or 0.0) >= NEAR


def title(passage: Passage, section: Section) -> str:
    """Item 1A, Risk Factors, page 14; the page alone where the text stands under no Item."""
    page = f"{'page' if section.label else 'Page'} {passage.page}" if passage.page else ""
    return ", ".join(filter(None, (section.label, page))) or "Text outside any Item"


def address(passage: Passage, section: Section, shared: bool) -> str:
    """The reader with the passage marked; with the company where other registrants filed the same accession."""
    company = f"cik={passage.cik}&" if shared else ""
    ranges = ",".join(f"{start}-{end}" for start, end in passage.ranges)
    return f"{section.get_absolute_url()}?{company}at={ranges}#at"
