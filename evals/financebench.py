"""`manage.py evaluate --financebench PATH`: the public questions of FinanceBench (Islam et al. 2023), asked and judged.

The file is not bundled. Of what it names only 10-Ks are in scope; those that are not held are ingested from EDGAR.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from django.core.management import CommandError, call_command

from agent.programs import model_settings
from agent.refusals.codes import Code
from agent.registrants.companies import Companies
from agent.registrants.company_lists import NotListedError, companies_listed
from agent.runs.answer_json import as_text
from agent.state import Answer
from agent.steps.precheck import problem_with
from evals import financebench_report, model_harness
from evals.evidence_pages import found_pages, page_of, pages_on, rank_of
from evals.financebench_rows import DEPTHS, Asked, Failure, FinanceBenchQuestion
from evals.foreign_truth import Grade, graded, numbers
from filings.models import Filing, Section
from filings.search.index import IndexMismatch, SearchUnavailable

if TYPE_CHECKING:
    from agent.programs.models import Models

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
# Codes for questions that no annual report answers, and for missing filings.
_OUT_OF_SCOPE = frozenset({
    Code.NON_GAAP, Code.PREDICTION, Code.ADVICE, Code.EXTERNAL_DATA, Code.PRICE, Code.TRANSCRIPT, Code.INTERIM_PERIOD,
    Code.OFF_TOPIC, Code.CROSS_COMPANY, Code.FOREIGN_FILER, Code.YEAR_BEFORE_2015, Code.FUTURE_PERIOD,
})  # fmt: skip
_NOT_HELD = frozenset(
    {Code.COMPANY_NOT_COVERED, Code.YEAR_NOT_INGESTED, Code.SECTION_NOT_AVAILABLE, Code.UNKNOWN_COMPANY}
)


@dataclass
class Bench:
    """The filings of a file's questions, each looked up once, and why one is unavailable."""

    models: "Models | None" = None
    filings: dict[str, Filing | None] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    def run(self, rows: Iterable[FinanceBenchQuestion]) -> Iterator[Asked]:
        """Ask every question whose filing is available."""
        unasked = Grade(None, "not judged")
        for row in rows:
            if not row.in_scope:
                yield Asked(row, unasked, Failure.SCOPE)
            elif (filing := self.filing(row)) is None:
                yield Asked(row, unasked, Failure.INGESTED)
            else:
                yield self.asked(row, filing)

    def filing(self, row: FinanceBenchQuestion) -> Filing | None:
        """A question's filing, ingested if necessary; None, with a report, where it is unavailable."""
        if row.doc_name not in self.filings:
            try:
                self.filings[row.doc_name] = had(row)
            except (NotListedError, CommandError) as problem:
                self.filings[row.doc_name] = None
                self.missing[row.doc_name] = str(problem).strip().splitlines()[-1]
        return self.filings[row.doc_name]

    def asked(self, row: FinanceBenchQuestion, filing: Filing) -> Asked:
        """One question through the pipeline, judged."""
        told = [page_of(filing, one.evidence_text, one.evidence_page_num) for one in row.evidence]
        pages = frozenset(page for page in told if page is not None)
        try:
            rank = rank_of(pages, found_pages(filing, row.question, DEPTHS[-1], figure=row.bare is not None))
        except (SearchUnavailable, IndexMismatch) as error:
            raise CommandError(f"{row.doc_name} cannot be searched: {error}") from error
        if problem_with(row.question):
            return Asked(row, Grade(Decimal(0), "nothing asserted"), Failure.READING, "error", pages, rank)
        run = model_harness.ask(row.question, models=self.models is not None)
        grade = self.grade(row, run.answer)
        failure = None if grade.score in (None, 1) else lost_by(row, run, pages)
        return Asked(row, grade, failure, run.answer.outcome, pages, rank)

    def grade(self, row: FinanceBenchQuestion, answer: Answer) -> Grade:
        """Compare bare numbers directly; everything else by the model, if there is one."""
        if answer.outcome != "answered":
            return Grade(Decimal(0), "nothing asserted")
        truth, found = row.bare, numbers(answer)
        if truth and found:
            return graded(truth, found)
        if self.models is None:
            return Grade(None, "not judged")
        from evals.programs.judge_answer import judged

        score = judged(self.models, row.question, row.answer, row.justification or "", as_text(answer))
        return Grade(score, "not judged" if score is None else "model")


