"""Reads an annual report as inline XBRL: its statements, their figures, figures of members, and its cover."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from types import MappingProxyType

from lxml import etree

from filings.document.inline.faces import EQUITY_AXIS, FaceTable, find_faces, period_of
from filings.document.inline.facts import (
    Context,
    InlineFact,
    named,
    parse_markup,
    plain_digits,
    read_contexts,
    read_numbers,
    read_units,
    text_of,
)
from filings.document.inline.member_figures import Printed, dimensions_of, members, printed_in_tables
from filings.document.inline.tables import fact_tables
from filings.xbrl.parsed_xbrl import Line, ParsedDocument, ParsedFact, ParsedStatement

# Cover text facts that are kept: the SEC's closed list without check marks, telephone numbers and streets.
COVER_TEXTS = frozenset(
    [
        "EntityRegistrantName",
        "EntityCentralIndexKey",
        "EntityIncorporationStateCountryCode",
        "EntityTaxIdentificationNumber",
        "EntityAddressCityOrTown",
        "EntityAddressStateOrProvince",
        "EntityAddressPostalZipCode",
        "EntityAddressCountry",
        "CityAreaCode",
        "TradingSymbol",
        "SecurityExchangeName",
        "Security12bTitle",
        "EntityFileNumber",
        "EntityFilerCategory",
        "EntityWellKnownSeasonedIssuer",
        "EntityShellCompany",
        "EntitySmallBusiness",
        "EntityEmergingGrowthCompany",
        "DocumentType",
        "AmendmentFlag",
        "DocumentFiscalYearFocus",
        "DocumentFiscalPeriodFocus",
        "DocumentPeriodEndDate",
        "CurrentFiscalYearEndDate",
        "DocumentTransitionReport",
        "IcfrAuditorAttestationFlag",
        "AuditorName",
        "AuditorLocation",
        "AuditorFirmId",
    ]
)
COVER_NUMBERS = frozenset({"EntityCommonStockSharesOutstanding", "EntityPublicFloat", "EntityNumberOfEmployees"})
FACE_ORDER = ("income", "balance", "cashflow", "comprehensive", "equity")
INLINE = re.compile(rb"http://www\.xbrl\.org/20\d\d/inlineXBRL")
HEAD = 200_000  # bytes within which a document declares its type
BALLOT = {"☐": "No", "☒": "Yes", "☑": "Yes", "þ": "Yes", "¨": "No"}


class UnreadableDocument(ValueError):
    """Raised if a document is not HTML at all: a PDF, an image, an empty file."""


def read_inline(
    document: bytes, beside: Sequence[bytes] = (), labels: Mapping[str, str] = MappingProxyType({})
) -> ParsedDocument:
    """The statements, their figures, member figures and the cover of a 10-K's primary document or annual report
    exhibit.

    labels: of the filing's label linkbase, by local names of elements. beside: other documents of the filing, whose
    headers may declare the contexts and units used here, and whose cover gives the fiscal year (an Exhibit 13 has
    neither). A plain HTML document, as before 2019, has no tagged figures and gives an empty ParsedDocument. Raises
    UnreadableDocument for bytes that are no HTML.
    """
    if not INLINE.search(document, 0, HEAD):
        if not re.search(rb"<(html|body|div|table|p|font|document)\b", document[:HEAD], re.IGNORECASE):
            raise UnreadableDocument(f"No HTML among the first of {len(document)} bytes.")
        return ParsedDocument()
    root = parse_markup(document)
    if root is None:
        raise UnreadableDocument("The document is inline XBRL by name, but no element of it can be read.")
    others = [parse_markup(other) for other in beside if INLINE.search(other, 0, HEAD)]
    roots = [root, *(other for other in others if other is not None)]
    contexts = {key: context for part in reversed(roots) for key, context in read_contexts(part).items()}
    units = {key: unit for part in reversed(roots) for key, unit in read_units(part).items()}
    facts = list(read_numbers(root, contexts, units))
    cover, cover_period = _cover(root, contexts)
    for other in roots[1:]:
        cover_period = cover_period or _cover(other, contexts)[1]
    stated = cover_period.end if cover_period else _date(cover.get("DocumentPeriodEndDate", ""))
    report = cover_period if cover_period and cover_period.is_annual else period_of(facts, stated) or cover_period
    tables = fact_tables(facts)
    faces = find_faces(tables, report) if report else []
    faces.sort(key=lambda face: FACE_ORDER.index(face.kind))
    focus = re.search(r"(?:19|20)\d\d", cover.get("DocumentFiscalYearFocus", ""))
    cover_facts = _cover_facts(facts)
    statements = [statement for statement in map(_statement, faces) if statement.lines]
    if cover_facts:
        lines = tuple(Line(order, f"{fact.taxonomy}:{fact.tag}") for order, fact in enumerate(cover_facts, 1))
        statements.append(ParsedStatement("cover", "", lines))
    parts = {fact: told for fact in facts if (told := dimensions_of(fact))}
    printed = printed_in_tables(tables)
    return ParsedDocument(
        facts=(*_each_once(_face_facts(faces)), *cover_facts),
        of_members=tuple(_each_once(_member_facts(parts, printed, faces))),
        members=members(parts, printed, labels),
        typed=sum(fact.context.typed for fact in facts),
        statements=tuple(statements),
        cover=cover,
        fiscal_year_focus=int(focus[0]) if focus else None,
        period_end=stated,
    )


def _cover(root: etree._Element, contexts: dict[str, Context]) -> tuple[dict[str, str], Context | None]:
    """The cover's text facts by tag, and their period."""
    texts: dict[str, str] = {}
    period = None
    for element, name in named(root, "{*}nonNumeric"):
        taxonomy, _, tag = name.partition(":")
        context = contexts.get(element.get("contextRef", ""))
        if taxonomy != "dei" or tag not in COVER_TEXTS or context is None or context.axes:
            continue
        text = "" if tag in texts else text_of(element)
        if text:
            texts[tag] = BALLOT.get(text, text)
        if tag in {"DocumentType", "DocumentPeriodEndDate"} and period is None:
            period = context
    return texts, period


