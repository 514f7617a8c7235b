"""How often Python looks for garbage: as processes that answer need it."""

import gc


def settle() -> None:
    """Look no more at what is loaded by now, and at the rest after some requests.

    A table makes a hundred thousand objects and drops them. By Python's own numbers that was up to three full collections
    in one request, each of which looked at all that was ever loaded: a third of the time of a grid.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 5)
