"""Changes of an answer's table that are offered below it: follow-ups known to be answered."""

from agent.state import Answer
from agent.state.query import Query
from agent.state.question_words import Display
from agent.web.cards import answer_card
from agent.web.tables import charts
from agent.web.tables.table_card import TableCard
from filings.models import Filing

MOST = 4


def suggested_changes(answer: Answer) -> list[str]:
    """The follow-ups offered for an answer with one table: a chart, growth, or earlier years, where there are some."""
    query, tables = answer.plan.query, answer_card.tables(answer)
    if query is None or len(tables) != 1 or query.topics or not query.rows:
        return []
    (table,) = tables
    return [*_chart(query, table), *_growth(query, table), *_earlier(query, table)][:MOST]


def _chart(query: Query, table: TableCard) -> list[str]:
    lacks = table.chart is None and not table.statement and query.display is Display.TABLE
    return ["As a chart"] if lacks and (table.small or charts.of_rows(table.rows)) else []


def _is_plain(query: Query) -> bool:
    """Whether it asks for measures themselves, and for nothing that is made of them."""
    return all(row.measure.kind in {"concept", "metric", "line"} for row in query.rows if not row.mention)


def _growth(query: Query, table: TableCard) -> list[str]:
    """Growth, where the growth of a figure stands beside it."""
    grown = any(cell.measure.startswith("growth") and not cell.asked and cell.value for cell in table.table.cells)
    return ["Year over year"] if _is_plain(query) and grown and not query.interim else []


def _earlier(query: Query, table: TableCard) -> list[str]:
    """All years of which figures are held, where there are some before those shown."""
    shown = [cell.fiscal_year for cell in table.table.asserted if cell.fiscal_year]
    if query.interim or query.operations or query.own or not _is_plain(query) or not shown:
        return []
    ciks = [company.cik for company in query.companies]
    held = Filing.objects.with_figures(ciks)
    first = held.order_by("fiscal_year").values_list("fiscal_year", flat=True).first()
    return [f"Since {first}"] if first and first < min(shown) else []
