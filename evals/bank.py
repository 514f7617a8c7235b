"""Natural questions beside the project, asked of the mirror's filings: a row of results each, scored by their own script.

python -m evals.bank --ingest           figures and faces of the mirror into the database of the settings, in minutes
python -m evals.bank RESULTS.jsonl      ask all, write the rows, print the score
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diligence.settings")
    django.setup()

from agent.runs.answer_json import row
from agent.steps.precheck import problem_with
from evals import mirror, mirror_figures, runner

FOLDER = Path(__file__).resolve().parents[1] / "../shared/questions"


def ask(results: Path, only: str = "") -> None:
    """Write a row for each question whose id begins so."""
    with (FOLDER / "bank.jsonl").open(encoding="utf-8") as lines, results.open("w", encoding="utf-8") as file:
        for line in lines:
            one = json.loads(line)
            if not one["id"].startswith(only) or problem_with(one["question"]):
                continue
            asked = runner.ask(one["question"], offers=True)
            found = row(one["id"], asked.answer, asked.ms)
            found["table"] = [cell for cell in found["table"] if cell["asked"]]
            file.write(json.dumps(found, ensure_ascii=False) + "\n")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, nargs="?")
    parser.add_argument("--ingest", action="store_true")
    parser.add_argument("--only", default="", help="ids that begin so")
    chosen = parser.parse_args(arguments)
    if not mirror.is_there() or not FOLDER.is_dir():
        sys.stderr.write("The questions or the mirror are not beside the project.\n")
        return 1
    if chosen.ingest:
        with mirror.edgar(forms=True):
            mirror_figures.ingest()
    if chosen.results is None:
        return 0
    ask(chosen.results, chosen.only)
    return subprocess.call([sys.executable, str(FOLDER / "score.py"), str(chosen.results)])  # noqa: S603


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
