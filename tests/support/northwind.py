"""Annual reports of a fictional company, Northwind Lanterns, as inline XBRL: built here, read by the tests.

`annual_report()` is a whole document; each statement is a string of its own, so that a test can leave one out, put
another before it or print it in two tables. Figures are in millions unless a cell says otherwise.
"""

from collections.abc import Iterable

NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"' if prefix else f'xmlns="{uri}"'
    for prefix, uri in {
        "": "http://www.w3.org/1999/xhtml",
        "ix": "http://www.xbrl.org/2013/inlineXBRL",
        "ixt": "http://www.xbrl.org/inlineXBRL/transformation/2020-02-12",
        "ixt-sec": "http://www.sec.gov/inlineXBRL/transformation/2015-08-31",
        "xbrli": "http://www.xbrl.org/2003/instance",
        "xbrldi": "http://xbrl.org/2006/xbrldi",
        "xsi": "http://www.w3.org/2001/XMLSchema-instance",
        "dei": "http://xbrl.sec.gov/dei/2024",
        "us-gaap": "http://fasb.org/us-gaap/2024",
        "srt": "http://fasb.org/srt/2024",
        "nwl": "http://northwind.example/20241231",
    }.items()
)

EQUITY_AXIS = "us-gaap:StatementEquityComponentsAxis"
# id -> (start or "", end, {axis: member}); an instant has no start.
CONTEXTS: dict[str, tuple[str, str, dict[str, str]]] = {
    "fy": ("2024-01-01", "2024-12-31", {}),
    "py": ("2023-01-01", "2023-12-31", {}),
    "q4": ("2024-10-01", "2024-12-31", {}),
    "end": ("", "2024-12-31", {}),
    "before": ("", "2023-12-31", {}),
    "cover": ("", "2025-02-07", {}),
    "june": ("", "2024-06-28", {}),
    "class_a": ("", "2025-02-07", {"us-gaap:StatementClassOfStockAxis": "us-gaap:CommonClassAMember"}),
    "lamps": ("2024-01-01", "2024-12-31", {"srt:ProductOrServiceAxis": "nwl:LampsMember"}),
    "repairs": ("2024-01-01", "2024-12-31", {"srt:ProductOrServiceAxis": "nwl:RepairsMember"}),
    "parent": ("2024-01-01", "2024-12-31", {"srt:ConsolidatedEntitiesAxis": "srt:ParentCompanyMember"}),
    "parent_end": ("", "2024-12-31", {"srt:ConsolidatedEntitiesAxis": "srt:ParentCompanyMember"}),
    "stock_before": ("", "2023-12-31", {EQUITY_AXIS: "us-gaap:CommonStockMember"}),
    "retained_before": ("", "2023-12-31", {EQUITY_AXIS: "us-gaap:RetainedEarningsMember"}),
    "retained": ("2024-01-01", "2024-12-31", {EQUITY_AXIS: "us-gaap:RetainedEarningsMember"}),
    "stock_end": ("", "2024-12-31", {EQUITY_AXIS: "us-gaap:CommonStockMember"}),
    "retained_end": ("", "2024-12-31", {EQUITY_AXIS: "us-gaap:RetainedEarningsMember"}),
}
UNITS = {
    "usd": "<xbrli:measure>iso4217:USD</xbrli:measure>",
    "shares": "<xbrli:measure>xbrli:shares</xbrli:measure>",
    "pure": "<xbrli:measure>xbrli:pure</xbrli:measure>",
    "usdPerShare": (
        "<xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator>"
        "<xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide>"
    ),
}


def context(key: str, start: str, end: str, axes: dict[str, str]) -> str:
    """An xbrli:context."""
    members = "".join(
        f'<xbrldi:explicitMember dimension="{axis}">{m}</xbrldi:explicitMember>' for axis, m in axes.items()
    )
    segment = f"<xbrli:segment>{members}</xbrli:segment>" if members else ""
    period = (
        f"<xbrli:startDate>{start}</xbrli:startDate><xbrli:endDate>{end}</xbrli:endDate>"
        if start
        else f"<xbrli:instant>{end}</xbrli:instant>"
    )
    entity = f'<xbrli:identifier scheme="http://www.sec.gov/CIK">0009999999</xbrli:identifier>{segment}'
    return (
        f'<xbrli:context id="{key}"><xbrli:entity>{entity}</xbrli:entity>'
        f"<xbrli:period>{period}</xbrli:period></xbrli:context>"
    )


