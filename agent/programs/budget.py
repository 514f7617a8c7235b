"""The remaining budget of a run: tokens in and out, money, and time."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Usage:
    """The usage of one call. `estimated`: counted by characters, because the endpoint did not report it."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)
    estimated: bool = False


@dataclass(frozen=True)
class Left:
    """The remaining amounts: None where there is no limit; never negative."""

    tokens: int | None
    cost: Decimal | None
    seconds: float


class Budget:
    """The limits of one run. It reports what is left and refuses nothing itself. Thread-safe.

    `tokens` in + out and `cost` in USD, 0 for no limit; `seconds` from now.
    """

    def __init__(self, *, tokens: int, cost: Decimal | float = 0, seconds: float) -> None:
        self.lock = threading.Lock()
        self.begun = time.monotonic()
        self.limit(tokens=tokens, cost=cost, seconds=seconds)
        self.spent = Usage()
        # Reserved by calls under way, so that parallel calls do not each spend the last tokens.
        self.held_tokens, self.held_cost = 0, Decimal(0)

    def limit(self, *, tokens: int, cost: Decimal | float = 0, seconds: float) -> None:
        """Change the limits; what is spent and the starting time stay."""
        with self.lock:
            self.tokens, self.cost = tokens, Decimal(str(cost))
            self.deadline = self.begun + seconds

    def spend(self, usage: Usage) -> None:
        """Count a call's usage, even beyond the limit."""
        with self.lock:
            self.spent = Usage(
                self.spent.tokens_in + usage.tokens_in,
                self.spent.tokens_out + usage.tokens_out,
                self.spent.cost + usage.cost,
                self.spent.estimated or usage.estimated,
            )

    def left(self) -> Left:
        """The amounts neither spent nor reserved."""
        with self.lock:
            return self._left()

    def allows(self, tokens: int, cost: Decimal | int = 0) -> bool:
        """Whether a call of this many tokens, in + out, still fits, with time for it."""
        with self.lock:
            return self._allows(tokens, Decimal(cost))

    @contextmanager
    def held(self, tokens: int, cost: Decimal | int = 0) -> Iterator[bool]:
        """Reserve tokens for the call inside the block; False, with nothing reserved, where it does not fit."""
        with self.lock:
            fits = self._allows(tokens, Decimal(cost))
            if fits:
                self.held_tokens += tokens
                self.held_cost += Decimal(cost)
        try:
            yield fits
        finally:
            if fits:
                with self.lock:
                    self.held_tokens -= tokens
                    self.held_cost -= Decimal(cost)

    def _left(self) -> Left:
        used = self.spent.tokens_in + self.spent.tokens_out + self.held_tokens
        return Left(
            tokens=max(0, self.tokens - used) if self.tokens else None,
            cost=max(Decimal(0), self.cost - self.spent.cost - self.held_cost) if self.cost else None,
            seconds=max(0.0, self.deadline - time.monotonic()),
        )

    def _allows(self, tokens: int, cost: Decimal) -> bool:
        left = self._left()
        return (
            left.seconds > 0
            and (left.tokens is None or tokens <= left.tokens)
            # A free call is not stopped by an exhausted cost limit.
            and (left.cost is None or cost <= left.cost)
        )