def _cover_facts(facts: Iterable[InlineFact]) -> list[ParsedFact]:
    """Counts and amounts of the cover, in document order."""
    found: dict[tuple[object, ...], ParsedFact] = {}
    for fact in facts:
        if fact.taxonomy == "dei" and fact.tag in COVER_NUMBERS and not fact.context.axes:
            parsed = _parsed_fact(fact, "cover", len(found) + 1, "")
            found.setdefault(parsed.identity, parsed)
    return list(found.values())


def _member_facts(
    dimensions: Mapping[InlineFact, str], printed: Mapping[InlineFact, Printed], faces: Iterable[FaceTable]
) -> Iterator[ParsedFact]:
    """Member figures in document order, each with what is printed beside it. dimensions: of each figure."""
    kinds = {fact: face.kind for face in reversed(list(faces)) for table in face.tables for fact in table.facts}
    for order, (fact, members_of) in enumerate(dimensions.items(), 1):
        told = printed.get(fact, Printed())
        statement = kinds.get(fact, "cover" if fact.taxonomy == "dei" else "")
        parsed = _parsed_fact(fact, statement, order, told.label)
        yield replace(parsed, dimensions=members_of, column=told.column)


def _face_facts(faces: Iterable[FaceTable]) -> Iterator[ParsedFact]:
    """Figures of the statements without dimensions; one on several statements belongs to the first of FACE_ORDER."""
    for face in faces:
        for order, row in enumerate((*face.rows, *face.parenthetical), 1):
            for fact in (*row.facts, *row.aside):
                if not fact.context.axes:
                    yield _parsed_fact(fact, face.kind, order, row.label)


def _each_once(facts: Iterable[ParsedFact]) -> list[ParsedFact]:
    """The first fact of each identity; of several roundings the most precise."""
    found: dict[tuple[object, ...], ParsedFact] = {}
    for fact in facts:
        held = found.setdefault(fact.identity, fact)
        if held.value != fact.value and _precision(fact) > _precision(held):
            found[fact.identity] = fact
    return list(found.values())


def _precision(fact: ParsedFact) -> float:
    return float("inf") if fact.decimals is None else fact.decimals


def _parsed_fact(fact: InlineFact, statement: str, order: int, label: str) -> ParsedFact:
    return ParsedFact(
        taxonomy=fact.taxonomy,
        tag=fact.tag,
        unit=fact.unit,
        start=fact.context.start,
        end=fact.context.end,
        raw=plain_digits(fact.value),
        value=fact.value,
        decimals=fact.decimals,
        anchor=fact.anchor,
        statement=statement,
        order=order,
        label=label,
        printed=fact.printed,
    )


def _statement(face: FaceTable) -> ParsedStatement:
    """The lines with their tags in printed order; an opening and a closing balance are two lines of one tag.

    A statement of equity is printed by component: its lines keep the components' tags, because the total column of a
    row may be empty.
    """
    lines: list[Line] = []
    dimensional: list[Line] = []
    for order, row in enumerate(face.rows, 1):
        for aside, facts in ((False, row.facts), (True, row.aside)):
            whole = dict.fromkeys(fact.name for fact in facts if _is_whole(fact, face.kind))
            lines.extend(Line(order, tag, row.label, row.heading, aside) for tag in whole)
            parts = dict.fromkeys(fact.name for fact in facts if fact.name not in whole)
            dimensional.extend(Line(order, tag, row.label, row.heading, aside) for tag in parts)
    held = {line.tag for line in lines}
    return ParsedStatement(
        face.kind, face.title, tuple(lines), tuple(line for line in dimensional if line.tag not in held)
    )


def _is_whole(fact: InlineFact, kind: str) -> bool:
    """Whether a figure is the whole company's, or a component's in a statement of equity."""
    axes = fact.context.axes
    return not axes or (kind == "equity" and len(axes) == 1 and axes[0][0] == EQUITY_AXIS)


def _date(text: str) -> date | None:
    for pattern in ("%Y-%m-%d", "%B %d, %Y", "%b %d, %Y", "%m/%d/%Y"):
        try:
            return datetime.strptime(text, pattern).date()  # noqa: DTZ007 - a date, no moment in time
        except ValueError:
            continue
    return None
