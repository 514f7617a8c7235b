"""What words are compared by: tokens of a question, roots of a text."""
