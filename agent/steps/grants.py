"""What a run may take: tokens of its asker's quota, and the companies that it may be asked about."""

import hashlib
from dataclasses import dataclass

from django.conf import settings

from agent.state.modes import Mode, below
from filings.models import Company

# With fewer tokens a run of a mode would be cut short rather than done: of a mode below it, it may be done. One round
# over the sample takes 14,000, with room for the longest draft of the mode as much more as that may have.
LEAST = {
    Mode.DIRECT: 16_000,
    Mode.STANDARD: 24_000,
    Mode.DETAILED: 46_000,
    Mode.DEEP_SEARCH: 120_000,
}
# How it is told where the quota leaves less than the mode takes; it stands in every round of the run.
TOO_LITTLE = "The remaining quota was too small"
EVERY = "*"


@dataclass(frozen=True)
class Grant:
    """Of one run. tokens: in and out of models, None without a limit; ciks: companies, None for all of them."""

    tokens: int | None = None
    ciks: frozenset[int] | None = None

    def mode(self, wanted: Mode) -> Mode | None:
        """The mode, or the dearest cheaper one that there are tokens for; None where no model can be asked."""
        found: Mode | None = wanted
        while found is not None and self.tokens is not None and self.tokens < LEAST[found]:
            found = below(found)
        return found

    def note(self, wanted: Mode) -> str:
        """What a reader is told where it is another mode than wanted; empty where it is not."""
        found = self.mode(wanted)
        if found is wanted:
            return ""
        if found is None:
            return f"{TOO_LITTLE} for a language model, so none was used."
        return f"{TOO_LITTLE} for the mode \u201c{wanted.label}\u201d, so \u201c{found.label}\u201d was used."

    def covers(self, cik: int) -> bool:
        """Whether a company may be asked about."""
        return self.ciks is None or cik in self.ciks

    @property
    def scope(self) -> str:
        """Names the companies, for a cache of answers; empty for all of them."""
        if self.ciks is None:
            return ""
        return hashlib.sha256(",".join(map(str, sorted(self.ciks))).encode()).hexdigest()[:16]


def open_to_visitors() -> frozenset[int] | None:
    """CIKs that may be asked about without an account, as the settings say; None for all."""
    symbols = [symbol.strip().upper() for symbol in settings.ANON_TICKERS]
    if EVERY in symbols:
        return None
    held = Company.objects.filter(tickers__symbol__in=symbols) if symbols else Company.objects.filter(in_sample=True)
    return frozenset(held.values_list("cik", flat=True))
