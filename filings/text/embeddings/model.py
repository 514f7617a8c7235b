"""The interface of an embedding model: its protocol, errors and progress reports."""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Progress = Callable[[int], None]


def report(progress: Progress, before: int, done: int) -> None:
    """Tell how many are done when so many were before."""
    progress(before + done)


def unheard(done: int) -> None:
    """A progress callback that does nothing."""


class EmbeddingUnavailable(Exception):
    """No vectors now; a later try can help. The message is a sentence for people, without secrets."""


class EmbeddingMisconfigured(EmbeddingUnavailable):
    """No vectors until a setting is corrected or the installation mended; the message says which."""


class Model(Protocol):
    """What turns texts into vectors. `model` names it without secrets; vectors of two names are never compared."""

    model: str
    dimensions: int

    def documents(self, texts: Sequence[str], progress: Progress = unheard) -> NDArray[np.float32]:
        """Unit vectors of shape (len(texts), dimensions). `progress` is called often: while waiting too."""
        ...

    def query(self, text: str) -> NDArray[np.float32]:
        """The unit vector of a question, of shape (dimensions,)."""
        ...

    def close(self) -> None:
        """Close what is open; the model is not used again."""
        ...
