"""The ways to say things, read from phrases.txt: sections with one form a line, a number after * being its weight."""

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files

Field = str | Callable[[], str]


@cache
def phrases() -> dict[str, tuple[str, ...]]:
    """Return the forms of every section, each as often as it weighs."""
    found: dict[str, list[str]] = {}
    section: list[str] = []
    for line in (
        files("neural_programmer.data.english").joinpath("phrases.txt").read_text(encoding="utf-8").splitlines()
    ):
        if header := re.fullmatch(r"\[(.+)\]", line):
            section = found.setdefault(header[1], [])
        elif line and not line.startswith("#"):
            form, weight = re.fullmatch(r"(.*?)(?: \*(\d+))?", line).groups()  # type: ignore[union-attr]
            section += [form.strip()] * int(weight or 1)
    return {name: tuple(forms) for name, forms in found.items()}


def forms(section: str, /, **fields: str) -> list[str]:
    """Return all forms of a section with its fields filled in."""
    return [form.format_map(fields) for form in phrases()[section]]


class _Fields(dict[str, Field]):
    """Fields that are made where a form has them."""

    def __getitem__(self, name: str) -> str:
        value = super().__getitem__(name)
        return value if isinstance(value, str) else value()


def filled(form: str, /, **fields: Field) -> str:
    """Return a form with its fields filled in; those that it does not have are not made."""
    return form.format_map(_Fields(fields))
