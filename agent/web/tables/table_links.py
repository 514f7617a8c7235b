"""Links to the same table made otherwise: companies aligned otherwise, other reports, a statement in another form or over other periods."""

from dataclasses import dataclass

from agent.numbers.registry import registry as registry_file
from agent.numbers.registry.concept import WHOLES
from agent.query.wording.answer_form import OTHER_ALIGNMENT, OTHER_BASIS, Choice
from agent.refusals import query_text
from agent.state import Query
from agent.state.query import Alignment, Basis, Last, Row, Statement, Years, interim
from agent.state.tables import Table
from agent.web.tables.verified_tables import ref_of
from filings.models import Company, StatementKind

YEARS, QUARTERS = Last(count=5), Last(count=8, quarters=True)
FORMS = {"": "Amounts", "common_size": "Common size", "growth": "Growth"}

LABELS: dict[Choice, str] = {
    Alignment.FISCAL: "Show each company's own fiscal periods",
    Alignment.CALENDAR: "Align by calendar",
    Basis.FIRST: "Show as first reported",
    Basis.LAST: "Show as last reported",
}


@dataclass(frozen=True)
class StatementLink:
    """What a link shows, and the question behind it."""

    label: str
    question: str


def statement_links(query: Query | None) -> tuple[StatementLink, ...]:
    """The other forms and periods of the one statement that a query asks for; empty for anything else."""
    rows = query.rows if query else ()
    measure = rows[0].measure if len(rows) == 1 else None
    if query is None or not isinstance(measure, Statement) or query.own:
        return ()
    forms = [form for form in FORMS if form != "common_size" or measure.statement in WHOLES]
    links = [
        _link(FORMS[form], query, measure.model_copy(update={"form": form})) for form in forms if form != measure.form
    ]
    quarterly = interim(query.periods)
    if quarterly or (isinstance(query.periods, Years) and len(query.periods.periods) == 1):
        links.append(_link("Five years", query.model_copy(update={"periods": YEARS}), measure))
    if not quarterly and measure.statement != "equity":
        links.append(_link("Quarterly", query.model_copy(update={"periods": QUARTERS}), measure))
    return tuple(links)


def of_company(company: Company, kind: StatementKind) -> tuple[StatementLink, ...]:
    """The forms of a company's statement over five years, and its quarters; empty for a kind that no question names."""
    if kind is StatementKind.COVER:
        return ()
    measure = Statement.model_validate({"statement": str(kind)})
    query = Query(companies=(ref_of(company),), periods=YEARS, rows=(Row(measure=measure),))
    return (_link("Five years", query, measure), *statement_links(query))


def _link(label: str, query: Query, measure: Statement) -> StatementLink:
    asked = query.model_copy(update={"rows": (query.rows[0].model_copy(update={"measure": measure}),)})
    return StatementLink(label, query_text.question(asked, registry_file.load()))


def other_choices(table: Table) -> tuple[Choice, ...]:
    """What can be chosen in place of what a table is, where it would differ."""
    found: list[Choice] = []
    if table.aligned:
        found.append(OTHER_ALIGNMENT[table.aligned])
    if table.basis:
        found.append(OTHER_BASIS[table.basis])
    return tuple(found)
