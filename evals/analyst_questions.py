"""`python -m evals.analyst_questions [analyst|natural] [seen|unseen]`: questions for figures, as people type them.

Asked of the database at hand, with the figures of real companies (`python -m evals.bank --ingest` reads them). An answer is
right if it shows every figure of the truth, and nearest if it does so without asserting them; where the truth has none, it
is right if it is refused. One that is neither is listed, to be read for what misleads.
"""

import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from agent.models import Run

FOLDER = Path(__file__).parent / "goldens"
BANKS = ("analyst", "natural")
VERDICTS = ("right", "nearest", "to read", "refused")
# A truth may be rounded, and a figure shown in other units: a percentage as a fraction.
NEAR = Decimal("0.0005")
SCALES = (Decimal(1), Decimal(100), Decimal("0.01"))


def read(bank: str, half: str = "") -> list[dict[str, Any]]:
    """The questions of a bank, of one half or of both."""
    rows = [json.loads(line) for line in (FOLDER / f"{bank}.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if half in ("", row["half"])]


def shows(values: Sequence[Decimal], truth: Decimal) -> bool:
    """Whether a value equals the truth within its last digit."""
    exponent = truth.as_tuple().exponent
    slack = max(abs(truth) * NEAR, Decimal(10) ** int(exponent) / 2)
    return any(abs(one * scale - truth) <= slack for one in values for scale in SCALES)


def verdict(outcome: str, values: Sequence[Decimal], figures: Sequence[dict[str, Any]]) -> str:
    """right, nearest, refused, or to read: answered without a figure of the truth.

    figures: each with its value, and others that are as right.
    """
    told = outcome in {"answered", "nearest"}
    if not figures:
        return "to read" if told else "right"
    due = [[Decimal(one) for one in (figure["value"], *figure.get("also", ()))] for figure in figures]
    if told and all(any(shows(values, one) for one in accepted) for accepted in due):
        return "right" if outcome == "answered" else "nearest"
    return "to read" if told else "refused"


def values_of(answer: Any) -> Iterator[Decimal]:
    """Every value of an answer as it is stored."""
    if isinstance(answer, dict):
        if isinstance(value := answer.get("value"), str):
            with suppress(ArithmeticError):
                yield Decimal(value)
        for one in answer.values():
            yield from values_of(one)
    elif isinstance(answer, list):
        for one in answer:
            yield from values_of(one)


def asked(row: dict[str, Any]) -> "Run":
    """The run of a question's last follow-up, or of the question."""
    from accounts.identity import Identity
    from accounts.models import User
    from agent import tasks
    from agent.runs import create_run

    user, _ = User.objects.get_or_create(
        email="analyst@example.org", defaults={"is_staff": True, "is_superuser": True}
    )
    run: Run | None = None
    for question in (row["question"], *row.get("follow_ups", ())):
        run = create_run.start(Identity(user=user), question, continues=run)
        tasks.answer(str(run.pk))
        run.refresh_from_db()
    return run  # type: ignore[return-value]  # every row has a question


def main(arguments: Sequence[str]) -> int:
    """Print what is not right, and the counts by kind."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    bank = next((one for one in arguments if one in BANKS), BANKS[0])
    for row in read(bank, next((one for one in arguments if one not in BANKS), "")):
        run = asked(row)
        found = verdict(run.outcome, list(values_of(run.answer)), row["figures"])
        counts[row["kind"]][found] += 1
        if found != "right":
            said = " > ".join((row["question"], *row.get("follow_ups", ())))
            print(f"{found:<8} {row['id']:<14} {run.refusal_code or run.summary[:60]:<28} {said}")
    for kind, told in counts.items():
        print(f"{kind}: of {told.total()} {', '.join(f'{told[one]} {one}' for one in VERDICTS)}")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    sys.exit(main(sys.argv[1:]))
