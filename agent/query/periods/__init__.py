"""The periods that a question names."""
