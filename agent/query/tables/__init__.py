"""Questions asked after another: what they change of the table before them."""
