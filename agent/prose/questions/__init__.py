"""What a question asks of text: its subjects, terms and form, and how much each of its words tells."""
