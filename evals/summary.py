"""The last figures of each evaluation in `evals/reports/summary.json`, which the page "How we know" shows."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from diligence.statistics import Share
from diligence.version import VERSION

PATH = Path(__file__).parent / "reports" / "summary.json"


def keep(measured: Mapping[str, Share], command: str, path: Path = PATH) -> None:
    """Write shares by their names into the summary, in place of those of the same names; the others stay."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    for name, share in measured.items():
        low, high = share.bounds
        kept[name] = {
            "part": share.part,
            "whole": share.whole,
            "low": round(low, 4),
            "high": round(high, 4),
            "date": datetime.now(UTC).date().isoformat(),
            "version": VERSION,
            "command": command,
        }
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
