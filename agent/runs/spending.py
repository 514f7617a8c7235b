"""Charges runs to the asker's quota: reserves tokens before a run, and counts the actual use afterwards."""

import unicodedata
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, TypeVar
from uuid import UUID, uuid4

from django.conf import settings
from django.db.models import Sum

from accounts import quotas
from accounts.identity import Identity
from accounts.quotas import Length, Share, Want
from agent.models import Run, Step
from agent.programs import model_settings
from agent.runs.answer_json import as_text, block_text
from agent.runs.stored_answer import read
from agent.state import Answer, Block
from agent.state.modes import PLANNED, Mode
from agent.steps.deps import LEAST, Grant, open_to_visitors

# Tokens reserved for an answer without a model: more than the longest answer in the evaluation has. The actual number is
# counted afterwards.
ANSWER_TOKENS = 600
# Runs with a model leave this many tokens of the minute: further questions are answered without one.
LEFT_TO_OTHERS = 4_000
# Average number of letters in a word piece of English text.
CHARACTERS_A_TOKEN = 4
MILLION = 1_000_000

ONE = Share()
# Cells of a table that count as one answer.
CELLS = 50
Made = TypeVar("Made")


def reserve(identity: Identity, ref: UUID, question: str, mode: str = "") -> None:
    """Reserve what a run of this question may use. Raises TooLong or QuotaExceeded."""
    length = length_of(question)
    quotas.reserve(identity, ref, length=length, wants=wants(length.at_most, mode))


def at_once(identity: Identity, question: str, company: str, answer: Callable[[], Block]) -> Block:
    """Count a question that is answered without a run and a model.

    question: in words. company: the name of the one asked about. Raises TooLong or QuotaExceeded.
    """

    def as_text(shown: Block) -> tuple[str, bool]:
        return block_text(shown, company), shown.outcome == "answered"

    return counted(identity, question, answer, as_text)


def counted(
    identity: Identity,
    question: str,
    answer: Callable[[], Made],
    as_text: Callable[[Made], tuple[str, bool]],
    share: Share = ONE,
) -> Made:
    """Count work that is done at once, without a run and a model, as one question or several.

    as_text: returns the result as text, whose tokens count, and whether it is an answer. Raises TooLong or QuotaExceeded.
    """
    ref, length = uuid4(), length_of(question)
    wants = [Want(length.at_most + share.answers * ANSWER_TOKENS)]
    held = quotas.reserve(identity, ref, length=length, wants=wants, share=share)
    try:
        made = answer()
    except BaseException:
        quotas.release(ref)
        raise
    text, answered = as_text(made)
    # A table full of gaps can be longer than reserved; count no more than was reserved.
    tokens = min(pieces([question, text]), held.tokens)
    quotas.settle(ref, tokens=tokens, cost=Decimal(0), answered=answered)
    return made


def length_of(question: str) -> Length:
    return Length(most_pieces(question), lambda: pieces([question]))


def wants(question_tokens: int, mode: str = "") -> list[Want]:
    """The token amounts to try to reserve for a run, the largest first; the last is enough without a model."""
    free = Want(question_tokens + ANSWER_TOKENS)
    if not model_settings.named() or model_settings.problems():
        return [free]
    most = settings.MODEL_RUN_TOKENS[Mode(mode) if mode else PLANNED[-1]]
    price = dearest_price()
    return [*(Want(tokens, tokens * price, LEFT_TO_OTHERS) for tokens in steps_down(most)), free]


def steps_down(most: int) -> list[int]:
    """Amounts from `most` by halves, and those that the modes need at least."""
    found = {least for least in LEAST.values() if least <= most}
    while most >= LEAST[Mode.DIRECT]:
        found.add(most)
        most //= 2
    return sorted(found, reverse=True)


