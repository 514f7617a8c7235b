"""The length of the rate window, and the error for an unreachable counter."""

WINDOW = 60  # seconds


class Lost(Exception):
    """Redis does not answer."""
