"""The columns of several files -> those of one table: united by their names, whatever their case."""

from collections.abc import Mapping, Sequence

from neural_programmer.errors import NeuralProgrammerError

NAMED_COLUMNS = 5  # names of columns that an error or a note tells
COMMON = 2  # one of so many columns must be in all of the files


def united(columns: Mapping[str, Sequence[str]]) -> tuple[list[str], dict[str, str]]:
    """Return the names of the columns that some files have, in the order in which they come up, and what is to be said
    of those that not all of them have.

    Files that have little in common are refused: they are not one table.

    >>> united({"may.csv": ["day", "price"], "june.csv": ["Price", "day", "note"]})
    (['day', 'price', 'note'], {'note': '1 of 2 files lack it, such as may.csv: its cells are missing there'})
    """
    names: dict[str, str] = {}
    lacking: dict[str, list[str]] = {}
    different: dict[tuple[str, ...], list[str]] = {}
    for file, own in columns.items():
        names |= {name.lower(): name for name in own if name.lower() not in names}
        known = different.setdefault(tuple(map(str.lower, own)), [])
        known.append(file)
        if len(known) == 1 and len({*map(str.lower, own)}) < len(own):
            twice = next(name for name in own if [*map(str.lower, own)].count(name.lower()) > 1)
            raise NeuralProgrammerError(f"column name {twice!r} stands twice in {file}; give every column its own")
    for own, files in different.items():
        for name in names.keys() - set(own):
            lacking.setdefault(name, []).extend(files)
    if COMMON * len(lacking) > len(names):
        raise NeuralProgrammerError(_no_table(names, different))
    notes = {
        names[
            name
        ]: f"{len(files):,} of {len(columns):,} files lack it, such as {files[0]}: its cells are missing there"
        for name, files in lacking.items()
    }
    return list(names.values()), notes


def _no_table(names: Mapping[str, str], different: Mapping[tuple[str, ...], Sequence[str]]) -> str:
    """Say which two files have the least in common, and what each has alone."""
    (one, [first, *_]), *others = different.items()
    other, [second, *_] = min(others, key=lambda each: len(set(one) & set(each[0])))

    def shown(some: Sequence[str], without: Sequence[str]) -> str:
        alone = [names[name] for name in some if name not in without]
        more = f" and {len(alone) - NAMED_COLUMNS:,} more" if len(alone) > NAMED_COLUMNS else ""
        return f"{', '.join(alone[:NAMED_COLUMNS])}{more}" if alone else "none"

    return (
        f"its files have different columns: {first} has {shown(one, other)} alone, and {second} {shown(other, one)};"
        " half of all columns of a table must be in every file of it: name fewer files, or give them the same columns"
    )
