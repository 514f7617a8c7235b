"""What a golden can be made of: asked before a candidate is approved, and again when it is exported."""

from collections.abc import Sequence
from typing import Any
from unicodedata import normalize

from agent.models import Feedback, GoldenCandidate, Run
from agent.web.admin.golden_pointers import FactPointer, PassagePointer
from filings.models import Section


class NotDue(ValueError):
    """No golden can be made of it; the message is a sentence. field: of the candidate, where that is put right."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field = field


def due(
    outcome: str, code: str, facts: Sequence[Any], passages: Sequence[Any]
) -> tuple[list[FactPointer], list[tuple[PassagePointer, str]]]:
    """The numbers that are due, or the passages, each with its text; neither for a refusal. Raises NotDue.

    facts, passages: as a candidate keeps them.
    """
    if outcome == GoldenCandidate.Due.REFUSED:
        if not code:
            raise NotDue("code", "Name the refusal that is due.")
        return [], []
    if facts and passages:
        raise NotDue("outcome", "An answer with both figures and text cannot be a golden.")
    if not (facts or passages):
        raise NotDue("outcome", "The run points at no fact or passage to compare an answer with.")
    numbers = [FactPointer.model_validate(one) for one in facts]
    if derived := sorted({one.operand_of for one in numbers if one.operand_of}):
        raise NotDue("outcome", f"{', '.join(derived)} is derived, and a golden points at one fact.")
    return numbers, [(one, text_of(one)) for one in map(PassagePointer.model_validate, passages)]


def undisputed(run: Run, outcome: str, code: str) -> None:
    """Raises NotDue for what a run came to while somebody's word against it waits for a reviewer."""
    given: Feedback | None = getattr(run, "feedback", None)
    if given is None or given.verdict == Feedback.Verdict.RIGHT or given.status == Feedback.Status.HANDLED:
        return
    if (outcome, code) == (run.outcome, run.refusal_code):
        verdict = given.get_verdict_display().lower()
        raise NotDue(
            "outcome", f"The feedback on the run says “{verdict}”: handle it first, or name what is due instead."
        )


def text_of(passage: PassagePointer) -> str:
    """The text of a passage, out of the section that is held. Raises NotDue."""
    section = Section.objects.filter(pk=passage.section, sha256=passage.sha256).only("text").first()
    if section is None:
        why = f"{passage.accession}: the text has been re-ingested since, and the passage is not in it."
        raise NotDue("outcome", why)
    text = section.text[passage.start : passage.end]
    if not any(letter.isascii() and letter.isalnum() for letter in normalize("NFKC", text)):
        raise NotDue("outcome", f"{passage.accession}: the passage has no words.")
    return text
