"""From a question to a query: a grammar over data, every word accounted for.

`question` reads a whole question, by `reader` under the companies that it names, each time as one `reading`: `periods`
first, then the best cover (`lattice`) of what stands in the `lexicon`, as parts in a `sentence`; then what the parts ask:
measures (`phrases`), which `rows` and `operations` they make, or what of the `text`. Words of English are `word_classes`.
"""
