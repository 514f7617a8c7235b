"""The ingestion of one company: fetch, parse, then one short transaction a filing.

Every step may be repeated: rows are compared with stored ones before anything is written, so that a second run changes
nothing and finishes a killed one. Every write is conditional on the attempt still holding the company
(`Company.objects.of_attempt`).
"""

import hashlib
import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from time import monotonic

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils.timezone import now

from diligence.atomic_files import is_full
from filings.edgar.client import Edgar
from filings.edgar.edgar_files import EdgarError, Invalid, NotFound, Submissions
from filings.edgar.listing import label_reports
from filings.edgar.predecessors import link_listed, link_namesake, store_former_tickers
from filings.edgar.registrant_names import is_fictional
from filings.edgar.registrants import store_submissions
from filings.ingest.coverage import held_in_words, store_anomalies
from filings.ingest.isolated_reading import Reading, ReadingEnded, read, read_within
from filings.ingest.listed_filings import is_asked, is_foreign, is_stored, labelled_reports, recent_from
from filings.ingest.store_filing import (
    apply,
    forget_documents,
    placed,
    primary_of,
    report_of,
    store_documents,
    store_elements,
    store_facts,
    store_members,
    store_reports,
    store_statements,
)
from filings.ingest.store_printed import keep_printed, printed_by
from filings.ingest.store_text import FilingText, embed_text, store_text
from filings.models import Company, Fact, Filing, Origin
from filings.models.source_kinds import ANNUAL, KINDS, QUARTERLY, SourceKind
from filings.text.embeddings import EmbeddingUnavailable
from filings.xbrl.companyfacts import CompanyFacts, FilingFacts, UnreadableFacts, parse_companyfacts

BEAT_SECONDS = 5.0
NO_ROOM = "The worker's disk is full. Ingest again once there is space."
# How often progress is written to the company's row while passages are embedded.
TELL_SECONDS = 4.0

logger = logging.getLogger(__name__)


class Stopped(Exception):
    """Raised if an ingestion was cancelled or taken over by another worker: this attempt must write nothing more."""


class NotCovered(Exception):
    """Raised if a company cannot be ingested; the message says why."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an ingestion: a Company.Status value and a sentence."""

    status: str
    message: str

    @property
    def failed(self) -> bool:
        return self.status == Company.Status.FAILED


def ingest(
    company_pk: int, attempt: int, edgar: Edgar | None = None, say: Callable[[str], None] = lambda line: None
) -> Outcome:
    """Ingest one claimed company; safe to be killed at any line and called again.

    edgar: default is EDGAR itself. say: gets progress lines. Failures of EDGAR and its data become an Outcome on the
    row; anything else is recorded there and raised.
    """
    ingestion = Ingestion(company_pk, attempt, say)
    try:
        with edgar or Edgar() as source:
            return ingestion.run(source)
    except Stopped:
        return Outcome(Company.Status.CANCELLED, f"{ingestion.company}: stopped.")
    except (EdgarError, NotCovered, UnreadableFacts) as error:
        return ingestion.fail(str(error))
    except Exception as error:
        ingestion.fail(NO_ROOM if is_full(error) else f"Unexpected: {type(error).__name__}.")
        logger.exception("Ingestion of %s failed", ingestion.company)
        raise


