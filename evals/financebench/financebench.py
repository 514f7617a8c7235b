"""`manage.py financebench`: the public questions of FinanceBench (Islam et al. 2023), asked and judged.

The file is not bundled. Documents are imported from a folder; 10-Ks that are not in it are ingested from EDGAR.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import django
from django.core.management import CommandError

from agent.runs.answer_json import as_text
from agent.state import Answer, Scope
from agent.steps.precheck import problem_with
from evals.financebench.financebench_documents import Documents
from evals.financebench.financebench_rows import DEPTHS, Asked, Failure, FinanceBenchQuestion
from evals.runner import Run, ask
from evals.truths.evidence_pages import found_pages, page_of, pages_on, rank_of
from evals.truths.foreign_truth import Grade, graded, numbers
from filings.models import Filing, Section
from filings.search.index import IndexMismatch, SearchUnavailable

if TYPE_CHECKING:
    from agent.programs.models import Models

Limit = Literal["document", "company"]

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
# Nobody writes a batch of questions longer than that: a reader behind the endpoint takes half a minute a reply.
LONGEST = 7200


@dataclass(frozen=True)
class Bench:
    """How questions are asked. limit: whether the question's document is chosen, or nothing but its words says it.

    answering: whether the configured models take part in the answers. judging: whether they grade words.
    """

    limit: Limit = "document"
    answering: bool = True
    judging: bool = True

    def asked(self, row: FinanceBenchQuestion, filing: Filing) -> Asked:
        """One question through the pipeline, judged."""
        told = [page_of(filing, one.evidence_text, one.evidence_page_num) for one in row.evidence]
        pages = frozenset(page for page in told if page is not None)
        try:
            rank = rank_of(pages, found_pages(filing, row.question, DEPTHS[-1], figure=row.bare is not None))
        except (SearchUnavailable, IndexMismatch) as error:
            raise CommandError(f"{row.doc_name} cannot be searched: {error}") from error
        if problem := problem_with(row.question):
            nothing = Grade(Decimal(0), "nothing asserted")
            return Asked(row, nothing, Failure.READING, "error", str(problem), pages, rank)
        scope = Scope(document=filing.accession, cik=filing.company.cik) if self.limit == "document" else None
        run = ask(row.question, models=self.answering, scope=scope)
        grade = self.grade(row, run.answer)
        failure = None if grade.score in (None, 1) else lost_by(row, run, pages)
        used = run.used
        return Asked(
            row,
            grade,
            failure,
            run.answer.outcome,
            run.answer.refusal_code,
            pages,
            rank,
            shown=rank_of(pages, pages_shown(run.answer, filing)) is not None,
            seconds=run.ms / 1000,
            tokens=used.tokens_in + used.tokens_out if used else 0,
            cost=used.cost if used else Decimal(0),
        )

    def grade(self, row: FinanceBenchQuestion, answer: Answer) -> Grade:
        """Compare bare numbers directly; everything else by the model, if there is one."""
        if answer.outcome != "answered":
            return Grade(Decimal(0), "nothing asserted")
        truth, found = row.bare, numbers(answer)
        if truth and found:
            return graded(truth, found)
        models = judges() if self.judging else None
        if models is None:
            return Grade(None, "not judged")
        from evals.programs.judge_answer import judged

        score = judged(models, row.question, row.answer, row.justification or "", as_text(answer))
        return Grade(score, "not judged" if score is None else "model")

    def of_held(self, row: FinanceBenchQuestion, filing: int) -> Asked:
        """One question about a stored document, by its key: as another process is given it."""
        return self.asked(row, Filing.objects.select_related("company").get(pk=filing))

    def run(self, rows: Sequence[FinanceBenchQuestion], documents: Documents, processes: int = 1) -> Iterator[Asked]:
        """Ask every question whose document can be had. processes: so many at once, which models that wait allow."""
        held = [(row, filing) for row in rows if (filing := documents.filing(row))]
        lost = Grade(Decimal(0), "nothing asserted")
        yield from (Asked(row, lost, Failure.DOCUMENT) for row in rows if documents.filing(row) is None)
        if processes == 1:
            yield from (self.asked(row, filing) for row, filing in held)
            return
        with ProcessPoolExecutor(processes, get_context("spawn"), initializer=django.setup) as pool:
            asked = [pool.submit(partial(self.of_held, row, filing.pk)) for row, filing in held]
            yield from (one.result(timeout=LONGEST) for one in asked)


def judges() -> "Models | None":
    """The configured models, which grade words; None without."""
    from agent.programs.models import configured

    return configured()


def pages_shown(answer: Answer, filing: Filing) -> list[set[int]]:
    """The pages of a document on which what an answer cites or shows stands, in its order: printed figures, quotations,
    passages.
    """
    sections = {one.pk: one for one in Section.objects.filter(filing=filing)}
    numbered = {one.number: one for one in sections.values()}
    tables = [block.table for block in answer.blocks if block.table]
    facts = [fact for table in tables for cell in table.asserted for fact in cell.facts]
    facts = [fact for fact in facts if fact.accession == filing.accession and fact.section in numbered]
    figures = [(numbered[fact.section or 0], [(fact.text_start or 0, fact.text_end or 0)]) for fact in facts]
    claims = [(one.section, [(one.start, one.end)]) for block in answer.blocks for one in block.claims]
    passages = [(one.section, one.ranges) for block in answer.blocks for one in block.passages]
    quoted = [(sections[key], ranges) for key, ranges in (*claims, *passages) if key in sections]
    return [pages_on(section, ranges) for section, ranges in (*figures, *quoted)]


def lost_by(row: FinanceBenchQuestion, run: Run, pages: frozenset[int]) -> Failure:
    """Why an asked question is not right."""
    answer = run.answer
    if answer.outcome == "refused" and any(one.refusal and one.refusal.stage == "plan" for one in answer.blocks):
        return Failure.READING
    if found := numbers(answer):
        evidence = figures(one.evidence_text for one in row.evidence)
        derived = [one for one in found if one.formula]
        held = derived and all(stands_in(fact.value, evidence) for one in derived for fact in one.facts)
        return Failure.FORMULA if held else Failure.TABLE
    passages = [passage for one in run.state.retrievals for passage in one.passages]
    sections = Section.objects.in_bulk({one.section for one in passages})
    read = [pages_on(sections[one.section], one.ranges) for one in passages if one.section in sections]
    if passages and rank_of(pages, read) is None:
        return Failure.RETRIEVAL
    return Failure.TABLE if row.bare else Failure.JUDGEMENT


def figures(texts: Iterable[str]) -> frozenset[Decimal]:
    """The numbers printed in texts."""
    return frozenset(Decimal(one.replace(",", "")) for text in texts for one in _NUMBER.findall(text))


def stands_in(value: Decimal, printed: frozenset[Decimal]) -> bool:
    """Whether a number is printed, in any power of a thousand."""
    return any(abs(value).scaleb(-scale) in printed for scale in (0, 3, 6, 9))


def read(path: Path) -> list[FinanceBenchQuestion]:
    """The questions of a file in FinanceBench's form. Raises CommandError with the faulty line."""
    found = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"--questions: {path} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        try:
            found += [FinanceBenchQuestion.model_validate_json(line)] if line.strip() else []
        except ValueError as error:
            raise CommandError(f"--questions: {path.name}, line {number}: {error}") from error
    if not found:
        raise CommandError(f"--questions: {path.name} has no questions.")
    return found
