"""The window that requests and tokens are counted over, and the error of a counter that is away."""

WINDOW = 60  # seconds


class Lost(Exception):
    """Redis does not answer."""
