"""Finds a document's primary statements among its tables, by their tags."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from filings.document.inline.facts import Context, InlineFact
from filings.document.inline.tables import FactTable, Row, table_text

# Tags typical of each primary statement: enough to recognize it, not a chart of accounts.
INCOME = re.compile(
    r"""NetIncomeLoss|ProfitLoss|NetIncomeLossAvailableToCommonStockholders.*|IncomeTaxExpenseBenefit|OperatingIncomeLoss
    |IncomeLossFromContinuingOperations.*|EarningsPerShare.*|WeightedAverageNumber.*Outstanding.*|Revenues.*
    |RevenueFromContractWithCustomer.*|Sales.*Revenue.*|CostOf.*|CostsAndExpenses|OperatingExpenses|GrossProfit
    |SellingGeneralAndAdministrativeExpense|ResearchAndDevelopmentExpense.*|InterestExpense.*|InterestAndDividendIncome.*
    |InterestIncomeExpense.*|NoninterestIncome|NoninterestExpense|NonoperatingIncomeExpense|OtherNonoperatingIncomeExpense
    |BenefitsLossesAndExpenses|PremiumsEarnedNet.*|ProvisionForLoanLeaseAndOtherLosses""",
    re.VERBOSE,
)
NET_INCOME = re.compile(
    r"NetIncomeLoss(AvailableToCommon.*|AttributableTo.*)?|ProfitLoss|IncomeLossFromContinuingOperations"
)
RESULT = re.compile(
    r"IncomeTaxExpenseBenefit|IncomeLossFromContinuingOperationsBefore.*|EarningsPerShare.*|IncomeLossFromContinuingOperationsPer.*"
    r"|Revenues|RevenueFromContract.*|NoninterestExpense|OperatingIncomeLoss"
)
PER_SHARE = re.compile(r"EarningsPerShare.*|IncomeLossFromContinuingOperationsPer.*Share|NetIncomeLossPer.*Unit.*")
BALANCE = re.compile(
    r"Assets|LiabilitiesAndStockholdersEquity|Liabilities|AssetsCurrent|LiabilitiesCurrent|StockholdersEquity.*|Goodwill"
    r"|CashAndCashEquivalents.*|CashAndDueFromBanks|RetainedEarnings.*|AccountsPayable.*|Deposits|LongTermDebt.*|Common.*StockValue.*"
    r"|PropertyPlantAndEquipmentNet|MinorityInterest|AccumulatedOtherComprehensiveIncomeLossNetOfTax|OtherAssets.*|OtherLiabilities.*"
)
OPERATING = re.compile(r"NetCashProvidedByUsedInOperatingActivities.*")
OTHER_FLOWS = re.compile(r"NetCashProvidedByUsedIn(Investing|Financing)Activities.*")
CASHFLOW = re.compile(
    r"NetCashProvidedByUsedIn.*|PaymentsTo.*|PaymentsFor.*|PaymentsOf.*|ProceedsFrom.*|RepaymentsOf.*|IncreaseDecrease.*"
    r"|Depreciation.*|ShareBasedCompensation|DeferredIncomeTax.*|Cash.*PeriodIncreaseDecrease.*|NetIncomeLoss|ProfitLoss"
    r"|CashCashEquivalentsRestrictedCash.*|InterestPaid.*|IncomeTaxesPaid.*"
)
COMPREHENSIVE = re.compile(r"ComprehensiveIncomeNetOfTax.*")
OTHER_COMPREHENSIVE = re.compile(r"OtherComprehensiveIncome.*")
EQUITY_AXIS = "StatementEquityComponentsAxis"
EQUITY_TOTAL = re.compile(r"StockholdersEquity.*|PartnersCapital.*|MembersEquity")
RETAINED = re.compile(r"RetainedEarnings.*Member|AccumulatedDeficit.*Member")
CAPITAL = re.compile(r"(AdditionalPaidIn|Common|CapitalStock|TreasuryStock).*Member")

TITLES = {
    "income": re.compile(r"\b(income|operations|earnings|loss)\b", re.IGNORECASE),
    "comprehensive": re.compile(r"\bcomprehensive\b", re.IGNORECASE),
    "balance": re.compile(r"\b(balance sheets?|financial (condition|position))\b", re.IGNORECASE),
    "cashflow": re.compile(r"\bcash\s?flows?\b", re.IGNORECASE),
    "equity": re.compile(r"\b(equity|deficit|capital|investment|net worth)\b", re.IGNORECASE),
}
HEADING = re.compile(r"\b(statements?|balance sheets?|consolidated)\b", re.IGNORECASE)
NOT_TITLE = re.compile(
    r"\b(accompanying|notes? to|see |index|item \d|report of|table of contents|amounts in|in millions)\b",
    re.IGNORECASE,
)
PARENTHETICAL = re.compile(r"parenthetical", re.IGNORECASE)
# Tables with figures between two statements of one report: continuations and parenthetical pages.
NEAR = 6


@dataclass(frozen=True, slots=True)
class FaceTable:
    """A statement as found: one table, or several that continue each other, with its printed title."""

    kind: str
    title: str
    tables: tuple[FactTable, ...]
    rows: tuple[Row, ...]
    parenthetical: tuple[Row, ...] = ()


def find_faces(tables: Sequence[FactTable], report: Context) -> list[FaceTable]:
    """The primary statements among the tables; of each kind the one with most typical tags, the earliest of equals.

    report: the cover's fiscal year. Only figures of the whole company for that year or its end count, so that
    parent-only, segment, quarterly and pro forma tables cannot win.
    """
    own = {table.position: _own_tags(table, report) for table in tables}
    faces: list[FaceTable] = []
    taken: set[int] = set()
    for kind, score in SCORES.items():
        scores = {table.position: score(own[table.position], table) for table in tables}
        fit = [table for table in tables if scores[table.position] > 0 and _is_free(kind, table, taken)]
        if kind == "equity" and taken:
            # Without a statement of equity, a note on it must not replace it: statements are printed together.
            near = {other + step for other in taken for step in range(-NEAR, NEAR + 1)}
            fit = [table for table in fit if table.position in near]
        if not fit:
            continue
        titled = {table.position: bool(title_above(kind, table)) for table in fit}
        if kind == "comprehensive":
            # Notes repeat its lines with more detail: the statement is the one next to the income statement.
            near = next((face.tables[-1].position for face in faces if face.kind == "income"), 0)
            best = min(fit, key=lambda table: (abs(table.position - near), not titled[table.position], table.position))
        else:
            best = max(fit, key=lambda table: (scores[table.position] + 3 * titled[table.position], -table.position))
        group = _with_continuations(kind, best, tables, own, taken)
        rows = [row for table in group for row in table.rows]
        if kind == "comprehensive" and best.position in taken:
            rows = _comprehensive_part(rows)
        taken |= {table.position for table in group}
        beside = _parenthetical(group[-1], tables, taken)
        faces.append(FaceTable(kind, title_above(kind, group[0]), tuple(group), tuple(rows), tuple(beside)))
    return faces


def _is_free(kind: str, table: FactTable, taken: set[int]) -> bool:
    """Whether a table may be of the kind: one statement may be both income and comprehensive income."""
    return kind == "comprehensive" or table.position not in taken


def _own_tags(table: FactTable, report: Context) -> Counter[str]:
    """Local names of the table's facts without dimensions for the fiscal year or at its end."""
    return Counter(
        fact.tag
        for fact in table.facts
        if not fact.context.axes
        and fact.context.end == report.end
        and (fact.context.is_instant or fact.context.is_annual or fact.context.start == report.start)
    )


