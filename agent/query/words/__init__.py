"""The words of a question and of companies: what each may mean, and which nobody knows."""
