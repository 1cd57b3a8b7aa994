"""The page: upload a table, ask, see the program; the same over HTTP as JSON. Thin: parse, call, show."""
