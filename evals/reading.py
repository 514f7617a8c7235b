"""The reader of `agent.query` beside the planner of `agent.language`: every question on which they differ.

python -m evals.reading                 goldens
python -m evals.reading --bank          natural questions of ../shared, each with its query in one line
python -m evals.reading --every         every question, not only those that differ
"""

import argparse
import json
import lzma
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()

from agent.registrants import stored
from agent.registrants.companies import Companies, Registrant
from agent.language.parts import read_parts
from agent.numbers.registry import load
from agent.query.explain import line
from agent.query.faces import printed
from agent.query.lexicon import key_of
from agent.query.misread import Misread
from agent.state.query import Query, Years
from agent.query.reading import read
from agent.state import Plan
from evals import golden

SHARED = Path(__file__).resolve().parents[1] / "../shared"
BANK = SHARED / "questions/bank.jsonl"


def companies() -> Companies:
    """The stored registrants, with those of SEC's list beside the project; those that bank questions name are held."""
    held = {one.cik: one for one in stored.stored()}
    listed = SHARED / "edgar/mirror/files/company_tickers.json.xz"
    if listed.is_file():
        wanted = {ticker for row in bank() for ticker in row["companies"]}
        rows = json.loads(lzma.decompress(listed.read_bytes())).values()
        symbols: dict[int, list[str]] = {}
        for row in rows:
            symbols.setdefault(row["cik_str"], []).append(row["ticker"])
        for row in rows:
            cik = row["cik_str"]
            covered = bool(wanted & set(symbols[cik])) or (cik in held and held[cik].covered)
            former = held[cik].former if cik in held else ()
            foreign = held[cik].foreign if cik in held else False
            held[cik] = Registrant(
                cik, row["title"], tuple(symbols[cik]), former=former, covered=covered, foreign=foreign
            )
        held.setdefault(1618921, Registrant(1618921, "Walgreens Boots Alliance, Inc.", (), covered=True))
    return Companies.of(held.values())


def bank() -> list[dict]:  # type: ignore[type-arg]
    """The natural questions with their truths; none where they are not beside the project."""
    return [json.loads(row) for row in BANK.read_text(encoding="utf-8").splitlines()] if BANK.is_file() else []


def told(found: Query | Misread) -> tuple[object, ...]:
    """A query as the old planner's targets: company, keys and years; of anything more, none."""
    if isinstance(found, Misread):
        return ("refused", found.code.value)
    if found.topics or found.particulars:
        return ("text", tuple(sorted(one.cik for one in found.companies)))
    keys = tuple(key_of(row.measure) for row in found.rows if not row.mention)
    years = tuple(one.year or one.end for one in found.periods.periods) if isinstance(found.periods, Years) else ()
    simple = not found.operations and len(found.companies) == 1 and isinstance(found.periods, Years)
    return ("figures" if simple else "table", tuple(one.cik for one in found.companies), keys, years)


def planned(found: Plan | Misread) -> tuple[object, ...]:
    """The old planner's plan in the same words."""
    if not isinstance(found, Plan):
        return ("refused", found.code.value)
    if not found.targets:
        return ("refused", found.meta)
    figures = [one for one in found.targets if one.readings]
    if not figures:
        return ("text", tuple(sorted({one.company.cik for one in found.targets})))
    keys = tuple(dict.fromkeys(one.concept for target in figures for one in target.readings if not one.mention))
    years = tuple(dict.fromkeys(one.period.year or one.period.end for one in figures))
    return ("figures", tuple(dict.fromkeys(one.company.cik for one in figures)), keys, years)


def kind_of(old: tuple[object, ...], new: tuple[object, ...]) -> str:
    """How two readings compare."""
    if old == new:
        return "same"
    if old[0] == "refused" and new[0] == "refused":
        return "refused otherwise"
    if old[0] == "refused":
        return "new answers"
    return "new refuses" if new[0] == "refused" else "differ"


def questions(*, natural: bool) -> Iterator[tuple[str, str, str]]:
    """Id, what is due, question."""
    if natural:
        for row in bank():
            yield (
                row["id"],
                f"{row['category']} {row['companies']} {row['fiscal_years']} {_truth(row['truth'])}",
                row["question"],
            )
        return
    for one in golden.read():
        due = " ".join(value.concept for value in one.values) or one.code
        yield one.id, f"{one.outcome} {due}", one.question


def _truth(truth: dict) -> str:  # type: ignore[type-arg]
    said = [str(truth[key]) for key in ("tag", "formula", "ask", "reason") if truth.get(key)]
    values = truth.get("values", [])[: 1 if "ask" in truth else None]
    said += [str(value.get("tag") or value.get("formula") or "") for value in values]
    return " ".join(said)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bank", action="store_true")
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--only", default="", help="ids that begin so")
    chosen = parser.parse_args(arguments)
    index, registry = companies(), load()
    counts: Counter[str] = Counter()
    taken = []
    for name, due, question in questions(natural=chosen.bank):
        if not name.startswith(chosen.only):
            continue
        old = planned(read_parts(question, index, registry, golden.TODAY)[0])
        started = time.perf_counter()
        found = read(question, index, registry, golden.TODAY, lambda ciks: printed(ciks, index.version))
        taken.append((time.perf_counter() - started) * 1000)
        kind = kind_of(old, told(found))
        counts[kind] += 1
        if chosen.every or (kind != "same" and kind != "refused otherwise"):
            sys.stdout.write(f"{name} [{kind}] {question}\n    due {due}\n    old {old}\n    new {line(found)}\n")
    sys.stdout.write(
        f"{dict(counts)}; reading {statistics.median(taken):.1f} ms median, {max(taken):.1f} ms at most\n"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
