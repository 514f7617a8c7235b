"""The report of the mutations: by class how many were not shown, with the lower bound of their share, and the gates."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from diligence.statistics import Share
from evals.mutations.step_mutations import Tally

REPORT = Path(__file__).parents[1] / "reports" / "mutations.md"
LEAST, LEAST_BENIGN = 1000, 300
HEAD = """# Mutations

What one step of the pipeline hands to the next is corrupted, and the steps behind it run: `manage.py evaluate --mutate`.
Questions are goldens of the sample that are answered as they should be. A mutation counts as not shown where nothing that is
shown is false; benign variations change nothing that is true, and must be shown. Behind the last step, cite_check, nothing is
checked: what it would let pass is put in before it. Behind plan, what the question is read as is corrupted, and its words are not: an
answer that lacks what is asked counts as shown.
"""


def written(killed: Tally, kept: Tally) -> str:
    """The whole report."""
    said = datetime.now(UTC).strftime("Run of %Y-%m-%d.")
    tables = (("Not shown", killed), ("Benign variations shown", kept))
    return "\n".join([HEAD, said, "", *(line for title, tally in tables for line in table(title, tally))])


def table(title: str, tally: Tally) -> Iterator[str]:
    yield from (f"## {title}", "", "| Class | n | of these | at least (95 %) |", "|---|---:|---:|---:|")
    yield from (row(kind, share) for kind, share in sorted(tally.shares.items()))
    yield from (row("all", tally.whole), "")
    yield from (f"- {one}" for one in tally.survivors)


def row(kind: str, share: Share) -> str:
    return f"| {kind} | {share.whole} | {share.part} | {share.bounds[0]:.1%} |"


def failures(killed: Tally, kept: Tally, *, whole: bool) -> list[str]:
    """The gates that fail: nothing false is shown, nothing true is lost, and enough was tried, where all is run."""
    found = [f"false is shown, {one}" for one in killed.survivors] + [f"lost, {one}" for one in kept.survivors]
    tried = ((killed, LEAST, "mutations"), (kept, LEAST_BENIGN, "benign variations"))
    return found + [
        f"only {one.whole.whole} {what}" for one, least, what in tried if whole and one.whole.whole < least
    ]
