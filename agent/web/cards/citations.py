"""The numbered citations of an answer: the claim of each, and the address that opens its passage."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.utils.http import urlencode

from agent.state import Answer, Claim, Excerpt
from filings.models import Section
from filings.models.report import co_filed
from filings.web.citations import Citations, Cited


@dataclass(frozen=True, slots=True)
class Citation:
    """One claim with its number, and its mark by the kind of document: [10K1].

    section: without its text; None where the passage is no longer stored. opened_by: what lets a reader see the marks:
    ("run", its key), or ("share", a link's token). co_filed: whether other registrants filed the same accession, so
    that its address needs the company too.
    """

    number: int
    claim: Claim
    section: Section | None
    opened_by: tuple[str, str]
    mark: str = ""
    co_filed: bool = False

    @property
    def href(self) -> str:
        """The reader, at this passage, with every citation of the answer marked; empty where it is not stored."""
        if self.section is None:
            return ""
        company = [("cik", str(self.claim.cik))] if self.co_filed else []
        query = urlencode([*company, self.opened_by, ("cite", str(self.number))])
        return f"{self.section.get_absolute_url()}?{query}#c{self.number}"

    @property
    def table_files(self) -> tuple[str, str]:
        """The address of the files of the table that is quoted, without their ending, and its query; empty where the
        section is not stored as it was quoted.
        """
        if self.section is None or self.section.sha256 != self.claim.sha256:
            return "", ""
        company = [("cik", str(self.claim.cik))] if self.co_filed else []
        return f"{self.section.get_absolute_url()}/table", urlencode([*company, ("at", str(self.claim.start))])


def opened_by(run: UUID, share: str = "") -> tuple[str, str]:
    """What lets a reader see an answer's marks: being its owner, or the token of a shared link."""
    return ("share", share) if share else ("run", str(run))


def citations(answer: Answer, run: UUID, share: str = "") -> tuple[Citation, ...]:
    """Every claim of an answer, numbered from 1 through all blocks. share: the token of the link it is read by."""
    claims = [claim for block in answer.blocks for claim in block.shown_claims]
    sections = stored_sections(claims)
    shared = co_filed(claim.accession for claim in claims) if claims else set()
    return tuple(
        Citation(number, claim, sections.get(key(claim)), opened_by(run, share), mark, claim.accession in shared)
        for number, (claim, mark) in enumerate(zip(claims, answer.marks, strict=True), start=1)
    )


Key = tuple[int, int, str]


def key(one: Excerpt) -> Key:
    return one.section, one.cik, one.accession


def stored_sections(claims: Iterable[Excerpt]) -> dict[Key, Section]:
    """The section of each claim or passage. A section stored anew since is found by its filing and its text or Item."""
    wanted = {key(claim): claim for claim in claims}
    if not wanted:
        return {}
    sections = Section.objects.select_related("filing__company").defer("text", "blocks", "pages")
    found: dict[Key, Section] = {}
    for section in sections.filter(pk__in={claim.section for claim in wanted.values()}):
        place = section.pk, section.filing.company.cik, section.filing.accession
        if place in wanted:
            found[place] = section
    missing = [claim for place, claim in wanted.items() if place not in found]
    if missing:
        anew = list(sections.filter(filing__accession__in={claim.accession for claim in missing}))
        for claim in missing:
            of_filing = [
                section
                for section in anew
                if (section.filing.accession, section.filing.company.cik) == (claim.accession, claim.cik)
            ]
            same = [section for section in of_filing if section.sha256 == claim.sha256]
            same += [section for section in of_filing if claim.item and section.item == claim.item]
            if same:
                found[key(claim)] = same[0]
    return found


def for_reader(answer: Answer, run: UUID, back: str, share: str = "") -> Citations:
    """The citations of an answer as a section's page marks them."""
    all_of_them = citations(answer, run, share)
    cited = tuple(
        Cited(
            number=one.number,
            section=one.section.pk,
            sha256=one.claim.sha256,
            start=one.claim.start,
            end=one.claim.end,
            quote=one.claim.quote,
            page=one.claim.page,
            href=one.href,
        )
        for one in all_of_them
        if one.section
    )
    return Citations(back, urlencode([opened_by(run, share)]), cited, len(all_of_them))
