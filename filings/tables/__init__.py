"""Tables as documents print them: rows, columns, and what each cell is certain to mean. Knows no concepts."""
