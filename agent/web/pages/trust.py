"""The page "How we know": the figures of the last evaluation and those of this site."""

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.request_types import Request
from agent.standings import site_figures
from agent.standings.site_figures import Figure

SUMMARY = Path(settings.BASE_DIR) / "evals" / "reports" / "summary.json"


@require_safe
def how_we_know(request: Request) -> HttpResponse:
    """Show what is known of how often answers are right."""
    return render(request, "agent/how_we_know.html", {"evaluated": evaluated(), "site": site_figures.by_heading()})


def evaluated(path: Path | None = None) -> list[Figure]:
    """The figures of the last evaluation, as `manage.py evaluate --report` has written them; none where it never has."""
    path = path or SUMMARY
    if not path.is_file():
        return []
    held: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return [
        Figure(name, **{**one, "low": 100 * one["low"], "high": 100 * one["high"]})
        for name, one in held.items()
        if one["whole"]
    ]
