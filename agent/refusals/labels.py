"""Words inside sentences."""


def lower_first(label: str) -> str:
    """A label inside a sentence: research and development expense; EPS and FX keep their capitals."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]
