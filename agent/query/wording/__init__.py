"""What the sentence asks besides measures: its intent, what of a filing's text, and in which form the answer should be."""
