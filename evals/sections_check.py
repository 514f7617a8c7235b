"""Sections against the documents' own tables of contents.

    manage.py sections --jsonl --mirror ../shared/edgar | python -m evals.sections_check ../shared/edgar

Shares nothing with the code it checks. An Item's place is where the link of the table of contents leads, up to where
the next link leads; texts are compared by their letters and digits alone. An Item is right when its first characters
stand at its own place and its last ones at the end of it; it is mislabelled when its beginning stands in another
Item's place. Items the table of contents does not reach (no links, a cross-reference index, a stub that points
elsewhere) are listed apart, to be looked at by eye: `evals/reports/sections.md` records what was seen.
"""

import csv
import json
import lzma
import re
import sys
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lxml import etree, html

from diligence.statistics import Share

CORE = ("1", "1A", "7", "8")
NUMBER = re.compile(r"items?\s*(\d{1,2}[abc]?)\b", re.IGNORECASE)
TITLES = {
    "1": r"business",
    "1A": r"risk factors",
    "1B": r"unresolved staff comments",
    "1C": r"cybersecurity",
    "2": r"properties",
    "3": r"legal proceedings",
    "4": r"mine safety disclosures?",
    "5": r"market for (the )?(registrant|company|our|\w+).{0,3}s? common .*",
    "6": r"(selected (consolidated )?financial data.*|\[?\(?reserved\)?\]?)",
    "7": r"management.{0,3}s discussion and analysis of .*",
    "7A": r"quantitative and qualitative disclosures? about market risks?",
    "8": r"(consolidated )?financial statements and supplementary data",
    "9": r"changes in and disagreements with accountants.*",
    "9A": r"controls and procedures",
    "9B": r"other information",
    "9C": r"disclosures? regarding foreign jurisdictions.*",
    "10": r"directors,? executive officers,? and corporate governance",
    "11": r"executive compensation",
    "12": r"security ownership of certain .*",
    "13": r"certain relationships and .*",
    "14": r"principal account(ant|ing) fees and services",
    "15": r"exhibits?,?( and)? financial statement schedules?",
    "16": r"form 10.k summary",
}
NEAR, PROBE = 2500, 60  # letters and digits: how far from a link's target a heading may be, and how many are compared
STUB = 2000  # an Item shorter than this in its own place refers elsewhere


@dataclass
class Place:
    start: int
    end: int


@dataclass
class Contents:
    """A document's letters and digits, and the position of each Item by its table of contents."""

    letters: str
    places: dict[str, Place] = field(default_factory=dict)

    def owner(self, position: int) -> str:
        """The Item at a character's position; empty for none."""
        return next((item for item, one in self.places.items() if one.start <= position < one.end), "")


def fold(text: str) -> str:
    """Letters and digits of a text, lower case."""
    return "".join(re.findall(r"[a-z0-9]+", unicodedata.normalize("NFKC", text).lower()))


def contents(
    document: bytes, item_of: "Callable[[etree._Element], tuple[str, etree._Element]] | None" = None
) -> Contents:
    """Read a document's table of contents and follow its links. item_of: the Item of a link; by default a 10-K's."""
    item_of = item_of or annual_item
    root = html.document_fromstring(document, parser=html.HTMLParser(huge_tree=True))
    marks: dict[str, int] = {}
    parts: list[str] = []
    length = 0
    hidden = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment")):
        if event == "comment":
            texts = [element.tail] if not hidden else []
        elif event == "start":
            for name in (element.get("id"), element.get("name")):
                if name:
                    marks.setdefault(name, length)
            if is_hidden(element):
                hidden += 1
            texts = [element.text] if not hidden else []
        else:
            if is_hidden(element):
                hidden -= 1
            texts = [element.tail] if not hidden else []
        for text in texts:
            if text:
                parts.append(fold(text))
                length += len(parts[-1])
    targets: dict[str, Counter[str]] = {}
    rows: dict[str, etree._Element] = {}
    bounds: set[int] = set()
    for link in root.iter("a"):
        target = (link.get("href") or "")[1:]
        if not (link.get("href") or "").startswith("#") or target not in marks:
            continue
        item, row = item_of(link)
        # Several links are in one row of the table, and not all lead to the right place.
        if item and rows.setdefault(item, row) is row:
            targets.setdefault(item, Counter())[target] += 1
        if re.search(r"\b(part [iv]+|signatures?|index to|exhibit index)\b", " ".join(link.itertext()).lower()):
            bounds.add(marks[target])
    found = {item: counted.most_common(1)[0][0] for item, counted in targets.items()}
    bounds |= {marks[target] for target in found.values()}
    ordered = sorted(bounds)
    result = Contents("".join(parts))
    for item, target in found.items():
        start = marks[target]
        after = bisect_right(ordered, start)
        result.places[item] = Place(start, ordered[after] if after < len(ordered) else len(result.letters))
    return result


