"""What nodes are given besides the state."""

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Self

from agent.language.companies import Companies
from agent.numbers import registry as registry_file
from agent.numbers.book import Book
from agent.numbers.registry import Registry
from agent.numbers.select import Selection
from agent.programs import model_settings
from agent.state import CompanyRef, Versions
from agent.state.modes import Mode
from agent.steps.grants import Grant
from filings.models import Filing

if TYPE_CHECKING:
    from agent.programs.calls import Session


@dataclass(frozen=True)
class Deps:
    """Made once a run: the company index and the registry are shared by the process, selections live with the run."""

    companies: Companies
    registry: Registry
    today: date
    versions: Versions
    selections: dict[int, Selection] = field(default_factory=dict)
    session: "Session | None" = None  # the models of the run; None where none is configured or wanted
    grant: Grant = field(default_factory=Grant)
    note: str = ""  # why no model is asked that is configured, for the reader

    @classmethod
    def current(
        cls,
        today: date | None = None,
        *,
        models: bool = False,
        mode: Mode = Mode.STANDARD,
        grant: Grant | None = None,
    ) -> Self:
        """The dependencies of a run that starts now.

        today: the date that "has not ended yet" is measured against; evaluations fix it. models: whether the run may ask
        the models of the settings, within what a run of this mode may spend. grant: what whoever asks may; all without.
        """
        from agent.steps.versions import code_version

        companies = Companies.current()
        registry = registry_file.load()
        grant = grant or Grant()
        asks, allowed = models and model_settings.named(), grant.mode(mode)
        return cls(
            companies=companies,
            registry=registry,
            today=today or datetime.now(UTC).date(),
            versions=Versions(code=code_version(), registry=registry.version, corpus=companies.version),
            session=begun(allowed, grant.tokens) if asks and allowed else None,
            grant=grant,
            note=grant.note(mode) if asks and allowed is None else "",
        )

    def without_models(self) -> Self:
        """The same for a run that asks no model."""
        return replace(self, session=None)

    def examples(self) -> tuple[CompanyRef, ...]:
        """The first companies that whoever asks can ask about, in SEC's order."""
        return self.companies.examples(among=self.grant.ciks)

    def degrade(self) -> None:
        """Say that a part of what answers was out, or did less than was planned: such an answer is not kept."""
        if self.session is not None:
            self.session.degraded = True

    def selection(self, filing: int) -> Selection:
        """The concepts of one filing; its facts are read once a run."""
        if filing not in self.selections:
            stored = Filing.objects.select_related("company").get(pk=filing)
            self.selections[filing] = Selection(Book(stored, self.registry))
        return self.selections[filing]


def begun(mode: Mode, quota: int | None = None) -> "Session | None":
    """A session with the models of the settings; None where these are not usable. quota: tokens, None for no limit."""
    from agent.programs.calls import begin
    from agent.programs.models import configured

    found = configured()
    return begin(found, mode, quota=quota) if found else None
