"""What does not come from EDGAR: news, and files that a person brings."""
