"""Programs where the tables are: as one SQL query, on DuckDB, on Spark, in any dialect."""