def is_hidden(element: etree._Element) -> bool:
    tag = element.tag if isinstance(element.tag, str) else ""
    return (
        tag in {"script", "style", "title"}
        or tag.endswith("header")
        or "display:none" in ((element.get("style") or "").replace(" ", "").lower())
    )


def annual_item(link: etree._Element) -> tuple[str, etree._Element]:
    """The Item of a link in the table of contents, by number in its row or by title; and the row."""
    row = next((one for one in link.iterancestors("tr")), link)
    line = " ".join(" ".join(row.itertext()).split())
    if match := NUMBER.match(line):
        return match[1].upper(), row
    words = re.sub(r"[\s.\u2026]*\d*$", "", " ".join(" ".join(link.itertext()).split())).strip(" .").lower()
    return next((item for item, title in TITLES.items() if re.fullmatch(title, words)), ""), row


@dataclass(frozen=True)
class Finding:
    """The result for one Item of one filing."""

    accession: str
    item: str
    verdict: str  # right, pointed, mislabelled, wrong start, wrong end, missing, stub, no contents
    note: str = ""


def check(
    accession: str,
    told: dict[str, dict[str, str]],
    read: Contents,
    items: Collection[str] = TITLES.keys(),
    core: Collection[str] = CORE,
) -> Iterator[Finding]:
    """Each Item marked as extracted, and each core Item that the document has."""
    for item in items:
        row, place = told.get(item), read.places.get(item)
        extracted = row is not None and row["status"] == "extracted"
        if place is None:
            if extracted and (item in core):
                yield Finding(accession, item, "no contents", row["first"][:60] if row else "")
            continue
        stub = place.end - place.start < STUB
        if not extracted or row is None:
            if item in core and not stub:
                yield Finding(accession, item, "missing", row["status"] if row else "no row")
            elif item in core:
                yield Finding(accession, item, "stub", row["status"] if row else "no row")
            continue
        first, last = fold(row["first"])[:PROBE], fold(row["last"])[-PROBE:]
        begins = max(
            read.letters.find(probe, max(0, place.start - NEAR), place.start + NEAR + PROBE)
            for probe in (first, first[PROBE // 2 :])
        )
        if begins < 0:
            somewhere = read.letters.find(first, place.start // 2 if stub else 0)
            if stub and somewhere >= 0:
                yield Finding(
                    accession, item, "stub", f"extracted from the place of Item {read.owner(somewhere) or '?'}"
                )
                continue
            owner = read.owner(somewhere) if somewhere >= 0 else ""
            wrong = "mislabelled" if owner and owner != item else "wrong start"
            yield Finding(accession, item, wrong, f"begins in Item {owner or '?'}: {row['first'][:50]!r}")
            continue
        ends = max(
            read.letters.rfind(probe, max(place.start, place.end - NEAR), place.end + NEAR)
            for probe in (last, last[: PROBE // 2], last[PROBE // 2 :])
        )
        if ends < 0 and stub and (elsewhere := read.letters.rfind(last)) > place.end:
            yield Finding(accession, item, "pointed", f"goes on in Item {read.owner(elsewhere) or '?'}")
            continue
        yield Finding(accession, item, "right" if ends >= 0 else "wrong end", "" if ends >= 0 else row["last"][-50:])


def main(folder: Path, lines: Iterator[str]) -> int:
    told: dict[str, dict[str, dict[str, str]]] = {}
    for line in lines:
        row = json.loads(line)
        told.setdefault(row["accession"], {})[row["item"]] = row
    with (folder / "filings.csv").open(encoding="utf-8") as file:
        filings = list(csv.DictReader(file))
    findings: list[Finding] = []
    names = {}
    for filing in filings:
        names[filing["accession"]] = f"{filing['ticker']} FY{filing['fiscal_year']} {filing['form']}"
        document = lzma.decompress((folder / "mirror" / (filing["mirror_path"] + ".xz")).read_bytes())
        findings += check(filing["accession"], told.get(filing["accession"], {}), contents(document))
    for finding in findings:
        if finding.verdict != "right":
            print(f"{names[finding.accession]:22} Item {finding.item:3} {finding.verdict}: {finding.note}")
    core = Counter(one.verdict for one in findings if one.item in CORE)
    other = Counter(one.verdict for one in findings if one.item not in CORE)
    right = core["right"] + core["pointed"]
    reached = right + sum(core[verdict] for verdict in ("mislabelled", "wrong start", "wrong end", "missing"))
    print("Items 1, 1A, 7, 8:", dict(core), "right of those reached:", Share(right, reached))
    print("Other Items told to be extracted:", dict(other))
    return 1 if core["mislabelled"] or other["mislabelled"] else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), iter(sys.stdin)))
