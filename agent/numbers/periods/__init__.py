"""The periods that a question asks about, in the calendar of the company."""
