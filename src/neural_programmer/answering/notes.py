"""Say beside an answer how a question was taken where it left something open."""

from neural_programmer.programs.program import Program
from neural_programmer.questions.index import Index
from neural_programmer.questions.question import Question
from neural_programmer.questions.unknown import ASKS, COUNTS, counted_column, lacking, noun

MOST_PHRASES = 3  # phrases that one note names


def notes(question: Question, program: Program, index: Index) -> tuple[str, ...]:
    """Return the notes for an answer: which word was taken for the rows, which words were not used, and which were not
    looked for in all cells."""
    if not index.missed or question.beyond:
        return _of_rows(question, program, index)
    said = " or ".join(f'"{words}"' for words in index.missed[:MOST_PHRASES])
    missed = f"The table is too large to look through all cells in time: there may be one called {said}."
    return (missed, *_of_rows(question, program, index))


def _of_rows(question: Question, program: Program, index: Index) -> tuple[str, ...]:
    """Return the notes on which word was taken for the rows, and on words that were not used."""
    last, words, links = program.steps[-1].operation, question.words, question.links or ()
    column = counted_column(words, question.shown, index)
    if last == "sum" and len(program.steps) == 1 and column is not None:
        said = question.shown[column]
        return (f'"{said}" was taken for the total of a column; to count the table, ask how many rows it has.',)
    if last not in ("count", "assign"):
        return ()
    place = noun(words, links, index, COUNTS if last == "count" else ASKS)
    if place is not None and not index.row_names.has(words[place]):
        name = index.row_names.sure
        return (f'"{question.shown[place]}" was taken for the rows{f", which are called {name}" if name else ""}.',)
    if last != "count":
        return ()
    if column is not None:
        said = question.shown[column]
        return (f'"{said}" is a column of numbers, and rows were counted; ask for the total {said} for their sum.',)
    unused = lacking(question, index)
    if len(program.steps) > 1 or not unused:
        return ()
    said = " or ".join(f'"{question.shown[place]}"' for place in unused)
    return (f"All rows were counted: no column or cell is called {said}.",)