def dearest_price() -> Decimal:
    """The highest price of one token in USD, whichever model reads or writes it."""
    prices = [
        model_settings.value(name, part) for name in model_settings.NAMES for part in ("_PRICE_IN", "_PRICE_OUT")
    ]
    return max(Decimal(str(price)) for price in prices) / MILLION


def most_pieces(question: str) -> int:
    """An upper bound of a question's word pieces: each stands for at least one letter.

    The exact number takes a tokenizer, which a web process loads only where this bound is over the limit.
    """
    return len(unicodedata.normalize("NFD", question))


def pieces(texts: Sequence[str]) -> int:
    """Word pieces of texts, by this machine's tokenizer; by their letters where it is not installed."""
    from filings.text.embeddings import EmbeddingMisconfigured, pieces_of

    try:
        return sum(pieces_of(texts))
    except EmbeddingMisconfigured:
        return sum(len(text) for text in texts) // CHARACTERS_A_TOKEN


def granted(run: Run) -> Grant:
    """What a run may use. A run started by a command belongs to nobody and may use everything."""

    def hold(cells: int) -> str:
        """Reserve the answers that a table of so many cells counts as; returns why not, if too few are left."""
        try:
            quotas.enlarge(run.pk, of_cells(cells), run.user)
        except quotas.QuotaExceeded as reached:
            return f"{reached.title.rstrip('.')}."
        return ""

    held = quotas.reserved(run.pk)
    visitor = run.user_id is None and run.visitor is not None
    # Tokens used by an attempt whose worker died stay used.
    left = max(0, held.tokens - asked_of_models(run.pk)["tokens"]) if held else None
    return Grant(tokens=left, ciks=open_to_visitors() if visitor else None, hold=hold)


def of_cells(cells: int) -> Share:
    """How many answers a table counts as: one for each `CELLS` begun."""
    return Share(max(1, -(-cells // CELLS)), f"The table has {cells:,} cells")


def used(run_id: UUID, question: str, answer: Answer | None) -> dict[str, Any]:
    """What a run has used, for `quotas.settle`: model tokens of all attempts; without a model, question and answer.

    answer: None for a failed run, which does not count as a question.
    """
    asked = asked_of_models(run_id)
    if not asked["tokens"] and answer is not None:
        asked["tokens"] = pieces([question, as_text(answer)])
    return {
        **asked,
        "answered": answer is not None and answer.outcome == "answered",
        "asked": answer is not None,
    }


def asked_of_models(run_id: UUID) -> dict[str, Any]:
    """Tokens, in and out, and cost in USD of a run's model requests, in all its attempts."""
    steps = Step.objects.filter(run=run_id, requests__gt=0)
    found = steps.aggregate(sent=Sum("tokens_in"), written=Sum("tokens_out"), cost=Sum("cost"))
    return {"tokens": (found["sent"] or 0) + (found["written"] or 0), "cost": found["cost"] or Decimal(0)}


def settle_deleted(run_id: UUID, calls: Sequence[Any], asked: bool) -> None:
    """Count what was spent on a run that was deleted while it ran.

    calls: agent.programs.calls.Call. asked: whether it counts as a question, which a failed one does not.
    """
    tokens, cost = sum(one.tokens_in + one.tokens_out for one in calls), sum((one.cost for one in calls), Decimal(0))
    quotas.settle(run_id, tokens=tokens, cost=cost, answered=False, asked=asked)


def sweep() -> int:
    """Settle ended runs that were not settled, and release reservations without a run; returns how many were released."""
    unfinished = Run.objects.filter(status__in=[Run.Status.QUEUED, Run.Status.RUNNING]).values("pk")
    for run in Run.objects.filter(pk__in=quotas.forsaken(unfinished)):
        # Its result is in its columns, also where its answer's format is no longer read.
        came_to = {"asked": bool(run.answer), "answered": run.outcome == Run.Outcome.ANSWERED}
        quotas.settle(run.pk, **{**used(run.pk, run.question, read(run.answer)), **came_to})
    return quotas.sweep(unfinished)
