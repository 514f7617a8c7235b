"""`python -m evals.bench [questions] [tables] [pages] [memory] [ingestion] [text] [redline] [imports] [search] [prose] [agent]`: times and memory, on the database of the settings.

`python -m evals.bench load`, `lists`, `growth`, `million`, `screener` and `standings` are run by their names alone: they take minutes, and the machine to
themselves.
"""

import os
import sys
from importlib import import_module

import django

from diligence.gc_tuning import settle

BENCHMARKS = (
    "questions",
    "tables",
    "pages",
    "memory",
    "ingestion",
    "text",
    "redline",
    "imports",
    "search",
    "prose",
    "agent",
)
# By name only.
ALONE = ("load", "lists", "growth", "million", "screener", "standings")


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all."""
    known = (*BENCHMARKS, *ALONE)
    if unknown := [name for name in names if name not in known]:
        sys.stderr.write(f"No benchmark is called {', '.join(unknown)}; there are {', '.join(known)}.\n")
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()
    settle()  # as the processes that answer do
    failed = 0
    for name in names or BENCHMARKS:
        try:
            print(import_module(f"evals.bench.{name}").measure(), flush=True)
        except RuntimeError as error:
            failed = 1
            print(f"{name}: not measured, {(str(error).strip().splitlines() or ['no reason given'])[-1]}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
