"""What nodes are given besides the state."""

from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Self

from agent import model_settings
from agent.language.companies import Companies
from agent.modes import Mode
from agent.numbers import registry as registry_file
from agent.numbers.book import Book
from agent.numbers.registry import Registry
from agent.numbers.select import Selection
from agent.state import Versions
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

    @classmethod
    def current(cls, today: date | None = None, *, models: bool = False, mode: Mode = Mode.STANDARD) -> Self:
        """The dependencies of a run that starts now.

        today: the date that "has not ended yet" is measured against; evaluations fix it. models: whether the run may ask
        the models of the settings, within what a run of this mode may spend.
        """
        from agent.versions import code_version

        companies = Companies.current()
        registry = registry_file.load()
        return cls(
            companies=companies,
            registry=registry,
            today=today or datetime.now(UTC).date(),
            versions=Versions(code=code_version(), registry=registry.version, corpus=companies.version),
            session=begun(mode) if models and model_settings.named() else None,
        )

    def without_models(self) -> Self:
        """The same for a run that asks no model."""
        return replace(self, session=None)

    def selection(self, filing: int) -> Selection:
        """The concepts of one filing; its facts are read once a run."""
        if filing not in self.selections:
            stored = Filing.objects.select_related("company").get(pk=filing)
            self.selections[filing] = Selection(Book(stored, self.registry))
        return self.selections[filing]


def begun(mode: Mode) -> "Session | None":
    """A session with the models of the settings; None where these are not usable."""
    from agent.programs.calls import begin
    from agent.programs.models import configured

    found = configured()
    return begin(found, mode) if found else None