def fact(name: str, printed: str, where: str = "fy", **attributes: str) -> str:
    """A tagged figure: millions of US dollars, decimals -6, unless attributes say otherwise.

    A figure printed as "(12)" keeps its parentheses outside the tag and is negative; `sign=""` makes it positive.
    """
    negative = printed.startswith("(") and printed.endswith(")")
    told = {
        "unitRef": "usd",
        "scale": "6",
        "decimals": "-6",
        "format": "ixt:num-dot-decimal",
        "id": f"f-{name.partition(':')[2]}-{where}",
        **({"sign": "-"} if negative else {}),
        **attributes,
    }
    text = " ".join(f'{key.replace("_", ":")}="{value}"' for key, value in told.items() if value)
    digits = printed.strip("()") if negative else printed
    tagged = f'<ix:nonFraction name="{name}" contextRef="{where}" {text}>{digits}</ix:nonFraction>'
    return f"({tagged})" if negative else tagged


def per_share(name: str, printed: str, where: str = "fy") -> str:
    return fact(name, printed, where, unitRef="usdPerShare", scale="0", decimals="2")


def shares(name: str, printed: str, where: str = "fy") -> str:
    return fact(name, printed, where, unitRef="shares", scale="6", decimals="-5")


def row(label: str, *cells: str, indent: int = 0) -> str:
    """A table row with a label and cells; each figure stands between a currency cell and an empty one."""
    style = f' style="padding:2px 1pt 2px {1 + 9 * indent}pt"' if indent else ' style="padding:2px 1pt"'
    printed = "".join(f"<td>$</td><td>{cell}</td><td></td>" for cell in cells)
    return f"<tr><td{style}>{label}</td>{printed}</tr>"


def line(
    label: str, name: str, *printed: str, where: Iterable[str] = ("fy", "py"), indent: int = 0, **told: str
) -> str:
    """A row with one tag, a figure a period."""
    cells = [fact(name, figure, when, **told) for figure, when in zip(printed, where, strict=False)]
    return row(label, *cells, indent=indent)


def table(*rows: str) -> str:
    return f"<div><table>{''.join(rows)}</table></div>"


def heading(text: str) -> str:
    return f'<div><span style="font-weight:700">{text}</span></div>'


DATES = row("", "2024", "2023")
BALANCES = ("end", "before")

COVER = (
    "<div>FORM 10-K. For the fiscal year ended "
    '<ix:nonNumeric name="dei:DocumentPeriodEndDate" contextRef="fy" format="ixt:date-monthname-day-year-en" id="c-1">'
    "December 31, 2024</ix:nonNumeric>. "
    '<ix:nonNumeric name="dei:EntityRegistrantName" contextRef="fy" id="c-2">Northwind &amp; Sons Lanterns, Inc.'
    "</ix:nonNumeric>, a corporation of "
    '<ix:nonNumeric name="dei:EntityIncorporationStateCountryCode" contextRef="fy" format="ixt-sec:stateprovnameen" '
    'id="c-3">Vermont</ix:nonNumeric>. Shell company: '
    '<ix:nonNumeric name="dei:EntityShellCompany" contextRef="fy" format="ixt-sec:boolballotbox" id="c-4">&#9744;'
    "</ix:nonNumeric>. Held by others: $"
    + fact("dei:EntityPublicFloat", "8,400", "june", decimals="-8")
    + " million. Outstanding: "
    + fact("dei:EntityCommonStockSharesOutstanding", "121,450,300", "cover", unitRef="shares", scale="0", decimals="0")
    + " shares, of which Class A "
    + fact("dei:EntityCommonStockSharesOutstanding", "100,000,000", "class_a", unitRef="shares", scale="0")
    + ". Audited by "
    '<ix:nonNumeric name="dei:AuditorName" contextRef="fy" id="c-5">Fjord &amp; Partner LLP</ix:nonNumeric>.</div>'
)
HIDDEN = (
    '<ix:nonNumeric name="dei:DocumentType" contextRef="fy" id="h-1">10-K</ix:nonNumeric>'
    '<ix:nonNumeric name="dei:DocumentFiscalYearFocus" contextRef="fy" id="h-2">2024</ix:nonNumeric>'
)

