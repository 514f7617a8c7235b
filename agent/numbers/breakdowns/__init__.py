"""A figure divided: by segment, product, region, class of shares or year due."""
