"""From a question to a query: a grammar over data, every word accounted for.

`question` reads a whole question; `reading.reader` reads it under the companies that it names, each time as one
`reading.reading`: `dates` first, then the best cover (`reading.lattice`) of what stands in the `words`, as parts in a
sentence; then what the parts ask: `measures`, `periods` and `formulas`, or what of the text (`wording`). Each folder
imports those below it only: tables, reading and nearest, formulas, measures, wording, companies and periods, words, dates.
"""
