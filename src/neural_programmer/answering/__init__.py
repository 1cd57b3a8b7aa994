"""Open a table, choose a program, answer, explain."""
