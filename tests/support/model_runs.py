"""Runs with a scripted model over the fictional sample, quick enough to be made by the hundred."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from pytest_django import Settings
from tenacity import wait_exponential_jitter

from agent.certificates.verify import reverify
from agent.numbers.facts.render import inline
from agent.programs import breaker, calls, reading_cache
from agent.prose.search import passages as prose_passages
from agent.runs import answer_cache
from agent.runs.answer_json import DRAFTED, asserted
from agent.state import AgentState, Answer, Claim, Scope
from agent.state.modes import Mode
from agent.steps import pipeline
from agent.steps.blocks import conclude
from agent.steps.deps import Deps, begun
from evals.golden import TODAY
from filings.models import Section
from filings.search import passages
from tests.support.model_server import LocalModel, named_in

NUMBER = re.compile(r"\d[\d,.]*\d|\d")


@dataclass(frozen=True)
class Made:
    """A run, its answer, and the session that paid for it."""

    state: AgentState
    answer: Answer
    session: calls.Session

    @property
    def outcomes(self) -> list[tuple[str, str]]:
        """(program, outcome) of every request, in order."""
        return [(call.program, call.outcome) for call in self.session.calls]

    @property
    def shown(self) -> list[str]:
        """Every claim as it is shown."""
        return [claim.shown for block in self.answer.blocks for claim in block.claims]

    @property
    def notes(self) -> list[str]:
        return [note for block in self.answer.blocks for note in block.notes]

    @property
    def why(self) -> str:
        """Why there was no further round; empty where nothing was drafted."""
        return self.state.decisions[-1].why if self.state.decisions else ""


@pytest.fixture
def scripted(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalModel]:
    """The models of the settings, on a server of this machine; what is tried again is tried at once."""
    quick = wait_exponential_jitter(multiplier=0.005, max=0.02, jitter=0.005)
    monkeypatch.setattr(calls, "backoff", quick)
    # What a script says next is what is tested: every run asks it anew.
    monkeypatch.setattr(answer_cache, "recall", lambda *args, **kwargs: None)
    monkeypatch.setattr(reading_cache, "reply", lambda name: None)
    with named_in(settings) as server:
        yield server


_found: dict[Any, Any] = {}


@pytest.fixture
def searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search of the sample is made once a session: a hundred runs ask the same few questions."""
    search = passages.find_all

    def find_all(searches: Any, limit: int = 8) -> Any:
        key = (tuple(searches), limit)
        if key not in _found:
            _found[key] = search(searches, limit)
        return _found[key]

    monkeypatch.setattr(passages, "find_all", find_all)
    found = prose_passages.found

    def once(asked: Any) -> Any:
        keys = [
            (one.target.id, one.target.company.cik, one.topic.model_dump_json(exclude={"searches"}), one.filing.filing)
            for one in asked
        ]
        if not all(key in _found for key in keys):
            _found.update(zip(keys, found(asked), strict=True))
        return [_found[key] for key in keys]

    monkeypatch.setattr(prose_passages, "found", once)


def run(question: str, mode: Mode | None = None, known: Deps | None = None, scope: Scope | None = None) -> Made:
    """A run with the models of the settings, each of whose endpoints has not failed yet.

    known: dependencies of a run before this one, where nothing has been stored since. scope: the document chosen.
    """
    breaker.forget()
    session = begun(mode or Mode.STANDARD)
    assert session is not None
    deps = replace(known or Deps.current(TODAY), session=session, selections={})
    state = pipeline.run(question, deps, mode=mode, scope=scope)
    return Made(state, conclude(state, deps, lambda near: False), session)


def untrue(made: Made) -> list[str]:
    """What of an answer cannot be found in the database again; empty where all can."""
    problems = [check.detail for check in reverify(made.answer) if not check.ok]
    targets = {target.id: target for target in made.answer.plan.targets}
    figures = {inline(cell, made.answer.plan.scale) for cell in asserted(made.answer)}
    for block in made.answer.blocks:
        for claim in block.claims:
            section = Section.objects.select_related("filing__company").get(pk=claim.section)
            filings = {one.accession for one in block.filings}
            if section.text[claim.start : claim.end] != claim.quote:
                problems.append("A quotation is not where it is cited.")
            if section.filing.company.cik != targets[block.target].company.cik or claim.accession not in filings:
                problems.append("A claim is of another filing than its block.")
            if set(NUMBER.findall(claim.text)) - set(NUMBER.findall(claim.cited)) - exempt(claim.text, section):
                problems.append("A claim has a number that its quotation does not have.")
            if any(figure not in figures for _, figure in claim.figures):
                problems.append("A figure is not of this answer.")
            if not claim.verdict or (claim.verdict not in DRAFTED and "".join(claim.text.split()) not in bare(claim)):
                problems.append("What is shown is not what is quoted.")
    return problems


def bare(claim: Claim) -> str:
    return "".join(claim.cited.split())


def exempt(text: str, section: Section) -> set[str]:
    """The fiscal year, as a label."""
    year = str(section.filing.fiscal_year)
    return {year} if f"fiscal {year}" in text or f"FY{year}" in text else set()
