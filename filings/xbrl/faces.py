"""Reads the financial statements of a filing: combines the presentation linkbase with the printed tables."""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from filings.document.inline import UnreadableDocument, read_inline
from filings.document.named_years import named_year
from filings.edgar.edgar_files import Container, ContainerDocument
from filings.models import Statement
from filings.models.source_kinds import kind_of_form
from filings.xbrl.linkbase import UnreadableLinkbase, read_labels, read_presentation
from filings.xbrl.parsed_xbrl import Line, Member, ParsedDocument, ParsedFact, ParsedStatement

# A tag on several faces (net income) belongs to the first of these.
FACE_ORDER = ("income", "balance", "cashflow", "comprehensive", "equity", "cover")
# The report itself, or the exhibit that its statements are incorporated from.
REPORT_TYPES = ("10-K", "10-Q", "EX-13")


@dataclass(frozen=True, slots=True)
class Face:
    """A statement with the source of its lines."""

    statement: ParsedStatement
    basis: str


@dataclass(frozen=True, slots=True)
class ReadFiling:
    """Everything read from the documents of one filing."""

    primary: ContainerDocument | None
    faces: tuple[Face, ...] = ()
    facts: tuple[tuple[ParsedFact, ContainerDocument], ...] = ()
    members: tuple[Member, ...] = ()
    cover: dict[str, str] = field(default_factory=dict)
    fiscal_year_focus: int | None = None
    period_end: date | None = None
    named_year: int | None = None
    problem: str = ""


def read_filing(container: Container) -> ReadFiling:
    """Read a container's faces, figures and cover.

    The primary document is chosen by type, because the name in submissions may be an exhibit's or an index page's. A
    document that cannot be read becomes a `problem` in words; the rest is read. Of a kind without figures only the
    primary document is told.
    """
    kind = kind_of_form(container.form)
    figures = kind is None or kind.has_facts
    reports = (
        container.of_type(*REPORT_TYPES)
        if figures
        else [one for one in container.documents if kind_of_form(one.type) is kind]
    )
    primary = next(
        (document for document in reports if document.type == container.form), reports[0] if reports else None
    )
    if not figures:
        return ReadFiling(primary)
    problems = []
    labels: dict[str, str] = {}
    for document in container.of_type("EX-101.LAB"):
        try:
            labels |= read_labels(document.content)
        except UnreadableLinkbase as error:
            problems.append(f"{document.filename}: {error}")
    parsed: list[tuple[ContainerDocument, ParsedDocument]] = []
    for document in reports:
        try:
            # Contexts and units of an Exhibit 13 may stand only in the main document.
            beside = [other.content for other in reports if other is not document]
            parsed.append((document, read_inline(document.content, beside, labels)))
        except UnreadableDocument as error:
            problems.append(f"{document.filename}: {error}")
    linkbase: tuple[ParsedStatement, ...] = ()
    schemas = container.of_type("EX-101.SCH")
    for document in container.of_type("EX-101.PRE"):
        try:
            linkbase = read_presentation(document.content, schemas[0].content if schemas else None)
        except UnreadableLinkbase as error:
            problems.append(f"{document.filename}: {error}")
        if linkbase:
            break
    inline: dict[str, ParsedStatement] = {}
    for _, report in parsed:
        for statement in report.statements:
            inline.setdefault(statement.kind, statement)
    faces = merge(linkbase, tuple(inline.values()))
    places = Places(face.statement for face in faces)
    facts: dict[tuple[object, ...], tuple[ParsedFact, ContainerDocument]] = {}
    for document, report in parsed:
        for fact in report.facts:
            facts.setdefault(fact.identity, (places.put(fact), document))
        for fact in report.of_members:
            facts.setdefault(fact.identity, (fact, document))
    first = [report for document, report in parsed if document is primary]
    told = first + [report for document, report in parsed if document is not primary]
    return ReadFiling(
        primary=primary,
        faces=faces,
        facts=tuple(facts.values()),
        members=tuple(
            {(one.axis, one.member): one for _, report in reversed(parsed) for one in report.members}.values()
        ),
        cover={name: text for report in reversed(told) for name, text in report.cover.items()},
        fiscal_year_focus=next((report.fiscal_year_focus for report in told if report.fiscal_year_focus), None),
        period_end=next((report.period_end for report in told if report.period_end), None),
        named_year=named_year(primary.content) if primary else None,
        problem=" ".join(problems),
    )


