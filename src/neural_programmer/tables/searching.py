"""The files of a folder, and those that a pattern matches, in the order in which DuckDB finds them."""

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from neural_programmer.errors import NeuralProgrammerError

BELOW = "**"  # the part of a pattern that stands for a folder and all those below it
LOOKED_AT = 200_000  # files and folders, to find those that are meant
WILD = 20  # parts of a path that may be patterns
_LAKES = {"_delta_log": "Delta", ".hoodie": "Hudi"}  # folders where a table notes which of its files count


class Search:
    """A search for files that comes to an end, whatever the folders hold."""

    def __init__(self) -> None:
        self._left = LOOKED_AT

    def below(self, folder: str) -> Iterator[str]:
        """Find the files of a folder and of those below it, but for hidden ones; links among them are to be checked.

        Links to folders are not followed. One that leads out of the folder is refused, for nobody named what is there.
        """
        return (entry.path for entry in self._entries_below(folder) if entry.is_file() or entry.is_symlink())

    def matching(self, path: str) -> Iterator[str]:
        """Find the files that a pattern matches, links too; where it has **, as `below` does."""
        folder, parts = split(path)
        if sum(map(is_pattern, parts)) > WILD:
            raise NeuralProgrammerError(f"a pattern may have {WILD} parts with * or ?, and {path[:200]!r} has more")
        yield from self._matching(folder, parts)

    def _matching(self, folder: str, parts: list[str]) -> Iterator[str]:
        if not parts:
            if os.path.isfile(folder) or (os.path.islink(folder) and not os.path.exists(folder)):
                yield folder
            return
        first, *others = parts
        if first == BELOW:
            below = [entry.path for entry in self._entries_below(folder) if entry.is_dir()]
            for each in (folder, *below):
                yield from self._matching(*_descended(each, others or ["*"]))
            return
        for entry in self._entries(folder):
            if fnmatchcase(entry.name, first) and (first.startswith(".") or not entry.name.startswith(".")):
                yield from self._matching(*_descended(entry.path, others))

    def _entries_below(self, folder: str) -> Iterator["os.DirEntry[str]"]:
        """Find what lies in a folder and in those below it: the files of each, then its folders."""
        root, waiting = os.path.join(os.path.realpath(folder), ""), [folder]
        while waiting:
            folders = []
            for entry in self._entries(waiting.pop()):
                if entry.name in _LAKES:
                    raise NeuralProgrammerError(
                        f"{os.path.dirname(entry.path)[:200]!r} is a table of {_LAKES[entry.name]}, whose files alone"
                        " do not say which rows there are; export it as Parquet"
                    )
                if entry.name.startswith((".", "_")):
                    continue
                if not entry.is_dir():
                    yield entry
                elif entry.is_symlink():
                    _check_within(entry.path, root)
                else:
                    folders.append(entry)
            yield from folders
            waiting += [entry.path for entry in reversed(folders)]

    def _entries(self, folder: str) -> list["os.DirEntry[str]"]:
        """List what lies in a folder, by name; nothing if it is none."""
        found = []
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    found.append(entry)
                    self._left -= 1
                    if self._left < 0:
                        raise NeuralProgrammerError(
                            f"to find the files, more than {LOOKED_AT:,} would have to be looked at; name fewer folders"
                        )
        except (NotADirectoryError, FileNotFoundError, ValueError):
            return []
        except OSError as error:
            raise NeuralProgrammerError(
                f"cannot look into the folder {folder[:200]!r}: {error.strerror}; name what you may read"
            ) from None
        return sorted(found, key=lambda entry: entry.name)


def is_pattern(text: str) -> bool:
    """Return whether a path, or a part of one, may stand for others."""
    return not {"*", "?", "["}.isdisjoint(text)


def split(path: str) -> tuple[str, list[str]]:
    """Split a pattern into the folder that all of its files lie in, and the parts from the first that is a pattern.

    A part that a file or folder is called by means that one.
    """
    anchor, *parts = Path(path).parts
    return _descended(anchor, parts)


def _descended(folder: str, parts: list[str]) -> tuple[str, list[str]]:
    """Go down into the folders that are named, as far as the first part that is a pattern."""
    for place, part in enumerate(parts):
        below = os.path.join(folder, part)
        if is_pattern(part) and not os.path.lexists(below):
            return folder, parts[place:]
        folder = below
    return folder, []


def check_links(paths: Iterable[str], folder: str | None) -> None:
    """Refuse files that are links which lead nowhere, or out of a folder, if there is one that they must lie in."""
    root = None if folder is None else os.path.join(os.path.realpath(folder), "")
    for path in filter(os.path.islink, paths):
        if not os.path.exists(path):
            raise NeuralProgrammerError(f"{path[:200]!r} is a link that leads nowhere; mend it or remove it")
        if root is not None:
            _check_within(path, root)


def _check_within(path: str, root: str) -> None:
    """Refuse a link that leads out of a folder."""
    if not os.path.join(os.path.realpath(path), "").startswith(root):
        raise NeuralProgrammerError(
            f"{path[:200]!r} is a link to a place outside of the folder that was named; name that place, or the links"
            f" by a pattern without {BELOW}, as 'folder/*.csv'"
        )
