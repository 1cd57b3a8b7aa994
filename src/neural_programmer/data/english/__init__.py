"""English about tables: what tables are about, tables, conditions, questions, and questions without an answer."""
