"""The measures that a question names, with what is made of them."""
