"""Tables of cells: their columns, the operations over them, their notes and their text."""
