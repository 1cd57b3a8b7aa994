"""Written questions, in contrast to drawn ones: where they are, and how each is asked of three tables.

Each time a question is asked, its tables have other columns besides those it needs, in another order. Sometimes a
column or a text that it needs is taken away: then it cannot be answered.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Int

from neural_programmer.data.language import Asked
from neural_programmer.data.readings import DECLINE
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.programs.answer import Answer
from neural_programmer.tables.table import Table, is_text

NAMED = "NEURAL_PROGRAMMER_QUESTIONS"  # the environment variable that names the folder of the questions
FOLDER = Path(os.environ.get(NAMED) or Path(__file__).parents[3] / "data" / "written")  # else that of the repository
KEPT_COLUMNS = 0.7  # how often a column that is not needed stays
WITHOUT_COLUMN, WITHOUT_TEXT = 0.08, 0.05  # how often a column or a text that is needed is taken away


def question_folders(folder: Path | None = None) -> list[Path]:
    """Return the folders of the written questions, in order; refuse where there are none: no wheel has them."""
    place = FOLDER if folder is None else folder
    found = sorted(file.parent for file in place.glob("*/questions.jsonl"))
    if not found:
        raise NeuralProgrammerError(
            f"the written questions are not in {place}: an installed package comes without them; take the folder "
            f"data/written of the project's repository and name it, as in {NAMED}=data/written"
        )
    return found


@dataclass(frozen=True)
class Written:
    """A question with its tables and answers."""

    question: str
    tables: tuple[Table, ...]
    answers: tuple[Answer, ...]
    needed: frozenset[int] = frozenset()  # the places of the columns that it needs
    naming: int | None = None  # the one of them that says which rows are meant, where another might as well
    texts: tuple[str, ...] = ()  # of cells, that it names
    kind: str | None = None  # the one of folders.KINDS that it is, if its answer is beyond a number and cells

    def asked(self, generator: np.random.Generator) -> Asked:
        """Return the question about some of the columns, perhaps without something that it needs."""
        chance = generator.random()
        tables, needed, answers = self.tables, self.needed, self.answers
        vital = sorted(needed - {self.naming})
        if vital and len(tables[0].names) > 1 and chance < WITHOUT_COLUMN:
            gone = int(generator.choice(vital))
            tables = tuple(_columns(t, [p for p in range(len(t.names)) if p != gone]) for t in tables)
            needed, answers = frozenset(), (DECLINE,) * len(tables)
        elif self.texts and chance < WITHOUT_COLUMN + WITHOUT_TEXT:
            text = str(generator.choice(self.texts))
            tables = tuple(_without(table, text) for table in tables)
            needed, answers = frozenset(), (DECLINE,) * len(tables)
        places = [p for p in range(len(tables[0].names)) if p in needed or generator.random() < KEPT_COLUMNS]
        places = places or list(range(len(tables[0].names)))
        if generator.random() < 0.5:
            places = generator.permutation(places).tolist()
        group = "unanswerable" if answers[0] == DECLINE else "free"
        return Asked(self.question, tuple(_columns(t, places) for t in tables), answers, None, "written", group)


def _columns(table: Table, places: Sequence[int]) -> Table:
    return Table(tuple(table.names[place] for place in places), tuple(table.columns[place] for place in places))


def taken(table: Table, rows: Sequence[Int[np.ndarray, "rows"]]) -> Table:
    """Return a table of some cells of each column."""
    return Table(table.names, tuple(column[some] for column, some in zip(table.columns, rows, strict=True)))


def holding(table: Table, text: str) -> Bool[np.ndarray, "rows"]:
    """Return the rows in which some cell is a text, in whatever case."""
    result = np.zeros(table.rows, bool)
    for column in table.columns:
        if is_text(column):
            result |= np.char.lower(column.astype(str)) == text.lower()
    return result


def _without(table: Table, text: str) -> Table:
    return taken(table, [np.flatnonzero(~holding(table, text))] * len(table.names))
