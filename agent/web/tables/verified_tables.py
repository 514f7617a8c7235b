"""Computes tables without a question and a run: every cell is verified or becomes a gap."""

from collections.abc import Sequence
from datetime import UTC, datetime

from accounts.identity import Identity
from agent.numbers.registry import registry as registry_file
from agent.numbers.registry.registry import Registry
from agent.numbers.tables.table import tabulate
from agent.numbers.verification.verify import verify
from agent.refusals.codes import Code
from agent.registrants.registrant_index import Companies, Registrant
from agent.state import CompanyRef, FactRef, Versions
from agent.state.query import Query
from agent.state.tables import Cell, Gap, Table
from agent.steps.deps import Deps, Grant, open_to_visitors
from filings.models import Company, Fact, Filing


def tabulated(query: Query, identity: Identity, registry: Registry | None = None) -> Table:
    """The table of a query with verified cells, for companies the asker may ask about; any other is a gap."""
    known = registry or registry_file.load()
    return verified(tabulate(query, dependencies(identity, known)), query, known)


def asked_cells(made: Table) -> Table:
    """A table without its context figures."""
    return made.model_copy(update={"cells": tuple(one for one in made.cells if one.asked)})


def dependencies(identity: Identity, registry: Registry) -> Deps:
    """The dependencies of a table, without the index of all companies."""
    return Deps(
        companies=Companies.of([]),
        registry=registry,
        today=datetime.now(UTC).date(),
        versions=Versions(code="", registry=registry.version, corpus=""),
        grant=Grant(ciks=open_to_visitors() if identity.user is None else None),
    )


def verified(made: Table, query: Query, registry: Registry) -> Table:
    """The table with a gap in place of every figure that differs from the database."""
    if not verify(made, query, registry):
        return made
    cells = tuple(
        one if not (said := verify(Table(cells=(one,)), query, registry)) else conflict(one, said)
        for one in made.cells
    )
    return made.model_copy(update={"cells": cells})


def conflict(cell: Cell, said: Sequence[str]) -> Cell:
    gap = Gap(code=Code.CONFLICT, text="The figure does not agree with what is stored.", detail=" ".join(said))
    return cell.model_copy(
        update={"value": None, "formula": "", "operands": (), "fact": None, "gap": gap, "notes": ()}
    )


def printed_in_documents(facts: Sequence[FactRef]) -> bool:
    """Whether every fact is one of a stored document; of the SEC's companyfacts, a printed row of one."""
    others = [fact for fact in facts if fact.source != Fact.Source.DOCUMENT]
    if not all(fact.label for fact in others):
        return False
    cited = {fact.accession for fact in others}
    held = Filing.objects.filter(accession__in=cited, document_status=Filing.DocumentStatus.HELD)
    return set(held.values_list("accession", flat=True)) == cited


def registrant(company: Company) -> Registrant:
    """A company with its annotation `held`, for the index of companies."""
    return Registrant(
        cik=company.cik,
        name=company.name,
        symbols=tuple(company.symbols),
        covered=company.held,  # type: ignore[attr-defined] # an annotation
        foreign=company.foreign,
    )


def ref_of(company: Company) -> CompanyRef:
    """A company with its annotation `held`, for queries."""
    found = Companies.of([registrant(company)]).get(company.cik)
    assert found is not None  # noqa: S101 - it is the one that the index was made of
    return found
