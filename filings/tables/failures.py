"""What of a document could not be read, each place by itself: nothing else that it prints is lost for it."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

# Whatever an unforeseen table or sentence does to the code that reads it.
UNFORESEEN = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Failure:
    """A place that could not be read, and the traceback that says why."""

    place: str
    reason: str


class Failures:
    """Collects the places of a document that could not be read."""

    def __init__(self) -> None:
        self.found: list[Failure] = []
        self.around: list[str] = []

    @contextmanager
    def at(self, place: str) -> Iterator[None]:
        """Ends a reading that fails, and notes its place with those around it."""
        self.around.append(place)
        try:
            yield
        except UNFORESEEN:
            self.found.append(Failure(", ".join(self.around), traceback.format_exc()))
        finally:
            self.around.pop()
