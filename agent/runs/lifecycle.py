"""Answer a claimed run: record each step, store the answer, settle what was spent."""

import logging
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils.timezone import now

from accounts import account_deletion, quotas
from agent.models import Run, RunCompany, Step
from agent.numbers.facts.render import shown
from agent.numbers.tables.table_text import ranked_rows
from agent.query.reading import follow_up
from agent.refusals.grammar import listed
from agent.runs import (
    answer_cache,
    askers_watchlists,
    history_index,
    model_result,
    monitoring,
    spending,
    step_records,
    used_facts,
)
from agent.runs.answer_json import quoted
from agent.runs.events import events
from agent.runs.heartbeat import SLACK, Heartbeat
from agent.runs.news_search import NewsSearch
from agent.runs.stored_answer import read, stored_query
from agent.state import AgentState, Answer, CompanyRef, Query, Table
from agent.state.modes import PLANNED, Mode
from agent.state.tables import Result
from agent.steps import pipeline
from agent.steps.deps import Deps

if TYPE_CHECKING:
    from agent.programs.calls import Call, Session


logger = logging.getLogger(__name__)

# Figures of a summary.
MOST_SUMMED = 3
RECALLED = "Answered before from the same filings; that answer is shown."


def query_before(run: Run, attempt: int) -> Query | None:
    """The query of the run that this one follows up on.

    It is stored with this run, so that every attempt, and whoever asks it again, reads the same.
    """
    if run.before is not None:
        return stored_query(run.before)
    before = answer_before(run)
    query = before.plan.query if before else None
    if query is not None:
        Run.objects.of_attempt(run.pk, attempt).update(before=query.model_dump(mode="json"))
    return query


def answer_before(run: Run) -> Answer | None:
    """The answer that a run follows up on; None where there is none, or its format is no longer read."""
    if run.continues_id is None:
        return None
    before = Run.objects.only("answer").filter(pk=run.continues_id).first()
    return read(before.answer) if before else None


class SupersededError(Exception):
    """Another attempt holds the run now: this worker was paused or taken for dead, and writes nothing more."""


class Recorder:
    """Writes one Step for each node, with a model one for each event, while the attempt holds the run; each sends a
    heartbeat.
    """

    def __init__(self, run_id: UUID, attempt: int, session: "Session | None" = None) -> None:
        self.run_id, self.attempt, self.session = run_id, attempt, session
        self.sequence = self.counted = self.written = 0
        self.state: AgentState | None = None
        self.spent: defaultdict[str, float] = defaultdict(float)  # milliseconds by node

    def __call__(self, node: str, before: AgentState, after: AgentState, ms: float) -> None:
        self.state = after
        self.spent[node] += ms
        monitoring.node(node, ms)
        told = {
            "inputs": step_records.counts(before),
            "outputs": step_records.added(before, after),
            "ms": round(ms, 2),
        }
        if self.session is None:
            refused = len(after.refusals) > len(before.refusals)
            self.write(Step(node=node, said=step_records.said(node, before, after), refused=refused, **told))
            return
        calls = self.new_calls()
        self.write(
            *(
                Step(
                    node=node,
                    event=event.name,
                    iteration=event.iteration,
                    said=event.said,
                    refused=event.refused,
                    **({**told, **usage(calls)} if event.of_node else {"outputs": event.data, "ms": 0}),
                )
                for event in events(node, before, after, calls)
            )
        )

    def new_calls(self) -> "list[Call]":
        """The session's calls that no step has counted yet."""
        made = self.session.calls[self.counted :] if self.session else []
        self.counted += len(made)
        monitoring.calls(made)
        return made

    def finished(self, answer: Answer, total: float) -> None:
        """Write the last step of a run with a model. total: milliseconds."""
        if self.session is None:
            return
        if self.state is None:
            # No node had anything to do.
            self.write(Step(node="result", event="recalled", said=RECALLED, ms=round(total, 2)))
            return
        data = model_result.result(self.state, answer, self.spent, total)
        self.write(
            Step(
                node="result",
                event="result",
                outputs=data,
                said=model_result.said(data),
                ms=0,
                **usage(self.new_calls()),
            )
        )

    def failed(self) -> None:
        """Count what a node had spent on models before it failed."""
        if calls := self.new_calls():
            self.write(Step(node="failed", event=Step.FAILED, said="A step did not finish.", ms=0, **usage(calls)))

    def write(self, *steps: Step) -> None:
        """Store steps in their order. Raises SupersededError."""
        with transaction.atomic():
            if not Run.objects.of_attempt(self.run_id, self.attempt).update(heartbeat=now()):
                raise SupersededError
            for step in steps:
                self.sequence += 1
                step.run_id, step.attempt, step.sequence = self.run_id, self.attempt, self.sequence
            Step.objects.bulk_create(steps)
        self.written = self.counted

    @property
    def unwritten(self) -> "list[Call]":
        """The session's calls that are in no step, for example where the run was deleted before one was written."""
        return self.session.calls[self.written :] if self.session else []


