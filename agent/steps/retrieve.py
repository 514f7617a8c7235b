"""retrieve: the facts that answer, the passages that may, and data of the filing itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.numbers.absent import explained
from agent.numbers.book import Candidate
from agent.numbers.choice import Choice, NoChoice
from agent.numbers.cite import fact_ref, found
from agent.numbers.concept import STATEMENTS
from agent.numbers.registry import Concept, Registry
from agent.numbers.select import Selection
from agent.prose import passages
from agent.refusals.codes import Code
from agent.refusals.sentences import refuse
from agent.state import (
    AgentState,
    Decision,
    FilingRef,
    Found,
    Particular,
    Phrase,
    Reading,
    Refusal,
    Remark,
    RemarkCode,
    Retrieval,
    SubQuery,
    Target,
)
from agent.state.modes import LIMITS
from agent.steps import locate
from agent.steps.deps import Deps
from filings.xbrl import facts


def retrieve(state: AgentState, deps: Deps) -> AgentState:
    """Choose the fact, or the formula over facts, for each reading; search the passages for each topic.

    Reads   plan.targets, filings, locations
    Adds    facts (target, concept, value, fact or operands, rejected candidates, later values); retrievals (target,
            passages, index, model); particulars
    Refuses concept_not_reported, dimensional_only, conflict, not_meaningful; per target, when no reading is found;
            search_unavailable, not_found_in_filing
    """
    if state.iteration:
        return again(state, deps)
    unfound: list[Refusal] = []
    texts = texts_of([target for target in state.open_targets() if not target.readings], state, deps)
    for target in state.open_targets():
        if target.id in texts:
            text = texts[target.id]
            state = state.add(particulars=text.particular or (), retrievals=text.retrieval or ())
            if (
                text.refusal
                and target.topic
                and target.topic.searches
                and text.refusal.code is Code.NOT_FOUND_IN_FILING
            ):
                # The searches of a model may still find it.
                unfound.append(text.refusal)
            else:
                state = state.add(refusals=text.refusal or ())
            continue
        numbers, refusals = readings(target, state.of(state.filings, target), deps)
        asserted = [number for number in numbers if not number.mention]
        if asserted:
            state = state.add(facts=with_notes(numbers, refusals, state.of(state.filings, target)))
        elif refusals:
            state = state.add(refusals=refusals[0])
    searches = {target.id: target.topic.searches for target in state.open_targets() if target.topic}
    state = searched(state, searches, deps)
    found = {one.target for one in state.retrievals if one.passages}
    return state.add(refusals=[one for one in unfound if one.target not in found])


def again(state: AgentState, deps: Deps) -> AgentState:
    """A later round: the phrases that are to be searched; without a new passage there is nothing to draft from."""
    if any(one.extract for one in state.agains if one.iteration == state.iteration):
        return state
    before = len(state.retrievals)
    phrases = {
        one.target: tuple(phrase_query(phrase) for phrase in one.phrases)
        for one in state.agains
        if one.iteration == state.iteration
    }
    state = searched(state, phrases, deps)
    if any(one.passages for one in state.retrievals[before:]):
        return state
    return state.add(decisions=Decision(again=False, threshold=LIMITS[state.mode].threshold, why="no_passages"))


def phrase_query(phrase: Phrase) -> SubQuery:
    from agent.programs.decompose import content

    return SubQuery(label=phrase.words, words=content(phrase.words), axis=phrase.axis)


def searched(state: AgentState, searches: Mapping[int, tuple[SubQuery, ...]], deps: Deps) -> AgentState:
    """The state with what further searches find for its open targets: nothing where none can be made now."""
    if not any(searches.values()):
        return state
    from agent.prose.further import Wanted, further
    from filings.search.index import IndexMismatch, SearchUnavailable

    wanted = [
        Wanted(
            target,
            state.of(state.filings, target)[0],
            searches[target.id],
            tuple(one for made in state.of(state.retrievals, target) for one in made.passages),
        )
        for target in state.open_targets()
        if searches.get(target.id) and not state.of(state.particulars, target)
    ]
    try:
        found = further(wanted)
    except (SearchUnavailable, IndexMismatch) as error:
        deps.degrade()
        note = f"The searches a model proposed could not be run: {error}"
        return state.add(
            remarks=[Remark(target=one.target.id, code=RemarkCode.NOT_SEARCHED, text=note) for one in wanted]
        )
    if not all(map(passages.is_complete, found)):
        deps.degrade()
    return state.add(retrievals=found)


@dataclass(frozen=True, slots=True)
class TargetText:
    """What is found of a target that is no figure: data of its filing, or passages of its text; or why there is none."""

    particular: Particular | None = None
    retrieval: Retrieval | None = None
    refusal: Refusal | None = None


def texts_of(targets: Sequence[Target], state: AgentState, deps: Deps) -> dict[int, TargetText]:
    """What is found of each of these targets, by its id; the texts of all of them are searched side by side."""
    found: dict[int, TargetText] = {}
    asked: list[passages.Asked] = []
    for target in targets:
        filing: FilingRef = state.of(state.filings, target)[0]
        if particular := locate.particular(target, filing):
            found[target.id] = TargetText(particular=particular)
        elif target.topic is None:
            found[target.id] = TargetText(refusal=locate.refusal(target, filing))
        else:
            asked.append(passages.Asked(target, target.topic, filing, state.of(state.locations, target)))
    for one, outcome in zip(asked, passages.found(asked), strict=True):
        found[one.target.id] = TargetText(retrieval=outcome.retrieval, refusal=outcome.refusal)
        if not outcome.complete:
            deps.degrade()
    return found


def readings(target: Target, filings: tuple[FilingRef, ...], deps: Deps) -> tuple[list[Found], list[Refusal]]:
    """What each reading of a target finds in each of its filings: a number, or why not."""
    numbers: list[Found] = []
    refusals: list[Refusal] = []
    asserted = [reading for reading in target.readings if not reading.mention]
    for filing in filings:
        for reading in target.readings:
            selection = deps.selection(filing.filing)
            choice = selection.annual(reading.concept)
            if isinstance(choice, Choice):
                label = " · ".join(
                    filter(None, (filing.reading, reading.label if len(asserted) > 1 and not reading.mention else ""))
                )
                number = found(target, filing, reading, choice, selection, label)
                if not repeats(number, numbers, target):
                    numbers.append(number)
                if beside := selection.beside(reading.concept):
                    numbers.append(variant(target, filing, reading, beside, selection))
            elif not reading.mention:
                refusals.append(refusal(target, filing, choice, deps))
    return numbers, refusals


def variant(target: Target, filing: FilingRef, reading: Reading, beside: Candidate, selection: Selection) -> Found:
    """Another measure under the same words that stands on the face, mentioned beside the answer."""
    mentioned = reading.model_copy(update={"mention": True})
    choice = Choice(reading.concept, beside.value, beside)
    label = f"“{beside.label}”, a line of the same statement" if beside.label else f"The line tagged {beside.tag}"
    return found(target, filing, mentioned, choice, selection, label)


def repeats(number: Found, numbers: list[Found], target: Target) -> bool:
    """Whether a reading adds nothing: it is collapsible, or only mentioned, and equal to one given already."""
    same = any(one.value == number.value and one.accession == number.accession for one in numbers)
    return same and (target.collapse or number.mention)


def with_notes(numbers: list[Found], refusals: list[Refusal], filings: Sequence[FilingRef]) -> list[Found]:
    """The numbers, the first of which also says which reading was not found and which newer 10-K was not ingested."""
    notes = tuple(f"{refusal.text} {refusal.detail}".strip() for refusal in refusals)
    notes += tuple(sentence for filing in filings for sentence in filing.newer_said)
    first = numbers[0]
    return [first.model_copy(update={"notes": first.notes + notes}), *numbers[1:]]


def refusal(target: Target, filing: FilingRef, choice: NoChoice, deps: Deps) -> Refusal:
    """The refusal of a concept that no fact of a filing answers, with all that was looked at."""
    book = deps.selection(filing.filing).book
    concept = deps.registry.concepts[choice.key]
    year, statement = filing.fiscal_year, STATEMENTS.get(concept.statement, "")
    text, detail, nearest = explained(choice, concept, target.company.called, year, book)
    looked_for = [("Measure", concept.label)]
    if statement:
        looked_for.append(("Statement", f"{statement}, {'stored' if choice.face_held else 'not stored'}"))
    if nearest:
        looked_for.append(("Nearest line", nearest))
    return refuse(
        target,
        choice.code,
        "retrieve",
        text=text,
        detail=detail,
        label=concept.label,
        year=year,
        held=facts.count(book.filing),
        filings=[filing],
        looked_for=looked_for,
        tags=choice.tried,
        candidates=[fact_ref(one.held, book) for one in choice.candidates],
        concepts=near_keys(concept, deps.registry) if choice.variant else (),
    )


def near_keys(concept: Concept, registry: Registry) -> tuple[str, ...]:
    """The keys of measures of their own that a concept's variants are."""
    variants = {name for variant in concept.variant_tags for name in concept.variant_names(variant)}
    return tuple(key for key, other in registry.concepts.items() if variants.intersection(other.names))