def merge(linkbase: Sequence[ParsedStatement], inline: Sequence[ParsedStatement]) -> tuple[Face, ...]:
    """One face a kind: tags and order from the linkbase, titles and labels as printed.

    A kind missing in the linkbase is taken from the printed tables, and so is one whose linkbase face shares under half
    of the printed tags: that is the face of a parent alone, or of a segment. A tag that stands twice, as an opening and
    a closing balance, takes its printed labels in order.
    """
    printed = {statement.kind: statement for statement in inline}
    faces = []
    for statement in linkbase:
        as_printed = printed.get(statement.kind)
        if as_printed and not alike(statement, as_printed):
            continue
        printed.pop(statement.kind, None)
        merged = with_words(statement, as_printed) if as_printed else statement
        faces.append(Face(merged, Statement.Basis.LINKBASE))
    faces += [Face(statement, Statement.Basis.INLINE) for statement in printed.values()]
    return tuple(sorted(faces, key=lambda face: FACE_ORDER.index(face.statement.kind)))


def with_words(statement: ParsedStatement, printed: ParsedStatement) -> ParsedStatement:
    """A statement in the linkbase's order with printed title, labels and headings.

    A linkbase does not say for whom a line is: lines printed only by class, segment or product stay separate.
    """
    words: dict[str, deque[Line]] = defaultdict(deque)
    for line in printed.lines:
        words[line.tag].append(line)
    apart = {line.tag for line in printed.dimensional} - words.keys()
    lines = []
    for line in statement.lines:
        if line.tag in apart:
            continue
        # The last printed row of a tag serves all its further lines.
        rows = words.get(line.tag) or deque([line])
        row = rows.popleft() if len(rows) > 1 else rows[0]
        lines.append(replace(line, label=row.label, heading=row.heading, aside=row.aside))
    return ParsedStatement(statement.kind, printed.title or statement.title, tuple(lines), printed.dimensional)


def alike(statement: ParsedStatement, as_printed: ParsedStatement) -> bool:
    """Whether two readings are the same statement: they share at least half of the printed tags."""
    tags = {line.tag for line in as_printed.lines}
    return 2 * len(tags & {line.tag for line in statement.lines}) >= len(tags)


class Places:
    """The position of each tag on the faces."""

    def __init__(self, statements: Iterable[ParsedStatement]) -> None:
        self.by_kind: dict[str, dict[str, Line]] = {}
        self.first: dict[str, tuple[str, Line]] = {}
        for statement in sorted(statements, key=lambda statement: FACE_ORDER.index(statement.kind)):
            lines = self.by_kind.setdefault(statement.kind, {})
            for line in statement.lines:
                lines.setdefault(line.tag, line)
                self.first.setdefault(line.tag, (statement.kind, line))

    def put(self, fact: ParsedFact) -> ParsedFact:
        """A printed fact with its position: a line of its own statement, else of another with the tag, else none."""
        tag = f"{fact.taxonomy}:{fact.tag}"
        line = self.by_kind.get(fact.statement, {}).get(tag)
        if line:
            # It keeps the label of its row: one tag may stand in several rows.
            return replace(fact, order=line.order, label=fact.label or line.label)
        kind, line = self.first.get(tag, ("", None))
        return replace(fact, statement=kind, order=line.order if line else None)

    def find(self, tag: str) -> tuple[str, int | None, str]:
        """(statement, order, label) of a tag as us-gaap:Revenues; ("", None, "") where it stands on no face."""
        kind, line = self.first.get(tag, ("", None))
        return (kind, line.order, line.label) if line else ("", None, "")
