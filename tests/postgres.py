"""A PostgreSQL server of its own, on this machine alone, for as long as it is asked; where its programs are there."""

import json
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import tabled_programs as tabled
from neural_programmer.engines.sql import literal
from neural_programmer.programs.program import Program
from neural_programmer.tables.table import Table

NEEDED = ("initdb", "pg_ctl", "postgres", "psql")
USERS = "postgres", "nobody"  # as one of whom it runs where we are root, as it refuses to be


def is_there() -> bool:
    return all(map(shutil.which, NEEDED))


class Postgres:
    """A server that keeps nothing, and an engine as those of tabled_programs.py."""

    dialect = "postgres"

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="postgres-"))
        self.prefix: list[str] = []
        if os.geteuid() == 0:
            user = next(entry for entry in pwd.getpwall() if entry.pw_name in USERS)
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self.prefix = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.data = str(self.folder / "data")
        self._run("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "--locale=C.UTF-8", "-E", "UTF8")
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder} -c fsync=off"
        self._run("pg_ctl", "-D", self.data, "-o", options, "-l", str(self.folder / "log"), "-w", "start")

    def _run(self, *command: str) -> None:
        done = subprocess.run([*self.prefix, *command], capture_output=True, text=True, cwd=self.folder)
        assert done.returncode == 0, done.stderr + done.stdout

    def close(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, text: str) -> str:
        address = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres"]
        command = ["psql", *address, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        done = subprocess.run(command, input=text, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout

    def fill(self, table: Table) -> None:
        rows = [", ".join(map(_written, row)) for row in tabled.cells(table)]
        made = f"DROP TABLE IF EXISTS t; {tabled.created(self.dialect)};"
        self.ask(made + (f"INSERT INTO t VALUES {', '.join(f'({row})' for row in rows)};" if rows else ""))

    def rows(self, program: Program) -> list[Any]:
        """What the query of a program gives, about the table that is there."""
        found = self.ask(f"SELECT row_to_json(q) FROM ({tabled.written(program, self.dialect)}) q;")
        lines = [json.loads(line, object_pairs_hook=list) for line in found.splitlines()]
        return [tuple(value for _, value in line) for line in lines]


def _written(cell: Any) -> str:
    if cell is None or isinstance(cell, bool):
        return {None: "NULL", True: "TRUE", False: "FALSE"}[cell]
    return literal(cell).sql("postgres")