def usage(calls: "Sequence[Call]") -> dict[str, Any]:
    """The columns of a Step for calls of models."""
    return {**counted(calls), "calls": [{**asdict(one), "cost": str(one.cost)} for one in calls]}


def counted(calls: "Sequence[Call]") -> dict[str, Any]:
    """The sums over calls of models."""
    return {
        "requests": sum(one.sent for one in calls),
        "tokens_in": sum(one.tokens_in for one in calls),
        "tokens_out": sum(one.tokens_out for one in calls),
        "cost": sum((one.cost for one in calls), Decimal(0)),
    }


def answer(run_id: UUID, attempt: int) -> None:
    """Answer a claimed run from the start, and store the result if the attempt still holds the run."""
    asked = Run.objects.get(pk=run_id)
    question, mode = asked.composed or asked.question, Mode(asked.mode) if asked.mode else None
    started = time.perf_counter()
    record = Recorder(run_id, attempt)
    try:
        grant = spending.granted(asked)
        deps = Deps.current(
            models=True, mode=mode or Mode.STANDARD, grant=grant, watchlists=askers_watchlists.of_owner(asked)
        )
        news = NewsSearch(run_id, attempt)
        deps = replace(deps, news=news)
        record.session = deps.session
        previous = query_before(asked, attempt)
        given = Query.model_validate(asked.given) if asked.given else None
        known = None if given else answer_cache.recall(question, deps, mode, grant.scope, previous, asked.scoped)
        if known and grant.hold(cells_asked(known)):
            # Too large for this asker: the pipeline refuses it.
            known = None
        with beating(run_id, attempt, deps, mode):
            found = known or pipeline.answer(question, deps, record, mode, previous, given, asked.scoped)
        record.finished(found, milliseconds(started))
        if known is None and given is None and not news.failed:
            answer_cache.keep(question, deps, found, mode, grant.scope, previous, asked.scoped)
        taken = follow_up.taken(previous, found.plan.query) if previous and found.plan.query else ()
        used = spending.used(run_id, question, found)
    except SupersededError:
        superseded(record)
        return
    except (OperationalError, InterfaceError):
        # The database is away or locked for too long, so nothing can be written. The sweep takes the run up.
        logger.exception("Run %s is left to the sweep: the database does not answer", run_id)
        connection.close()
        return
    except Exception:
        logger.exception("Run %s failed", run_id)
        try:
            record.failed()
        except SupersededError:
            superseded(record, asked=False)
            return
        used = spending.used(run_id, question, None)
        finish(run_id, attempt, used, status=Run.Status.FAILED, outcome=Run.Outcome.ERROR)
        return
    finish(
        run_id,
        attempt,
        used,
        found,
        status=Run.Status.DONE,
        ms=round(milliseconds(started)),
        taken=[one.model_dump() for one in taken] or None,
    )


def cells_asked(found: Answer) -> int:
    """The cells of its tables, which count by their size."""
    return sum(cell.asked for block in found.blocks if block.table for cell in block.table.cells)


def superseded(record: Recorder, asked: bool = True) -> None:
    """Leave a run to the later attempt that holds it; for a deleted run, count what was spent on it.

    asked: whether it counts as a question.
    """
    if Run.objects.filter(pk=record.run_id).exists():
        logger.info("Run %s is held by a later attempt than %s", record.run_id, record.attempt)
        return
    logger.info("Run %s was deleted while it was worked on", record.run_id)
    spending.settle_deleted(record.run_id, record.session.calls if record.session else (), asked)
    if unwritten := record.unwritten:
        account_deletion.keep_usage({now().date(): counted(unwritten)})


def milliseconds(started: float) -> float:
    return (time.perf_counter() - started) * 1000


def beating(run_id: UUID, attempt: int, deps: Deps, mode: Mode | None) -> AbstractContextManager[object]:
    """Heartbeats for a run with a model, one call of which may take longer than a run may be silent."""
    if deps.session is None:
        return nullcontext()
    longest = max(settings.MODEL_RUN_DEADLINE[one] for one in ([mode] if mode else PLANNED))
    return Heartbeat(run_id, attempt, longest + SLACK)


