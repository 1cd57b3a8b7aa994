"""Say what linking offers of the programs written for the analysts' questions of part `a`: `python scripts/offered.py`.

A program is offered where its numbers, times and texts are among those that linking finds in the question, or such as
stand for themselves: 0, 1 and 100. Any column may be pointed at; how many are mentioned is told beside. A part of a
text is offered where the question says it.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from analyst_tables import opened, programs, questions, tables  # noqa: E402
from neural_programmer.programs.parts import spaced  # noqa: E402
from neural_programmer.programs.program import Step  # noqa: E402
from neural_programmer.programs.text import parse, write_step  # noqa: E402
from neural_programmer.questions import indexing  # noqa: E402
from neural_programmer.questions.link import link  # noqa: E402
from neural_programmer.questions.question import Question  # noqa: E402
from neural_programmer.tables.period import Period  # noqa: E402
from neural_programmer.tables.table import CellForm  # noqa: E402

THEMSELVES = (0.0, 1.0, 100.0)
PARTS = ("contains", "has the word", "begins with", "ends with")


def missing(step: Step, asked: Question, text: str, names: list[str]) -> Iterator[str]:
    """Yield the kinds of what a step takes that linking does not offer."""
    if step.source is not None and step.source not in names:
        yield "column"
    argument = step.argument
    if isinstance(argument, tuple):
        slot = names.index(str(step.source)) if step.source in names else -1
        meant = {each for link in asked.links or () if slot in link.texts for each in link.meant(slot)}
        for each in argument:
            said = spaced(each.lower()) in spaced(text.lower())
            if step.operation in PARTS and not said:
                yield "part of a text"
            elif step.operation not in PARTS and each not in meant:
                yield "text, said as it is" if said else "text, said otherwise"
    elif isinstance(argument, Period):
        times = {(period.first, period.last) for period in asked.periods if period is not None}
        if (argument.first, argument.last) not in times:
            yield "time"
    elif argument is not None and argument not in (*asked.numbers, *THEMSELVES):
        yield "number"


def measured(cells: CellForm) -> None:
    """Print the share of programs that are offered, and what is missing of the others."""
    lacking: Counter[str] = Counter()
    right = offered = columns = mentioned = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in tables("a"):
            asked = questions("a", name)
            with opened(name, Path(folder)) as source:
                known = indexing.known(source)
                names = [column.name for column in source.columns]
                origins = {column.name: column.view_of or column.name for column in source.columns}
                for one in programs("a", name).values():
                    if "needs" in one:
                        continue
                    text = asked[one["id"]]["question"]
                    linked = link(text, indexing.indexed(source, known, text), cells=cells)
                    steps, right = parse(one["program"]).steps, right + 1
                    said = {origins[names[slot]] for slot, places in enumerate(linked.mentions or ()) if places} | {
                        origins[names[slot]] for each in linked.links or () for slot in each.texts
                    }
                    read = {origins[step.source] for step in steps if step.source is not None}
                    columns, mentioned = columns + len(read), mentioned + len(read & said)
                    found = [(kind, step) for step in steps for kind in missing(step, linked, text, names)]
                    offered += not found
                    lacking.update({kind for kind, _ in found})
                    for kind, step in found:
                        print(f"{cells:8}{one['id']:22}{kind:22}{write_step(step)}   # {text}")
    print(f"{cells}: {offered} of {right} programs are offered; {mentioned} of {columns} columns are mentioned")
    print(f"{cells}: programs that lack something, by its kind: {dict(lacking.most_common())}")


if __name__ == "__main__":
    for form in ("typed", "written"):
        measured(form)
