"""What a page, a file and a program show of an answer: its text, sources, nearest passages and how it was read."""