def _matches(tags: Iterable[str], pattern: re.Pattern[str]) -> int:
    return sum(1 for tag in tags if pattern.fullmatch(tag))


def _income(tags: Counter[str], table: FactTable) -> int:
    if _matches(tags, OPERATING) or "Assets" in tags or not _matches(tags, NET_INCOME) or not _matches(tags, RESULT):
        return 0
    score = _matches(tags, INCOME)
    # Earnings per share are on the statement; a segment note with a complete income statement lacks them.
    return score + 5 * bool(_matches(tags, PER_SHARE)) if score >= 4 else 0


def _balance(tags: Counter[str], table: FactTable) -> int:
    totals = ("Assets" in tags) + ("LiabilitiesAndStockholdersEquity" in tags)
    score = _matches(tags, BALANCE)
    return 10 * totals + score if totals and score >= 3 else 0


def _cashflow(tags: Counter[str], table: FactTable) -> int:
    if not _matches(tags, OPERATING):
        return 0
    score = _matches(tags, CASHFLOW)
    return score + 5 * _matches(tags, OTHER_FLOWS) if score >= 3 else 0


def _comprehensive(tags: Counter[str], table: FactTable) -> int:
    parts = _matches(tags, OTHER_COMPREHENSIVE)
    if not parts or not _matches(tags, COMPREHENSIVE) or _equity(tags, table):
        return 0
    return _matches(tags, COMPREHENSIVE) + parts


