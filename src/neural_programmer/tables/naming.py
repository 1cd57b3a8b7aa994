"""What a person names -> the files that are meant: one; those of a folder or a pattern, which are one table; the
standard input. Each file is read once, however many links lead to it. What is on the web is never opened.
"""

import os
import re
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.tables import standard_input
from neural_programmer.tables.searching import BELOW, Search, check_links, is_pattern, split

MOST_FILES = 10_000  # that are one table
NAMED_KINDS = 5  # kinds of files that an error names
PACKED_SUFFIXES = (".gz", ".zst")
TEXT_SUFFIXES = (".csv", ".tsv", ".tab", ".psv", ".txt")
JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
ARROW_SUFFIXES = (".arrow", ".feather", ".ipc")
BOOK_SUFFIXES = (".xlsx", ".xls", ".ods", ".db", ".sqlite", ".sqlite3", ".duckdb")  # of files that hold several tables
BINARY_SUFFIXES = (".parquet", *ARROW_SUFFIXES, *BOOK_SUFFIXES)
SUFFIXES = (*TEXT_SUFFIXES, *JSON_SUFFIXES, *BINARY_SUFFIXES)  # that files are known by
KINDS = (TEXT_SUFFIXES[:-1], (".txt",), JSON_SUFFIXES, (".parquet",), ARROW_SUFFIXES, BOOK_SUFFIXES)
_SCHEMES = "https?|ftps?|s3a?|gs|gcs|az|abfss?|hf|hdfs|sftp|ssh|file"
_ADDRESS = re.compile(rf"(?:{_SCHEMES}):/|[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_FETCHED = {  # how people do it, by the scheme
    **dict.fromkeys(("http", "https", "ftp", "ftps"), "curl -Lo {name} {address}"),
    "s3": "aws s3 cp {address} .",
    "gs": "gcloud storage cp {address} .",
}
_EXPECTED = "name a CSV, TSV, Excel, JSON, Parquet, Arrow, SQLite or DuckDB file, or a folder or pattern of such files"


@dataclass(frozen=True)
class Named:
    """The files that a name stands for.

    `path` is the file, the folder or the pattern, from the root of the disk; `title` is how to speak of it, and
    `called` what the table is called. Files that are several lie below `root`; `keys` are the columns that folders such
    as year=2024 give them.
    """

    path: Path
    files: tuple[Path, ...]
    title: str
    called: str
    part: str = ""  # the table or sheet that stands after ::
    root: Path | None = None
    keys: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many bytes the files have together."""
        return sum(file.stat().st_size for file in self.files)

    def shown(self, file: Path) -> str:
        """Return what people call one of several files."""
        name = file.name if self.root is None else str(file.relative_to(self.root))
        return "".join(letter if letter.isprintable() else f"\\x{ord(letter):02x}" for letter in name)


def find(what: str | os.PathLike[str]) -> Named:
    """Find the files that are meant, and the table or sheet in them that stands after ::, if one does."""
    title = os.fsdecode(what)
    text, part = os.path.expanduser(title), ""
    if _ADDRESS.match(text) and not os.path.exists(text):
        raise NeuralProgrammerError(_how_to_fetch(text))
    if not os.path.exists(text) and "::" in text:
        text, _, part = text.rpartition("::")
    if text in standard_input.NAMES:
        path = standard_input.copied()
        return Named(path, (path,), standard_input.TITLE, standard_input.CALLED, part)
    path = Path(os.path.abspath(text))
    if os.path.isfile(text):
        return Named(path, (path,), title, path.name, part)
    if os.path.isdir(text):
        names = _tables(text, list(Search().below(str(path))))
        check_links(names, str(path))
        return _several(names, Named(path, (), title, path.name, part, path))
    if os.path.exists(text):
        raise NeuralProgrammerError(
            f"{text[:200]!r} is a pipe or a device, not a file; {_EXPECTED}, or make it the standard input, as in:"
            f" neural-programmer ask - 'how many rows' < {shlex.quote(text)[:200]}"
        )
    if names := _matching(text):
        root = Path(split(str(path))[0])
        check_links(names, str(root) if BELOW in path.parts else None)
        return _several(_alike(text, names), Named(path, (), title, _beginning(path.name) or root.name, part, root))
    fault = "stands for no file" if is_pattern(text) else "does not exist"
    raise NeuralProgrammerError(f"{text[:200]!r} {fault}; {_EXPECTED}")


def placed(name: str, folder: Path) -> str:
    """Return a table as a file of this folder names it: as it is, or beside the file if it is not there."""
    if is_elsewhere(name) or os.path.isabs(name) or name.startswith("~") or _is_there(name):
        return name
    beside = str(folder / name)
    return beside if _is_there(beside) else name


def is_elsewhere(name: str) -> bool:
    """Return whether a name stands for the standard input or an address, not for a file of this machine."""
    return is_standard_input(name) or _ADDRESS.match(name) is not None


def is_standard_input(name: str) -> bool:
    return name.partition("::")[0] in standard_input.NAMES


def check_here(name: str) -> None:
    """Refuse the standard input and addresses, where only files can be named."""
    if is_standard_input(name):
        raise NeuralProgrammerError(f"{standard_input.TITLE} cannot be the table of a single line; name a file")
    if is_elsewhere(name):
        raise NeuralProgrammerError(_how_to_fetch(name))


def suffix_of(name: str) -> str:
    """Return the end of a file's name that says what it is, whether it is packed or not."""
    return os.path.splitext(_unpacked(name.lower()))[1]


def ending_of(name: str) -> str:
    """Return the end of a file's name with that which says how it is packed."""
    return name[len(os.path.splitext(_unpacked(name))[0]) :]


