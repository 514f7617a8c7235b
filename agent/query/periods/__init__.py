"""The periods that a question asks for, made of the dates that it names."""
