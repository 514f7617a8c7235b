"""Agent time for prose questions, warm, on an embedded index of 22,000 chunks, and the memory of the worker.

The bundled sample is loaded into a folder of its own, and made-up filings (`evals.bench.search`) fill its index up;
then the answerable goldens of the sample are asked, each once to warm up and again, timed. The question is embedded
each time: the memory of questions is emptied before.
"""

import os
import time

from evals.bench.program import DEPLOYED, own_database, peak
from evals.runner import spread

GOAL_P95 = 500.0
CHUNKS = 22_000
# Beyond every filing of the sample.
FIRST_FILING = 100_000


def measure() -> str:
    """The times and the memory, as text."""
    with own_database("prose", ELASTICSEARCH_URL="", **DEPLOYED) as step:
        # Filled by another process than the one whose memory is measured.
        return "\n".join(step(name) for name in ("fill", "ask"))


def fill() -> str:
    """Load the sample into the empty database of this process, and fill its index up."""
    from django.core.management import call_command

    from evals.bench import search
    from filings.models import Chunk
    from filings.sample.load import load
    from filings.search.active_indexes import indexes

    call_command("migrate", verbosity=0)
    started = time.perf_counter()
    load()
    took, held = time.perf_counter() - started, Chunk.objects.count()
    made, (index, *_) = search.MadeUp(), indexes()
    filings = range(FIRST_FILING, FIRST_FILING + -(-(CHUNKS - held) // search.CHUNKS))
    for filing in filings:
        index.put(filing, made.filing(filing))
    return (
        f"prose: sample loaded in {took:.0f} s, {held:,} chunks; {len(filings) * search.CHUNKS:,} made up beside them "
        f"in the {index.name} index"
    )


def ask() -> str:
    """The times and the peak memory of this process, which asks."""
    from agent.steps import pipeline
    from agent.steps.deps import Deps
    from evals import prose_golden
    from evals.golden import TODAY
    from filings.text.embeddings import embedder

    rows = prose_golden.read(prose_golden.SAMPLE)
    questions = [row.question for row in rows if row.outcome == "answered" and not row.data]
    model = embedder()
    times, worked = [], []
    for timed in (False, True):
        for question in questions:
            model.queries.clear()
            started, began = time.perf_counter(), time.process_time()
            pipeline.answer(question, Deps.current(TODAY))
            if timed:
                times.append((time.perf_counter() - started) * 1000)
                worked.append((time.process_time() - began) * 1000)
    return (
        f"{len(times)} prose questions, warm: {spread(times)} "
        f"(goal {GOAL_P95:.0f}), longest {max(times):.0f} ms; of the processor alone, {spread(worked)}; load of the machine {os.getloadavg()[0]:.1f}\n"
        f"memory of the worker that answered them: {peak()} MB at its peak"
    )