class Ingestion:
    """One attempt at one company."""

    def __init__(self, company_pk: int, attempt: int, say: Callable[[str], None]) -> None:
        self.company = Company.objects.get(pk=company_pk)
        self.attempt = attempt
        self.say = say
        self.beaten = 0.0
        self.facts_sha256 = ""
        # What is loaded, and the first day of which documents other than 10-Ks are read.
        self.kinds: tuple[SourceKind, ...] = ()
        self.since = date.max
        self.bundled = False
        # The current step and filing, and when progress was last reported.
        self.doing, self.told = "", 0.0
        self.until = math.inf  # after which passages without vectors are left to the sweep
        # Filings whose reading was given up.
        self.given_up: list[Filing] = []

    # --- the life of the row ---

    def write(self, **fields: object) -> None:
        """Write to the company's row while this attempt holds it. Raises Stopped otherwise."""
        if not Company.objects.of_attempt(self.company.pk, self.attempt).update(heartbeat=now(), **fields):
            raise Stopped
        self.beaten = monotonic()

    def beat(self) -> None:
        """Send a heartbeat, at most every few seconds. Never called inside a transaction."""
        if monotonic() - self.beaten > BEAT_SECONDS:
            self.write()

    def step(self, text: str) -> None:
        self.write(step=text[:120])
        self.say(f"{self.company}: {text}")

    def fail(self, why: str) -> Outcome:
        Company.objects.of_attempt(self.company.pk, self.attempt).update(
            status=Company.Status.FAILED, problem=why, step="", heartbeat=now()
        )
        return Outcome(Company.Status.FAILED, f"{self.company}: {why}")

    # --- the steps ---

    def run(self, edgar: Edgar) -> Outcome:
        company, edgar.beat = self.company, self.beat
        origin = Origin.SAMPLE if edgar.bundled else Origin.EDGAR
        # The sample has all forms, whatever the settings say.
        self.bundled = edgar.bundled
        self.kinds = tuple(kind for kind in KINDS.values() if kind.forms) if self.bundled else company.kinds
        self.step("Reading the list of filings")
        submissions = edgar.submissions(company.cik, filed_since=company.years_from)
        self.step("Reading the facts of all years")
        raw = edgar.companyfacts(company.cik)
        facts = parse_companyfacts(raw) if raw else None
        if facts and facts.cik != company.cik:
            raise Invalid(f"The facts of CIK {company.cik} are of CIK {facts.cik}.")
        sha256 = self.facts_sha256 = hashlib.sha256(raw).hexdigest() if raw else ""
        if is_foreign(company, submissions, facts):
            return self.end_foreign(edgar, submissions, origin)
        self.write(foreign=False)
        reports = self.store_listing(submissions, facts)
        filings = [one for one in reports if one.source == ANNUAL.key]
        wanted = [filing for filing in filings if self.is_wanted(filing)]
        link_listed(company)
        if not filings:
            link_namesake(company)
        before = company.predecessors.exists()
        if not filings and not before:
            raise NotCovered(f"EDGAR lists no annual report on form 10-K for CIK {company.cik}.")
        if not wanted and not before:
            raise NotCovered(f"None of its {len(filings)} annual reports is for the requested years.")
        annual = wanted if ANNUAL in self.kinds else []
        with transaction.atomic():
            self.write(**({"filings_found": len(annual), "filings_done": 0} if annual else {}))
            store_elements(facts.elements if facts else ())
        for done, filing in enumerate(annual, 1):
            self.doing = f"Filing {done} of {len(annual)}"
            self.step(f"{self.doing}: {filing.form} filed {filing.filed}")
            self.store_filing(edgar, filing, origin, facts.filings.get(filing.accession) if facts else None)
            self.write(filings_done=done, facts_stored=self.facts_stored())
        for filing in [one for one in reports if facts and one.accession in facts.interim and self.is_wanted(one)]:
            held = facts.interim[filing.accession]  # type: ignore[union-attr] # none without facts
            # The sample has no document of a real company.
            held_here = not self.bundled or is_fictional(company.cik)
            if QUARTERLY in self.kinds and self.is_recent(filing) and held_here:
                self.doing = f"{filing.form} filed {filing.filed}"
                self.step(self.doing)
                self.store_filing(edgar, filing, origin, held)
            else:
                self.store_interim(filing, held, origin)
        self.store_others(edgar, reports, origin)
        self.relabel()
        self.step("Looking for anomalies")
        with transaction.atomic():
            self.write()
            store_former_tickers(company)
            link_listed(company)
            store_anomalies(company)
        stored = self.facts_stored()
        problem = self.problem(has_figures=bool(stored) or ANNUAL not in self.kinds)
        self.write(
            status=Company.Status.DONE,
            step="",
            problem=problem,
            ingested=now(),
            facts_stored=stored,
            facts_sha256=sha256,
            origin=origin,
        )
        return Outcome(
            Company.Status.DONE, f"{company}: {held_in_words(self.company)}, {stored:,} facts. {problem}".strip()
        )

    def store_others(self, edgar: Edgar, reports: list[Filing], origin: str) -> None:
        """Store the text of the kinds without figures: 8-Ks, proxy statements, 20-Fs."""
        for filing in reports:
            if filing.kind in self.kinds and not filing.kind.has_facts and self.is_wanted(filing):
                self.doing = f"{filing.form} filed {filing.filed}"
                self.step(self.doing)
                self.store_filing(edgar, filing, origin, None)

    def problem(self, *, has_figures: bool = True) -> str:
        """What was missing or failed in a finished ingestion, in words."""
        said = [] if has_figures else ["Its annual reports contain no XBRL figures."]
        if self.given_up:
            which = ", ".join(f"{filing.form} filed {filing.filed}" for filing in self.given_up)
            said.append(f"Documents were given up, which the next ingestion tries again: {which}.")
        return " ".join(said)

    def end_foreign(self, edgar: Edgar, submissions: Submissions | None, origin: str) -> Outcome:
        """End the ingestion of a foreign company: it stays known by name and without facts, and has the text of its
        newest annual reports where 20-Fs are asked for.
        """
        form = (submissions.foreign_form if submissions else "") or "20-F or 40-F"
        self.write(foreign=True)
        self.store_others(edgar, self.store_listing(submissions, None), origin)
        self.relabel()
        told = "known, not covered"
        if held := held_in_words(self.company):
            self.write(origin=origin)
            told = f"{held} held as text, figures not covered"
        self.write(status=Company.Status.DONE, step="", problem=self.problem(), ingested=now())
        return Outcome(Company.Status.DONE, f"{self.company}: files {form}, not 10-K: {told}.")

    def store_listing(self, submissions: Submissions | None, facts: CompanyFacts | None) -> list[Filing]:
        """Store company fields, tickers and one row a report with period and label; returns the rows, newest first."""
        reports = labelled_reports(self.company, submissions, facts, self.kinds)
        self.since = date.min if self.bundled else recent_from(self.company, reports)
        with transaction.atomic():
            self.write()
            if submissions:
                store_submissions(self.company, submissions)
            store_reports(self.company, [one for one in reports if is_stored(self.company, one, self.since)])
        return list(self.company.filings.of_sec().order_by("-filed", "-accession"))

    def is_wanted(self, filing: Filing) -> bool:
        """Whether it is of the years asked for and, of a kind without figures, recent."""
        return is_asked(self.company, report_of(filing)) and (filing.kind.has_facts or self.is_recent(filing))

    def is_recent(self, filing: Filing) -> bool:
        """Whether its document is read: filed in the last years, or read before."""
        return filing.filed >= self.since or filing.document_status == Filing.DocumentStatus.HELD

    def store_filing(self, edgar: Edgar, filing: Filing, origin: str, held: FilingFacts | None) -> None:
        """Store documents, faces, cover, facts and text of one filing, unless they were read from the same bytes."""
        facts_sha256 = self.facts_sha256 if filing.kind.has_facts else ""
        current = filing.facts_sha256 == facts_sha256
        read_before = filing.reader == filing.current_reader and filing.origin == origin
        has_document = read_before and (
            origin == Origin.SAMPLE or filing.document_status == Filing.DocumentStatus.HELD
        )
        if has_document and current:
            return
        found, printed, primary, problem, status = None, None, None, "", filing.document_status
        self.until = math.inf
        if not has_document:
            status = Filing.DocumentStatus.HELD
            try:
                found = self.read(edgar, filing)
                problem = found.filing.problem
                primary = primary_of(found, filing.kind)
                if not primary:
                    problem = problem or f"The container has no {filing.kind.called} among its documents."
                    status = Filing.DocumentStatus.MISSING
                elif problem and not found.filing.faces:
                    status = Filing.DocumentStatus.UNREADABLE
                self.embed(filing, found.text)
                tagged = bool(held or found.filing.facts)
                printed = printed_by(filing, found, self.beat, apart=not self.bundled, tagged=tagged)
            except NotFound as error:
                status, problem = Filing.DocumentStatus.MISSING, str(error)
            except Invalid as error:
                status, problem = Filing.DocumentStatus.UNREADABLE, str(error)
                if isinstance(error, ReadingEnded):
                    logger.error("%s is given up: %s", filing, error)
                    self.given_up.append(filing)
            if origin == Origin.SAMPLE and not primary:
                # The sample has at most the order of a real company's lines: its document was never fetched.
                status, problem = Filing.DocumentStatus.PENDING, ""
            self.beat()
            if found is None and read_before and current and status == filing.document_status:
                return
        with transaction.atomic():
            self.write()
            if found:
                documents = store_documents(filing, found.container)
                store_statements(filing, found.filing.faces)
                store_facts(
                    filing,
                    Fact.Source.DOCUMENT,
                    ((fact, documents.get(document.filename)) for fact, document in found.filing.facts),
                )
                store_members(filing, found.filing.members)
                store_text(filing, found.text, documents)
                apply(filing, found.filing)
                filing.primary_document = primary.filename if primary else filing.primary_document
            elif not has_document and filing.origin != origin:
                # Faces from another source (the sample's) are removed where this one has none.
                forget_documents(filing)
                store_text(filing, FilingText(), {})
            store_facts(filing, Fact.Source.COMPANYFACTS, placed(filing, held))
            keep_printed(filing, printed, tagged=held is not None)
            filing.document_status, filing.problem = status, problem
            filing.origin, filing.reader, filing.facts_sha256 = origin, filing.current_reader, facts_sha256
            filing.facts_stored = filing.facts.count()
            if filing.held_since is None and (filing.facts_stored or filing.chunks_stored):
                filing.held_since = now()
            filing.save()
        self.index(filing)

    def store_interim(self, filing: Filing, held: FilingFacts, origin: str) -> None:
        """Store a quarterly report's figures from companyfacts, unless they were stored from the same bytes."""
        if (filing.reader, filing.origin, filing.facts_sha256) == (filing.current_reader, origin, self.facts_sha256):
            return
        with transaction.atomic():
            self.write(step=f"Figures of the {filing.form} filed {filing.filed}")
            store_facts(filing, Fact.Source.COMPANYFACTS, placed(filing, held))
            filing.origin, filing.reader, filing.facts_sha256 = origin, filing.current_reader, self.facts_sha256
            filing.facts_stored = filing.facts.count()
            filing.held_since = filing.held_since or now()
            filing.save()

    def read(self, edgar: Edgar, filing: Filing) -> Reading:
        """Read a filing's documents. Raises NotFound, Invalid, and ReadingEnded at its deadline."""
        raw = edgar.submission(self.company.cik, filing.accession)
        self.beat()
        seconds = settings.INGEST_FILING_DEADLINE
        # The sample is our own and needs no separate process, which would delay the first start.
        if edgar.bundled or not seconds:
            return read(filing.accession, raw, self.beat)
        found = read_within(seconds, filing.accession, raw, self.beat)
        self.until = monotonic() + seconds
        return found

    def embed(self, filing: Filing, text: FilingText) -> None:
        """Compute the vectors of a filing's passages. Without an embedding model the passages wait for one."""

        def progress(done: int, total: int) -> None:
            if monotonic() - self.told > TELL_SECONDS and done < total:
                self.told = monotonic()
                self.step(f"{self.doing}: embedding {done:,} of {total:,} texts")
            else:
                self.beat()

        try:
            embed_text(text, progress, self.until)
        except EmbeddingUnavailable as error:
            logger.warning("The passages of %s wait for their vectors: %s", filing, error)
            self.say(f"{self.company}: {error} The passages wait for their vectors.")

    def index(self, filing: Filing) -> None:
        """Add a waiting filing to the search index. On failure the sweep tries again."""
        if filing.indexed or not filing.chunks_stored:
            return
        from filings.search.index import IndexMismatch, SearchUnavailable
        from filings.search.indexing import index_filing

        try:
            index_filing(filing.pk, lambda done: self.beat(), self.until)
        except (SearchUnavailable, IndexMismatch) as error:
            logger.warning("%s waits for the search index: %s", filing, error)
            self.say(f"{self.company}: {error} {filing.form} filed {filing.filed} waits for the search index.")
        except Stopped:
            raise
        except Exception:
            logger.exception("%s waits for the search index", filing)

    def relabel(self) -> None:
        """Set periods and labels again: a document may have given them where companyfacts and submissions did not."""
        reports = [report_of(filing) for filing in self.company.filings.of_sec()]
        label_reports(self.company.cik, reports, self.company.label_offset)
        with transaction.atomic():
            self.write()
            store_reports(self.company, reports)
        for filing in self.company.filings.searched().filter(indexed=""):
            self.index(filing)

    def facts_stored(self) -> int:
        return self.company.filings.aggregate(total=Sum("facts_stored"))["total"] or 0