def _unpacked(name: str) -> str:
    for packed in PACKED_SUFFIXES:
        name = name.removesuffix(packed)
    return name


def _how_to_fetch(address: str) -> str:
    """Say that an address is not opened, and how to get what is there."""
    scheme, _, rest = address.partition(":")
    scheme, address = scheme.lower(), address if rest.startswith("//") else f"{scheme}:/{rest}"
    shown = shlex.quote(address[:200])
    if scheme == "file":
        return f"{shown} is an address; name the file by its path alone, without {scheme}://"
    name = shlex.quote(os.path.basename(urlsplit(address).path) or "table.csv")[:80]
    how = _FETCHED.get(scheme, "").format(address=shown, name=name)
    how = f", as with: {how}" if how else ""
    return f"{shown} is not on this machine, and nothing is fetched; copy it here first{how}; then ask about {name}"


def _is_there(name: str) -> bool:
    """Return whether a name stands for a file, a folder or some files."""
    return any(os.path.exists(text) or _matching(text) for text in (name, name.rpartition("::")[0]) if text)


def _matching(text: str) -> list[str]:
    """List the files that a pattern matches; none if it is no pattern."""
    return list(Search().matching(os.path.abspath(text))) if is_pattern(text) else []


def _beginning(pattern: str) -> str:
    """Return what a table is called by the pattern of its files, if that says it: sales of sales_*.csv."""
    beginning = re.split(r"[*?\[]", pattern)[0].strip(" ._-")
    return beginning if re.search(r"[^\W\d_]", beginning) else ""


def _several(names: Sequence[str], named: Named) -> Named:
    """Complete what is known of several files with the files, each once; if it is one alone, that is the table."""
    reached: dict[str, str] = {}  # of each file where it lies, how it is reached: not by a link, if it can be
    for name in sorted(names, key=os.path.islink):
        reached.setdefault(os.path.realpath(name), name)
    kept = set(reached.values())
    files = tuple(Path(name) for name in names if name in kept)
    if len(files) > MOST_FILES:
        raise NeuralProgrammerError(
            f"{named.title[:200]!r} stands for {len(files):,} files, and a table may have {MOST_FILES:,}; name fewer,"
            " or make one file of them"
        )
    root = named.root or named.path
    while "=" in root.name:
        root = root.parent
    keys = _keys(files, root)
    if len(files) == 1 and not keys:
        return Named(files[0], files, named.title, files[0].name, named.part)
    called = root.name if keys else named.called
    return replace(named, files=files, called=called or "data", root=root, keys=keys)


def _keys(files: Sequence[Path], root: Path) -> tuple[str, ...]:
    """Return the columns that folders such as year=2024 give: the same to all of the files, or none; in the order in
    which DuckDB has them."""
    of_each: dict[tuple[str, ...], Path] = {}
    folders = dict.fromkeys(file.parent for file in files)
    names = {folder: tuple(_key(part) for part in folder.relative_to(root).parts if "=" in part) for folder in folders}
    for file in files:
        of_each.setdefault(names[file.parent], file)
    if len(of_each) > 1:
        one, other = (
            f"{file.relative_to(root)} in {'/'.join(f'{name}=...' for name in keys) or 'none'}"
            for keys, file in list(of_each.items())[:2]
        )
        raise NeuralProgrammerError(
            f"the files of one table lie in folders of the same columns, and {one} and {other}; name fewer of them"
        )
    return tuple(sorted(next(iter(of_each), ())))


def _key(folder: str) -> str:
    return folder.partition("=")[0]


def _tables(folder: str, names: Sequence[str]) -> Sequence[str]:
    """Return those files of a folder that are tables; others, such as notes, are left out."""
    known = [name for name in names if suffix_of(name) in SUFFIXES]
    if not known:
        held = f"no table, but {_counted(names)}" if names else "no files"
        raise NeuralProgrammerError(f"the folder {folder[:200]!r} holds {held}; {_EXPECTED}")
    return _alike(folder, known)


def _alike(text: str, names: Sequence[str]) -> Sequence[str]:
    """Refuse files of several kinds, and several files that hold several tables each."""
    suffixes = {suffix_of(name) for name in names}
    kinds = {next((kind for kind in KINDS if suffix in kind), (suffix,)) for suffix in suffixes}
    if len(kinds) > 1:
        raise NeuralProgrammerError(
            f"{text[:200]!r} holds files of several kinds, {_counted(names)}, and a table is of one; name them by a"
            f" pattern, such as {_pattern_for(text, names)[-200:]!r}"
        )
    if BOOK_SUFFIXES in kinds and len(names) > 1:
        raise NeuralProgrammerError(
            f"{text[:200]!r} holds {len(names):,} files that have tables of their own; name one, as {names[0][-200:]!r}"
        )
    return names


def _pattern_for(text: str, names: Sequence[str]) -> str:
    """Return a pattern for the files of the kind that there is most of."""
    [(suffix, _)] = Counter(map(suffix_of, names)).most_common(1)
    folder = text if os.path.isdir(text) else os.path.dirname(text)
    return os.path.join(folder, f"*{suffix}")


def _counted(names: Sequence[str]) -> str:
    """Say how many files there are of each kind."""
    counts = Counter(map(suffix_of, names)).most_common()
    shown = [f"{count:,} {suffix or 'without a suffix'}" for suffix, count in counts[:NAMED_KINDS]]
    more = sum(count for _, count in counts[NAMED_KINDS:])
    return ", ".join([*shown, f"{more:,} more"] if more else shown)
