"""The text of a filing: sections, sentences, and the places where quotations stand."""
