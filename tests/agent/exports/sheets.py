"""Workbooks read back as they were written: by their XML, so that nothing of a library stands between."""

import io
import re
import zipfile
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

NAMES = {
    "m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "p": "http://schemas.openxmlformats.org/package/2006/relationships",
}
ESCAPED = re.compile("_x([0-9A-F]{4})_")


@dataclass
class Sheet:
    """Cells by their reference: texts as str, numbers as float. links, remarks, formats: by reference as well."""

    cells: dict[str, str | float] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)
    quoted: set[str] = field(default_factory=set)
    frozen: tuple[int, int] = (0, 0)
    widths: dict[int, float] = field(default_factory=dict)
    formulas: dict[str, str] = field(default_factory=dict)
    charts: int = 0

    def rows(self) -> list[list[str | float]]:
        """The cells that are filled, row by row."""
        found: dict[int, list[str | float]] = {}
        for reference, value in self.cells.items():
            found.setdefault(int(re.sub(r"\D", "", reference)), []).append(value)
        return list(found.values())

    def texts(self) -> list[str]:
        return [value for value in self.cells.values() if isinstance(value, str)]

    def column(self, heading: str) -> list[str | float | None]:
        """What stands below a heading, in each row below it."""
        place = next(reference for reference, value in self.cells.items() if value == heading)
        letter, first = re.sub(r"\d", "", place), int(re.sub(r"\D", "", place))
        last = max(int(re.sub(r"\D", "", reference)) for reference in self.cells)
        return [self.cells.get(f"{letter}{row}") for row in range(first + 1, last + 1)]


def read(content: bytes) -> dict[str, Sheet]:
    """Name -> sheet, in their order."""
    book = zipfile.ZipFile(io.BytesIO(content))
    parts = {name: etree.fromstring(book.read(name)) for name in book.namelist() if name.endswith((".xml", ".rels"))}
    styles = parts["xl/styles.xml"]
    custom = {int(one.get("numFmtId")): one.get("formatCode") for one in styles.findall(".//m:numFmt", NAMES)}
    formats = styles.findall("m:cellXfs/m:xf", NAMES)
    names = [one.get("name") for one in parts["xl/workbook.xml"].findall(".//m:sheet", NAMES)]
    return {
        name: _sheet(parts, number, [(custom.get(int(one.get("numFmtId")), ""), one.get("quotePrefix")) for one in formats])
        for number, name in enumerate(names, start=1)
    }  # fmt: skip


def _sheet(parts: dict[str, Any], number: int, formats: list[tuple[str, str | None]]) -> Sheet:
    tree = parts[f"xl/worksheets/sheet{number}.xml"]
    found = Sheet(charts=sum("xl/charts/chart" in name for name in parts))
    for cell in tree.findall(".//m:c", NAMES):
        reference = cell.get("r")
        found.formats[reference], quoted = formats[int(cell.get("s", "0"))]
        if (formula := cell.findtext("m:f", namespaces=NAMES)) is not None:
            found.formulas[reference] = formula
        if quoted:
            found.quoted.add(reference)
        if cell.get("t") == "inlineStr":
            text = "".join(cell.find("m:is", NAMES).itertext())
            found.cells[reference] = ESCAPED.sub(lambda hit: chr(int(hit.group(1), 16)), text)
        elif cell.find("m:v", NAMES) is not None:
            found.raw[reference] = cell.findtext("m:v", namespaces=NAMES)
            found.cells[reference] = float(found.raw[reference])
    pane = tree.find(".//m:pane", NAMES)
    found.frozen = (int(pane.get("ySplit", "0")), int(pane.get("xSplit", "0"))) if pane is not None else (0, 0)
    for column in tree.findall(".//m:col", NAMES):
        for place in range(int(column.get("min")), int(column.get("max")) + 1):
            found.widths[place] = float(column.get("width"))
    beside = parts.get(f"xl/worksheets/_rels/sheet{number}.xml.rels")
    targets = {one.get("Id"): one.get("Target") for one in beside} if beside is not None else {}
    for link in tree.findall(".//m:hyperlink", NAMES):
        found.links[link.get("ref")] = link.get("location") or targets[link.get(f"{{{NAMES['r']}}}id")]
    comments = [target for target in targets.values() if "comments" in target]
    for one in parts[f"xl/{comments[0].removeprefix('../')}"].findall(".//m:comment", NAMES) if comments else ():
        found.remarks[one.get("ref")] = "".join(one.itertext())
    return found