def had(row: FinanceBenchQuestion) -> Filing:
    """The filing that a question names, by the normal ingestion. Raises NotListedError or CommandError."""
    named = companies_listed(Companies.current(), row.company)
    if len(named) != 1:
        raise NotListedError(f"“{row.company}” is not one company.")
    held = Filing.objects.askable(named[0].cik, text=True).filter(fiscal_year=row.year, chunks_stored__gt=0)
    if not held.exists():
        call_command("ingest", str(named[0].cik), years=str(row.year), stdout=StringIO())
        Companies.forget()
    if filing := held.first():
        return filing
    raise CommandError(f"No text of a 10-K of {named[0].name} for fiscal {row.year} could be had.")


def lost_by(row: FinanceBenchQuestion, run: model_harness.Run, pages: frozenset[int]) -> Failure:
    """Why an asked question is not right."""
    answer = run.answer
    refusal = next((block.refusal for block in answer.blocks if block.refusal), None)
    if answer.outcome != "answered" and refusal:
        if refusal.code in _OUT_OF_SCOPE:
            return Failure.SCOPE
        if refusal.code in _NOT_HELD:
            return Failure.INGESTED
        if refusal.stage == "plan":
            return Failure.READING
    if found := numbers(answer):
        evidence = figures(one.evidence_text for one in row.evidence)
        derived = [one for one in found if one.formula]
        held = derived and all(stands_in(fact.value, evidence) for one in derived for fact in one.facts)
        return Failure.ARITHMETIC if held else Failure.SELECTION
    passages = [passage for one in run.state.retrievals for passage in one.passages]
    sections = Section.objects.in_bulk({one.section for one in passages})
    read = [pages_on(sections[one.section], one.ranges) for one in passages if one.section in sections]
    if passages and rank_of(pages, read) is None:
        return Failure.RETRIEVAL
    claims = [claim for block in answer.blocks for claim in block.claims if claim.section in sections]
    shown = [pages_on(sections[one.section], [(one.start, one.end)]) for one in claims]
    return Failure.SELECTION if rank_of(pages, shown) is None else Failure.JUDGED


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
        raise CommandError(f"--financebench: {path} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        try:
            found += [FinanceBenchQuestion.model_validate_json(line)] if line.strip() else []
        except ValueError as error:
            raise CommandError(f"--financebench: {path.name}, line {number}: {error}") from error
    if not found:
        raise CommandError(f"--financebench: {path.name} has no questions.")
    return found


def evaluate(path: Path, report: Path | None, say: Callable[[str], object]) -> None:
    """Ask the questions of a file, print the results, and write a report if wanted. Raises CommandError."""
    rows = read(path)
    if problems := model_settings.problems():
        raise CommandError("\n".join(f"{problem.message} {problem.hint}" for problem in problems))
    models = None
    if model_settings.named():
        from agent.programs.models import configured

        models = configured()
    bench = Bench(models)
    results = []
    for one in bench.run(rows):
        results.append(one)
        say(
            f"{one.row.financebench_id}: {'' if one.grade.score is None else one.grade.score} {one.grade.how} {one.failure or ''}".rstrip()
        )
    for name, why in bench.missing.items():
        say(f"{name}: {why}")
    text = financebench_report.rendered(path.name, results, models.plan.name if models else "")
    say(text)
    if report:
        report.write_text(text, encoding="utf-8")
        say(f"Written to {report.name}.")