INCOME_ROWS = (
    DATES,
    row("Revenue:"),
    row("Lamps", fact("us-gaap:Revenues", "700", "lamps"), indent=1),
    row("Repairs", fact("us-gaap:Revenues", "300", "repairs"), indent=1),
    line("Total revenue", "us-gaap:Revenues", "1,000", "900"),
    line("Cost of revenue (1)", "us-gaap:CostOfRevenue", "600", "560"),
    line("Gross profit", "us-gaap:GrossProfit", "400", "340"),
    row("Operating expenses:"),
    line("Research and development", "us-gaap:ResearchAndDevelopmentExpense", "120", "110", indent=1),
    line("Lighthouse upkeep", "nwl:LighthouseUpkeepExpense", "30", "28", indent=1),
    line("Total operating expenses", "us-gaap:OperatingExpenses", "150", "138", indent=1),
    line("Operating income", "us-gaap:OperatingIncomeLoss", "250", "202"),
    line("Interest expense", "us-gaap:InterestExpense", "(20)", "(18)", sign=""),
    line("Provision for income taxes", "us-gaap:IncomeTaxExpenseBenefit", "46", "37"),
    line("Net income", "us-gaap:NetIncomeLoss", "184", "147"),
)
PER_SHARE_ROWS = (
    row("Earnings per share:"),
    row(
        "Basic",
        per_share("us-gaap:EarningsPerShareBasic", "1.53"),
        per_share("us-gaap:EarningsPerShareBasic", "1.20", "py"),
        indent=1,
    ),
    row(
        "Diluted",
        per_share("us-gaap:EarningsPerShareDiluted", "1.50"),
        per_share("us-gaap:EarningsPerShareDiluted", "1.18", "py"),
        indent=1,
    ),
    row("Shares used in the computation:"),
    row("Basic", shares("us-gaap:WeightedAverageNumberOfSharesOutstandingBasic", "120.3"), indent=1),
)
COMPREHENSIVE_ROWS = (
    line("Net income", "us-gaap:NetIncomeLoss", "184", "147"),
    line("Currency translation", "us-gaap:OtherComprehensiveIncomeLossForeignCurrencyTransactionAndTranslation"
         "AdjustmentNetOfTax", "(4)", "2"),
    line("Comprehensive income", "us-gaap:ComprehensiveIncomeNetOfTax", "180", "149"),
)  # fmt: skip
ASSETS_ROWS = (
    DATES,
    row("Current assets:"),
    line("Cash and cash equivalents", "us-gaap:CashAndCashEquivalentsAtCarryingValue", "210", "160", where=BALANCES, indent=1),
    line(
        f"Receivables, net of allowance of ${fact('us-gaap:AllowanceForDoubtfulAccountsReceivableCurrent', '3', 'end')}",
        "us-gaap:AccountsReceivableNetCurrent", "90", "80", where=BALANCES, indent=1,
    ),
    line("Total current assets", "us-gaap:AssetsCurrent", "300", "240", where=BALANCES, indent=1),
    line("Property and equipment, net (Note 4)", "us-gaap:PropertyPlantAndEquipmentNet", "500", "480", where=BALANCES),
    line("Total assets", "us-gaap:Assets", "800", "720", where=BALANCES),
)  # fmt: skip
LIABILITIES_ROWS = (
    line("Accounts payable", "us-gaap:AccountsPayableCurrent", "70", "65", where=BALANCES),
    line("Long-term debt", "us-gaap:LongTermDebtNoncurrent", "230", "235", where=BALANCES),
    line("Total liabilities", "us-gaap:Liabilities", "300", "300", where=BALANCES),
    line("Retained earnings", "us-gaap:RetainedEarningsAccumulatedDeficit", "380", "300", where=BALANCES),
    line("Total stockholders&#8217; equity", "us-gaap:StockholdersEquity", "500", "420", where=BALANCES),
    line("Total liabilities and equity", "us-gaap:LiabilitiesAndStockholdersEquity", "800", "720", where=BALANCES),
)
CASH_ROWS = (
    DATES,
    row("Operating activities:"),
    line("Net income", "us-gaap:NetIncomeLoss", "184", "147", indent=1),
    line("Depreciation", "us-gaap:Depreciation", "60", "58", indent=1),
    line("Cash from operating activities", "us-gaap:NetCashProvidedByUsedInOperatingActivities", "240", "200", indent=1),
    row("Investing activities:"),
    line("Purchases of equipment", "us-gaap:PaymentsToAcquirePropertyPlantAndEquipment", "(80)", "(75)", sign="", indent=1),
    line("Cash used in investing activities", "us-gaap:NetCashProvidedByUsedInInvestingActivities", "(80)", "(75)", indent=1),
)  # fmt: skip
CASH_REST_ROWS = (
    row("Financing activities:"),
    line("Dividends paid", "us-gaap:PaymentsOfDividends", "(110)", "(90)", sign="", indent=1),
    line("Cash used in financing activities", "us-gaap:NetCashProvidedByUsedInFinancingActivities", "(110)", "(90)", indent=1),
    row("Cash, beginning of year", fact("us-gaap:CashAndCashEquivalentsAtCarryingValue", "160", "before")),
    row("Cash, end of year", fact("us-gaap:CashAndCashEquivalentsAtCarryingValue", "210", "end")),
)  # fmt: skip
EQUITY_ROWS = (
    row(
        "Balance, December 31, 2023",
        fact("us-gaap:StockholdersEquity", "120", "stock_before"),
        fact("us-gaap:StockholdersEquity", "300", "retained_before"),
        fact("us-gaap:StockholdersEquity", "420", "before"),
    ),
    row("Net income", "", fact("us-gaap:NetIncomeLoss", "184", "retained"), fact("us-gaap:NetIncomeLoss", "184")),
    row("Dividends", "", fact("us-gaap:DividendsCommonStock", "(104)", "retained", sign="")),
    row(
        "Balance, December 31, 2024",
        fact("us-gaap:StockholdersEquity", "120", "stock_end"),
        fact("us-gaap:StockholdersEquity", "380", "retained_end"),
        fact("us-gaap:StockholdersEquity", "500", "end"),
    ),
)