def columns(found: Answer) -> dict[str, Any]:
    """The columns of a run that are copied from its answer, for lists and statistics."""
    refusals = [block.refusal for block in found.blocks if block.refusal] if found.refusal_code else []
    first = next(iter(companies(found)), None)
    return {
        "answer": found.model_dump(mode="json"),
        "type": str(found.plan.type),
        "outcome": found.outcome,
        "refusal_code": found.refusal_code,
        "refusal_stage": refusals[0].stage if refusals else "",
        "company": first.name if first else "",
        "cik": first.cik if first else None,
        "summary": summary(found),
    }


def companies(found: Answer) -> list[CompanyRef]:
    """The companies that an answer is about, each once."""
    return list(found.plan.companies)


def remember_companies(run_id: UUID, found: Answer) -> None:
    """Store the companies of an answer, where there are several; a single one is in the run's columns."""
    several = companies(found)
    if len(several) > 1:
        rows = (RunCompany(run_id=run_id, cik=one.cik, name=one.name) for one in several)
        RunCompany.objects.bulk_create(rows, ignore_conflicts=True)


def summary(found: Answer) -> str:
    """The result in one line: figures, how many claims are quoted, data of the filing, how many passages; empty for a
    refusal, whose code says it.
    """
    query = found.plan.query
    # A grid has no words; its figures are counted.
    grid = query is not None and bool(query.rows) and not query.words
    count = sum(len(block.table.asserted) for block in found.blocks if block.table)
    figures = f"{count} figure{'' if count == 1 else 's'}" if grid else table_summary(found)
    claims = [one for block in found.blocks for one in block.claims]
    made = len(claims) + sum(len(block.dropped) for block in found.blocks if block.claims)
    verified = quoted(claims, made) if claims else ""
    data = [f"{one.label}: {one.value}" for block in found.blocks for one in block.particulars]
    near = sum(len(block.passages) for block in found.blocks if block.outcome == "passages")
    shown = f"{near} passage{'' if near == 1 else 's'} to read" if near else ""
    return "; ".join(filter(None, (figures, verified, *data, shown)))[:300]


def table_summary(found: Answer) -> str:
    """The result of an answer's tables: the results of operations, or the first figures; of parts, how many.

    Figures of several companies are named.
    """
    scale = found.plan.scale
    said = [
        f"{_of_whom(one, block.table)}{shown(one.value, one.unit, scale, reported=False if one.formula else None)}"
        for block in found.blocks
        if block.table
        for one in newest(block.table)
        if one.value is not None
    ]
    tables = [block.table for block in found.blocks if block.table]
    cells = [cell for table in tables for cell in table.asserted if cell.value is not None]
    if not said and any(cell.part for cell in cells):
        return f"{len(cells)} figures"
    several = len({cell.cik for cell in cells}) > 1
    said = said or [
        f"{f'{cell.company} ' if several else ''}{shown(cell.value or Decimal(0), cell.unit, scale, reported=cell.fact is not None)}"
        for cell in cells
    ]
    more = len(said) - MOST_SUMMED
    either = any(block.table and found.plan.reads_in_several_ways(block.table) for block in found.blocks)
    return (
        (" or " if either else ", ").join(said)
        if len(said) < MOST_SUMMED
        else ", ".join(said[:MOST_SUMMED]) + (f" and {more} more" if more else "")
    )


def newest(table: Table) -> list[Result]:
    """Results without rankings of earlier years than the newest."""
    rankings = table.rankings
    last = max(rankings, key=lambda one: one.places, default=None)
    return [one for one in table.results if one not in rankings or one is last]


def _of_whom(one: Result, table: Table) -> str:
    """The words beside a result's figure: yes or no, or who comes first."""
    if one.holds is not None:
        return "yes, " if one.holds else "no, "
    if not one.order or one.operation == "difference":
        return ""
    first = [place for place in one.order if place.rank == 1]
    rows, names = ranked_rows(one, table), table.names
    who = [
        rows.get(place.row) or (one.place_of(place).called if one.cik else names.get(place.cik, "")) for place in first
    ]
    return f"{listed(who)}: "


def finish(run_id: UUID, attempt: int, used: dict[str, Any], found: Answer | None = None, **fields: Any) -> bool:
    """Close the run if the attempt still holds it, and settle its usage (agent.runs.spending.used)."""
    if found is not None:
        fields |= columns(found)
    with transaction.atomic():
        ended = bool(Run.objects.of_attempt(run_id, attempt).update(finished=now(), **fields))
        if ended:
            quotas.settle(run_id, **used)
            history_index.remember(run_id)
            if found is not None:
                remember_companies(run_id, found)
                used_facts.remember([(Run.objects.only("created").get(pk=run_id), found)])
        elif not Run.objects.filter(pk=run_id).exists():
            # Deleted since the last step was written.
            quotas.settle(run_id, **used)
    if ended:
        monitoring.closed(fields)
    return ended