def _equity(tags: Counter[str], table: FactTable) -> int:
    if not any(EQUITY_TOTAL.fullmatch(fact.tag) for fact in table.facts):
        return 0
    members = [
        member
        for fact in table.facts
        for axis, member in fact.context.axes
        if axis == EQUITY_AXIS and len(fact.context.axes) == 1
    ]
    kinds = any(map(RETAINED.fullmatch, members)), any(map(CAPITAL.fullmatch, members))
    return len(members) if all(kinds) else 0


SCORES: dict[str, Callable[[Counter[str], FactTable], int]] = {
    "balance": _balance,
    "income": _income,
    "cashflow": _cashflow,
    "equity": _equity,
    "comprehensive": _comprehensive,
}


def _comprehensive_part(rows: Sequence[Row]) -> list[Row]:
    """The lines of other comprehensive income in a combined statement, down to the total."""
    numbers = [
        number
        for number, row in enumerate(rows)
        if any(OTHER_COMPREHENSIVE.fullmatch(fact.tag) or COMPREHENSIVE.fullmatch(fact.tag) for fact in row.facts)
    ]
    return list(rows[numbers[0] : numbers[-1] + 1]) if numbers else []


def _parenthetical(last: FactTable, tables: Sequence[FactTable], taken: set[int]) -> list[Row]:
    """The rows of the parenthetical page after a statement: par values, share counts, allowances."""
    position = last.position + 1
    if position == len(tables) or position in taken:
        return []
    text = (*tables[position].above[:4], *table_text(tables[position].element)[:2])
    return tables[position].rows if any(PARENTHETICAL.search(block) for block in text) else []


def _with_continuations(
    kind: str, best: FactTable, tables: Sequence[FactTable], own: dict[int, Counter[str]], taken: set[int]
) -> list[FactTable]:
    """The table with the adjacent tables that continue the same statement."""
    found: dict[int, list[FactTable]] = {-1: [], 1: []}
    for step in found:
        position = best.position + step
        while 0 <= position < len(tables):
            table = tables[position]
            if position in taken or not _continues(kind, table, tables[position - step], step, own[position]):
                break
            found[step].append(table)
            position += step
    return [*reversed(found[-1]), best, *found[1]]


def _continues(kind: str, table: FactTable, beside: FactTable, step: int, tags: Counter[str]) -> bool:
    """Whether an adjacent table belongs to a statement: only a heading of its own kind is between them."""
    below = beside if step < 0 else table
    between = below.above
    if any(score(tags, table) for other, score in SCORES.items() if other != kind):
        return False
    text = " ".join((*between, *table_text(below.element)[:2]))
    if PARENTHETICAL.search(text):
        return False
    repeated = bool(title_above(kind, below))
    if sum(map(len, between)) > (1500 if repeated else 400):
        return False
    if not repeated and HEADING.search(text) and any(pattern.search(text) for pattern in TITLES.values()):
        return False
    if kind == "equity":
        return any(axis == EQUITY_AXIS for fact in table.facts for axis, _ in fact.context.axes)
    return bool(tags) and not any(fact.context.axes for fact in table.facts)


def title_above(kind: str, table: FactTable) -> str:
    """The statement's title as printed above the table or in its first rows; empty where none is found."""
    for text in (*table.above, *table_text(table.element)):
        if len(text) <= 160 and TITLES[kind].search(text) and HEADING.search(text) and not NOT_TITLE.search(text):
            return text
    return ""


def period_of(facts: Iterable[InlineFact], stated: date | None) -> Context | None:
    """The fiscal year of a report without a cover: the latest with a fifth of the most frequent year's facts.

    stated: the period end, where it is known.
    """
    annual = Counter(fact.context for fact in facts if not fact.context.axes and fact.context.is_annual)
    enough = max(annual.values(), default=0) * 0.2
    fit = [context for context, count in annual.items() if count >= enough and stated in (None, context.end)]
    return max(fit, key=lambda context: (context.end, annual[context]), default=None)
