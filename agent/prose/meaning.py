"""How near two texts are in meaning, by the embedding that the search uses."""


class MeaningUnknown(Exception):
    """The texts cannot be compared in meaning now. The message is a sentence for people."""


def cosine(text: str, quote: str) -> float:
    """The cosine of two texts, from -1 to 1. Raises MeaningUnknown where no embedding is to be had."""
    from filings.text.embeddings import EmbeddingUnavailable, embedder

    try:
        one, other = embedder().documents([text, quote])
    except EmbeddingUnavailable as error:
        raise MeaningUnknown(str(error)) from error
    return float(one @ other)
