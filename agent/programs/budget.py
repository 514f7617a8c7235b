"""What a run may still spend: tokens in and out, money, and time."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Usage:
    """What one call used. `estimated`: the endpoint did not say, and the characters were counted instead."""

    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)
    estimated: bool = False


@dataclass(frozen=True)
class Left:
    """What is left: None where there is no limit; never below nothing."""

    tokens: int | None
    cost: Decimal | None
    seconds: float


class Budget:
    """The limits of one run. It says what is left and refuses nothing itself. Safe to be used by several threads.

    `tokens` in + out and `cost` in USD, 0 for no limit; `seconds` from now.
    """

    def __init__(self, *, tokens: int, cost: Decimal | float = 0, seconds: float) -> None:
        self.lock = threading.Lock()
        self.begun = time.monotonic()
        self.limit(tokens=tokens, cost=cost, seconds=seconds)
        self.spent = Usage()
        # Promised to calls that are on their way: six at once may not each spend the last tokens.
        self.held_tokens, self.held_cost = 0, Decimal(0)

    def limit(self, *, tokens: int, cost: Decimal | float = 0, seconds: float) -> None:
        """Set other limits: what is spent counts, and the seconds are counted from the beginning."""
        with self.lock:
            self.tokens, self.cost = tokens, Decimal(str(cost))
            self.deadline = self.begun + seconds

    def spend(self, usage: Usage) -> None:
        """Count what a call used, also beyond the limit."""
        with self.lock:
            self.spent = Usage(
                self.spent.tokens_in + usage.tokens_in,
                self.spent.tokens_out + usage.tokens_out,
                self.spent.cost + usage.cost,
                self.spent.estimated or usage.estimated,
            )

    def left(self) -> Left:
        """What is neither spent nor held."""
        with self.lock:
            return self._left()

    def allows(self, tokens: int, cost: Decimal | int = 0) -> bool:
        """Whether a call of so many tokens, in + out, still fits, and there is time for one."""
        with self.lock:
            return self._allows(tokens, Decimal(cost))

    @contextmanager
    def held(self, tokens: int, cost: Decimal | int = 0) -> Iterator[bool]:
        """Keep so much for the call inside; False, and nothing kept, where it does not fit."""
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
            # A call that costs nothing is not stopped by money that is gone.
            and (left.cost is None or cost <= left.cost)
        )
