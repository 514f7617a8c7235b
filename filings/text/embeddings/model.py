"""The protocol of embedding models, their errors, and progress reports."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Progress = Callable[[int], None]


def report(progress: Progress, before: int, done: int) -> None:
    """Report how many are done in addition to those before."""
    progress(before + done)


def unheard(done: int) -> None:
    """A progress callback that does nothing."""


class EmbeddingUnavailable(Exception):
    """Raised if vectors cannot be computed now; a later try can help. The message is a sentence for people, without secrets."""


class EmbeddingMisconfigured(EmbeddingUnavailable):
    """Raised if a setting must be corrected or the installation repaired first; the message says which."""


class Model(Protocol):
    """A model that turns texts into vectors. `model` names it without secrets; vectors of two names are never compared."""

    model: str
    dimensions: int

    def documents(self, texts: Sequence[str], progress: Progress = unheard) -> NDArray[np.float32]:
        """Unit vectors of shape (len(texts), dimensions). `progress` is called often: while waiting too."""
        ...

    def query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a question, of shape (dimensions,)."""
        ...

    def close(self) -> None:
        """Release resources; the model is not used again."""
        ...
