"""locate: on which statement a measure, and in which Item a text should stand, and whether that is held."""

from agent.prose import sections
from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.state import AgentState, FilingRef, Location, Reading, Target
from agent.steps import particulars
from agent.steps.deps import Deps

INDUSTRIES = {"bank": "a bank", "broker": "a broker", "insurer": "an insurer"}


def locate(state: AgentState, deps: Deps) -> AgentState:
    """Find the face on which each reading of each open target should stand, or the Items that tell of its topic.

    Reads   plan.targets, filings
    Adds    locations (target, concept, statement, title, basis; of a text: item, section, title, status)
    Refuses not_meaningful, when the industry has no such measure; section_not_available, when no asked Item is held as
            text; per target
    """
    for target in state.open_targets():
        if target.topic and not particulars.known(target, state):
            filing = state.of(state.filings, target)[0]
            locations, refusal = sections.located(target, target.topic, filing)
            state = state.add(locations=locations, refusals=refusal or ())
            continue
        for filing in state.of(state.filings, target):
            for reading in target.readings:
                state = state.add(locations=location(target, filing, reading, deps))
        state = refuse_meaningless(state, target, deps)
    return state


def location(target: Target, filing: FilingRef, reading: Reading, deps: Deps) -> Location:
    """Where one reading should stand in one filing."""
    concept = deps.registry.concepts[reading.concept]
    face = deps.selection(filing.filing).book.face_of(concept)
    return Location(
        target=target.id,
        concept=reading.concept,
        accession=filing.accession,
        statement=concept.statement,
        title=face.title if face else "",
        basis=face.basis if face else "",
    )


def refuse_meaningless(state: AgentState, target: Target, deps: Deps) -> AgentState:
    """A target whose every reading is undefined for the company's industry is refused."""
    filings = state.of(state.filings, target)
    if not filings or not target.readings:
        return state
    concepts = [deps.registry.concepts[reading.concept] for reading in target.readings]
    industries = deps.selection(filings[0].filing).book.industries
    meaningless = [industries.intersection(concept.not_meaningful_for) for concept in concepts]
    if not all(meaningless):
        return state
    industry = INDUSTRIES[min(meaningless[0])]
    return state.add(
        refusals=refuse(
            target,
            Code.NOT_MEANINGFUL,
            label=concepts[0].label,
            industry=industry,
            filings=filings[:1],
            looked_for=[("Measure", concepts[0].label), ("Industry", industry)],
        )
    )
