"""What a language model may choose from to read a question, and what code makes of its choice: a query, or nothing."""
