"""DuckDB files that were made to do harm."""

import duckdb

DEEP, WIDE = 8, 8
TELLING = (  # what says where things are on this machine
    "duckdb_settings()",
    "duckdb_databases()",
    "duckdb_databases",
    "duckdb_extensions()",
    "duckdb_secrets()",
    "duckdb_temporary_files()",
    "duckdb_views()",
    "duckdb_logs()",
    "duckdb_variables()",
    "duckdb_external_file_cache()",
    "pragma_database_list",
    "pragma_database_size()",
    "pg_catalog.pg_settings",
    "query('SELECT * FROM duckdb_' || 'settings()')",
    "glob('/etc/*')",
    "read_text('/etc/passwd')",
    "(SELECT current_setting('allowed_paths'))",
    "(SELECT current_setting('temp_directory'))",
    "(SELECT current_setting('home_directory'))",
    "(SELECT current_setting('secret_directory'))",
)


def write_nested(path):
    """A table, and views that need 8^8 scans of it; the file is small, and each view was small when it was made."""
    with duckdb.connect(path) as database:
        database.execute("CREATE TABLE small AS SELECT range AS a FROM range(10)")
        database.execute("CREATE VIEW fine AS SELECT a + 1 AS b FROM small")
        for depth in range(DEEP + 1):
            database.execute(f"CREATE VIEW v{depth} AS SELECT a FROM small")
        for depth in range(DEEP, 0, -1):  # each of views that are small as yet
            parts = " UNION ALL ".join([f"SELECT a FROM v{depth - 1}"] * WIDE)
            database.execute(f"CREATE OR REPLACE VIEW v{depth} AS {parts}")


def write_telling(path):
    """Views of all that DuckDB knows of the machine; one is a macro's."""
    with duckdb.connect(path) as database:
        database.execute("CREATE TABLE t (a INTEGER)")
        database.execute("CREATE MACRO hidden() AS TABLE SELECT * FROM duckdb_settings()")
        for place, what in enumerate((*TELLING, "hidden()")):
            database.execute(f"CREATE VIEW view{place} AS SELECT * FROM {what}")


def write_sleeping(path):
    """A view that takes hours, and hardly any time of the processor."""
    with duckdb.connect(path) as database:
        database.execute("CREATE VIEW slow AS SELECT sleep_ms(100000000) AS a")