INCOME = heading("CONSOLIDATED STATEMENTS OF INCOME") + table(*INCOME_ROWS, *PER_SHARE_ROWS)
COMPREHENSIVE = heading("CONSOLIDATED STATEMENTS OF COMPREHENSIVE INCOME") + table(DATES, *COMPREHENSIVE_ROWS)
BALANCE = heading("CONSOLIDATED BALANCE SHEETS") + table(*ASSETS_ROWS, *LIABILITIES_ROWS)
CASH_FLOWS = heading("CONSOLIDATED STATEMENTS OF CASH FLOWS") + table(*CASH_ROWS, *CASH_REST_ROWS)
EQUITY = heading("CONSOLIDATED STATEMENTS OF STOCKHOLDERS&#8217; EQUITY") + table(*EQUITY_ROWS)
STATEMENTS = (INCOME, COMPREHENSIVE, BALANCE, CASH_FLOWS, EQUITY)
PROSE = "<div>" + "The lamps of Northwind burn whale-free oil and need little care. " * 40 + "</div>"
NOTES = (
    PROSE
    + heading("Note 7: Receivables")
    + table(line("Receivables, gross", "us-gaap:AccountsReceivableGrossCurrent", "93", "83", where=BALANCES))
)


def document(
    *body: str, hidden: str = HIDDEN, contexts: dict[str, tuple[str, str, dict[str, str]]] | None = None
) -> bytes:
    """An inline XBRL document with these parts in its body."""
    declared = "".join(context(key, *told) for key, told in (contexts or CONTEXTS).items())
    units = "".join(f'<xbrli:unit id="{key}">{measure}</xbrli:unit>' for key, measure in UNITS.items())
    header = (
        f'<div style="display:none"><ix:header><ix:hidden>{hidden}</ix:hidden>'
        f"<ix:resources>{declared}{units}</ix:resources></ix:header></div>"
    )
    return (
        f"<?xml version='1.0' encoding='UTF-8'?>\n<html {NAMESPACES}><head><title>nwl-20241231</title></head>"
        f"<body>{header}{''.join(body)}</body></html>"
    ).encode()


def annual_report(*before: str, after: Iterable[str] = (NOTES,)) -> bytes:
    """The whole report: cover, `before`, the statements, `after`."""
    return document(COVER, *before, *STATEMENTS, *after)
