"""Tables of a fictional report: rows of its source as the HTML that EDGAR's filing agents write.

A row is `label = key` (a figure a column), `label | cell | cell` or `label` alone. `>` before it sets it in, `*`
makes it a total, `#` a head of columns. `-key` prints what the line takes away in parentheses.
"""

import re
from collections.abc import Callable
from html import escape

from evals.sample.fictional.figures import Inconsistent, percent, printed
from evals.sample.fictional.inline import Inline

ROW = re.compile(r"([#>*]*)\s*(.*)")
TAGGED = re.compile(r"\{f (-?)([a-z0-9_]+)(?: (-\d))?\}")
CELL = re.compile(r"(\$)?\s*(.*?)\s*(\)?%|\))?$", re.DOTALL)
TR = "vertical-align:bottom"
RULE = ";border-top:1pt solid #000"
SHADE = ";background-color:#cceeff"


def table(how: str, rows: tuple[str, ...], inline: Inline, styled: Callable[[str], str]) -> str:
    """A table element.

    how: the columns, then optionally `| ` and the head above them. Columns: 3y and 2y years, 2b balances, change
    (two years, the change and its percent), free (the rows' own cells). styled: turns a text into markup.
    """
    columns, _, head = (part.strip() for part in how.partition("|"))
    year = inline.year
    count = {"change": 4, "free": 0}.get(columns, int(columns[0]) if columns[0].isdigit() else 0)
    made: list[str] = []
    if columns in {"2y", "3y", "change"}:
        names = [str(year - back) for back in range(2 if columns == "change" else count)]
        if head:
            made.append(_head([head], len(names)))
        made.append(_head([*names, "$ Change", "% Change"] if columns == "change" else names, 1))
    elif columns == "2b":
        ends = [inline.figures.balance_end(year - back) for back in range(2)]
        made.append(_head([f"{end:%B} {end.day}, {end.year}" for end in ends], 1))
    first = True
    shade = True
    for row in rows:
        match = ROW.fullmatch(row)
        marks, told = match.groups() if match else ("", row)
        if "#" in marks:
            made.append(_head([styled(cell.strip()) for cell in told.split("|")[1:]], 1, styled(told.split("|")[0])))
            continue
        total = "*" in marks
        label, is_line, key = told.rpartition(" = ")
        if is_line:
            cells = _cells(columns, key.strip(), inline, count)
            if (first or total) and inline.figures.line(key.strip().lstrip("-")).kind != "shares":
                cells = [
                    f"${cell}" if place < 3 and not cell.startswith("$") else cell for place, cell in enumerate(cells)
                ]
            first = False
        else:
            label, *cells = (cell.strip() for cell in told.split("|"))
            cells = [
                TAGGED.sub(lambda m: inline.line(m[2], year + int(m[3] or 0), bool(m[1])), cell) for cell in cells
            ]
            first = first and not cells
        made.append(_row(styled(label), cells, marks.count(">"), total, shade, count))
        shade = not shade
    return f'<table style="border-collapse:collapse;margin:0 auto;width:100%">{"".join(made)}</table>'


def _cells(columns: str, key: str, inline: Inline, count: int) -> list[str]:
    negated, key = key.startswith("-"), key.removeprefix("-")
    figures, year = inline.figures, inline.year
    if columns != "change":
        return [inline.line(key, year - back, negated) for back in range(count)]
    own, before = figures.value(key, year), figures.value(key, year - 1)
    change = own - before

    def shown(text: str, below: bool) -> str:
        return f"({text})" if below else text

    by = "n/m" if not before else shown(percent(change, before), change < 0) + "%"
    return [
        shown(printed(own), (own > 0) if negated else (own < 0)),
        shown(printed(before), (before > 0) if negated else (before < 0)),
        shown(printed(change), change < 0),
        by,
    ]


def _head(names: list[str], spans: int, label: str = "") -> str:
    cells = "".join(
        f'<td colspan="{3 * spans}" style="text-align:center;border-bottom:1pt solid #000">'
        f'<span style="font-size:8pt;font-weight:700">{name if "<" in name else escape(name, quote=False)}</span></td>'
        for name in names
    )
    named = f'<span style="font-size:8pt;font-weight:700">{label}</span>' if label else ""
    return f'<tr style="{TR}"><td>{named}</td>{cells}</tr>'


def _row(label: str, cells: list[str], indent: int, total: bool, shade: bool, count: int) -> str:
    pad = f' style="padding-left:{1 + 9 * indent}pt"' if indent else ""
    weight = f'<span style="font-weight:700">{label}</span>' if total else f"<span>{label}</span>"
    made = [f"<td{pad}>{weight}</td>"]
    if not cells and count:
        made.append(f'<td colspan="{3 * count}"></td>')
    for cell in cells:
        match = CELL.fullmatch(cell)
        if match is None:
            raise Inconsistent(f"Not a cell: {cell!r}.")
        sign, figure, after = match[1] or "", match[2], match[3] or ""
        words = re.sub(r"<[^>]*>", "", figure)
        if not re.search(r"\d|\u2014|^n/m$", words) or re.search(r"[A-Za-z]{3}|\d, [\d(]", words):
            made.append(f'<td colspan="3" style="padding-left:6pt"><span>{cell}</span></td>')
            continue
        rule = RULE if total else ""
        before = f'<td style="{rule[1:]}">{sign}</td><td' if sign else '<td colspan="2"'
        made.append(f'{before} style="text-align:right{rule}">{figure}</td><td>{after}</td>')
    return f'<tr style="{TR}{SHADE if shade else ""}">{"".join(made)}</tr>'
