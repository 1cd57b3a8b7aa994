"""A file, a frame or a database becomes typed columns; cells as people write them."""
