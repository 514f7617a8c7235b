"""`manage.py site_figures`: what this site has answered and refused, and how its saved answers stand."""

from typing import Any

from django.core.management.base import BaseCommand

from agent.standings.site_figures import by_heading


class Command(BaseCommand):
    """Prints the figures that the page "How we know" shows of this site."""

    help = 'Print what this site has answered and refused, as the page "How we know" shows it.'

    def handle(self, *args: Any, **options: Any) -> None:
        for heading, figures in by_heading():
            self.stdout.write(heading)
            for one in figures:
                self.stdout.write(
                    f"  {one.name}: {one.part} of {one.whole}, {one.share:.1f} % ({one.low:.1f} to {one.high:.1f} %)"
                )
            if not figures:
                self.stdout.write("  none yet")
