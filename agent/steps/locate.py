"""locate: finds the Items where a text should stand, and whether their text is loaded."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agent.prose.text import sections
from agent.prose.text.wording import names
from agent.query.wording.text import SINCE_REPORT
from agent.refusals.codes import Code
from agent.refusals.grammar import lower_first, possessive
from agent.refusals.sentences import refuse
from agent.state import AgentState, FilingDatum, FilingRef, Location, Refusal, Remark, RemarkCode, Target
from agent.steps.deps import Deps
from agent.steps.since_report import SEC_LIST, called, filed, source, told
from filings.models import Filing, SectionStatus

# The key of the 10-K itself since which something came.
REPORT = "report"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of data about a filing: its label, its value (empty where it is missing), and its source."""

    label: str
    value: Callable[[Filing], str]
    source: str | Callable[[Filing], str]
    # Of each filing another label.
    named: Callable[[Filing], str] | None = None

    def source_of(self, filing: Filing) -> str:
        return self.source if isinstance(self.source, str) else self.source(filing)


def _cover(*tags: str) -> Callable[[Filing], str]:
    """The cover's text for these tags, separated by commas; empty where the first is not tagged."""

    def value(filing: Filing) -> str:
        told = [str(filing.cover.get(tag, "")) for tag in tags]
        return ", ".join(filter(None, told)) if told[0] else ""

    return value


def _day(name: str) -> Callable[[Filing], str]:
    def value(filing: Filing) -> str:
        day = getattr(filing, name)
        return f"{day:%-d %B %Y}" if day else ""

    return value


KINDS: dict[str, Kind] = {
    "filed": Kind("Filing date", _day("filed"), SEC_LIST),
    "period_end": Kind("Fiscal year end", _day("period_end"), "the durations of the filing\u2019s own facts"),
    "accession": Kind("Accession number", lambda filing: filing.accession, SEC_LIST),
    "auditor": Kind("Auditor", _cover("AuditorName", "AuditorLocation"), "cover tags AuditorName and AuditorLocation"),
    "auditor_city": Kind("Auditor\u2019s location", _cover("AuditorLocation"), "cover tag AuditorLocation"),
    "state": Kind(
        "State of incorporation",
        _cover("EntityIncorporationStateCountryCode"),
        "cover tag EntityIncorporationStateCountryCode",
    ),
    "exchange": Kind("Stock exchange", _cover("SecurityExchangeName"), "cover tag SecurityExchangeName"),
    "headquarters": Kind(
        "Principal executive offices",
        _cover("EntityAddressCityOrTown", "EntityAddressStateOrProvince", "EntityAddressCountry"),
        "cover tags of the address",
    ),
    REPORT: Kind("Filing", filed, SEC_LIST, named=called),
    SINCE_REPORT: Kind("Filing", told, source, named=called),
}


def particulars(target: Target, filings: Sequence[FilingRef]) -> Iterator[FilingDatum]:
    """The data asked for, of each filing that has it; of a 10-K what came since it, and where nothing did what it is."""
    key, later = target.particular, filings[1:] if target.particular == SINCE_REPORT else ()
    for filing in later or filings:
        if found := particular(target, filing, REPORT if key == SINCE_REPORT and not later else key):
            yield found


def particular(target: Target, filing: FilingRef, key: str) -> FilingDatum | None:
    """Data of a filing by its key; None where there is no such key or the data is missing."""
    kind = KINDS.get(key)
    if kind is None:
        return None
    row = Filing.objects.select_related("company").get(pk=filing.filing)
    if not (value := kind.value(row)):
        return None
    return FilingDatum(
        target=target.id,
        key=key,
        label=kind.named(row) if kind.named else kind.label,
        value=value,
        source=kind.source_of(row),
        accession=filing.accession,
        fiscal_year=filing.fiscal_year,
    )


def known(target: Target, state: AgentState) -> bool:
    """Whether the data that a target asks for is available, so that its text need not be searched."""
    return any(particulars(target, state.of(state.filings, target)))


def refusal(target: Target, filing: FilingRef) -> Refusal:
    """The refusal of data that the filing does not tag."""
    kind = KINDS[target.particular]
    name = target.company.called
    return refuse(
        target,
        Code.NOT_FOUND_IN_FILING,
        text=f"The {lower_first(kind.label)} is not tagged in {possessive(name)} fiscal {filing.fiscal_year} {filing.form}.",
        detail="It comes only from tags on the cover page.",
        filings=[filing],
        looked_for=[("Data", kind.label)],
    )


def locate(state: AgentState, deps: Deps) -> AgentState:
    """Find the Items for the topic of each open target for text.

    Reads plan.targets, filings

    Adds locations (target, item, section, title, status); remarks, where an Item asked for points to another one

    Refuses section_not_available, when no asked Item has its text loaded; per target
    """
    for target in state.open_targets():
        if target.topic and not known(target, state):
            filing = state.of(state.filings, target)[0]
            locations, refusal = sections.located(target, target.topic, filing)
            state = state.add(locations=locations, refusals=refusal or (), remarks=pointer(target, locations))
    return state


def pointer(target: Target, locations: Sequence[Location]) -> tuple[Remark, ...]:
    """The note that an Item asked for by name points to others of the same document, which are searched."""
    named = target.topic.items if target.topic and target.topic.named else ()
    away = [one.item for one in locations if one.item in named and one.status == SectionStatus.BY_REFERENCE]
    searched = [one.item for one in locations if one.item not in named]
    if not away or not searched:
        return ()
    text = (
        f"{names(away)} only {'refers' if len(away) == 1 else 'refer'} to {names(searched)}, where it was looked for."
    )
    return (Remark(target=target.id, code=RemarkCode.POINTED, text=text),)
