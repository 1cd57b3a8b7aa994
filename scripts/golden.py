"""Keep what the models decide today, and tell what a change made of it.

python scripts/golden.py compare                    # with what is kept in tests/golden; exits with 1 where it differs
python scripts/golden.py compare ask/development    # the named parts only
python scripts/golden.py record                     # keep what is decided now, once a difference is meant

The parts are each shipped model on the development sets of tests/questions and on questions of WikiTableQuestions,
whose folder is beside the repository or named by WIKITABLEQUESTIONS, and the traces of a committed soft model.
"""

import hashlib
import json
import math
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from neural_programmer import api
from neural_programmer.answering.asking import Desk, ask
from neural_programmer.answering.model import Model, load_shipped, shipped_names
from neural_programmer.answering.traces import Trace
from neural_programmer.data.paper.draws import draw_test
from neural_programmer.data.paper.settings import task
from neural_programmer.data.triples import read as read_triples
from neural_programmer.errors import NeuralProgrammerError
from neural_programmer.learning.judgement import answer_of
from neural_programmer.learning.questions import measured
from neural_programmer.network.arguments import SOFT
from neural_programmer.network.encode import encode, read
from neural_programmer.network.executor import execute
from neural_programmer.paper.record import circumstances
from neural_programmer.programs.answer import Answer
from neural_programmer.programs.operations import acting, named
from neural_programmer.programs.program import Program
from neural_programmer.programs.same import is_right
from neural_programmer.questions.index import seen
from neural_programmer.tables.period import Period
from neural_programmer.tables.table import Rows, Table

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "tests" / "golden"
QUESTIONS = ROOT / "tests" / "questions"
SOFT_MODEL = ROOT / "results" / "single-column-soft.safetensors"
WIKITABLES, OFFICIAL, EVERY = "wikitablequestions", 500, 5  # of its development questions each fifth, so many
TRACES, TEST_SETS = "soft/single-column", 20  # of the committed soft model, drawn with seeds from 0
CLOSE = 1e-4  # confidences that are the same
LONG = 30  # values or rows of an answer beyond which a digest stands for them


@dataclass(frozen=True)
class Decided:
    """What a model makes of a question: program, what it gives, how sure, why it declines, whether that is right."""

    id: str
    program: str
    answer: Any
    confidence: float
    reason: str
    right: bool


@dataclass(frozen=True)
class Change:
    """A question of which something is decided in another way than what is kept."""

    before: Decided
    now: Decided
    question: str

    @property
    def kind(self) -> str:
        if self.before.right != self.now.right:
            return "gained" if self.now.right else "lost"
        decides = _same(self.before.answer, self.now.answer) and self.before.program == self.now.program
        return "changed" if not decides or self.before.reason != self.now.reason else "less or more sure"


def parts() -> list[str]:
    """The names of all parts."""
    sets = [*sorted(folder.name for folder in QUESTIONS.glob("development*")), WIKITABLES]
    return [f"{model}/{name}" for model in shipped_names() for name in sets] + [TRACES]


def decided(part: str, every: int = 1) -> Iterator[tuple[Decided, str]]:
    """What is decided now on a part, or on one of `every` so many questions of it; each with its question."""
    if part == TRACES:
        return _traced(every)
    model, name = part.split("/")
    loaded = load_shipped(model)
    return _official(loaded, every) if name == WIKITABLES else _written(loaded, QUESTIONS / name, every)


def _written(model: Model, folder: Path, every: int) -> Iterator[tuple[Decided, str]]:
    """On questions of our own, in the way that people ask them; those of analysis are left out."""
    desk = Desk()
    for one in measured(folder)[::every]:
        answer = ask(model, folder / one["table"], one["question"], desk=desk)
        program = "; ".join(map(str, answer.steps))
        value = _short(answer.value) if isinstance(answer.value, list) else answer.value
        right = is_right(answer.value, one["answer"])
        yield Decided(one["id"], program, value, _rounded(answer.confidence), answer.reason, right), one["question"]


def _official(model: Model, every: int) -> Iterator[tuple[Decided, str]]:
    """On questions of WikiTableQuestions, as its measure has them: a decision to decline gives way to the next best.

    What is kept has nothing of its texts: columns are places, texts are digests.
    """
    folder = official_folder()
    head, *lines = (folder / "random-split-1-dev.tsv").read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as some:
        path = Path(some) / "questions.tsv"
        path.write_text("\n".join([head, *lines[::EVERY][:OFFICIAL][::every]]) + "\n", encoding="utf-8")
        triples = read_triples(path, tables=folder).triples
    views: dict[int, tuple[Table, Any]] = {}
    for triple in triples:
        if id(triple.table) not in views:
            views[id(triple.table)] = seen(triple.table, model.config.cells)
        table, index = views[id(triple.table)]
        decision = model.decide(triple.question, index, Rows.of(table))
        answering = decision.answering()
        answer = answer_of(answering.program, table)
        program, reason = _without_texts(answering.program, table), _digest(decision.reason)
        right, said = triple.judge(answer), f"{triple.question} ({triple.about}: {answering.program})"
        sure = _rounded(answering.confidence)
        yield Decided(triple.key, program, _places(answer, table), sure, reason, right), said


def official_folder() -> Path:
    """Where WikiTableQuestions is."""
    folder = Path(os.environ.get("WIKITABLEQUESTIONS") or ROOT.parent / "shared" / "data" / "wikitablequestions")
    if not (folder / "random-split-1-dev.tsv").is_file():
        raise NeuralProgrammerError("name the folder of that data set: WIKITABLEQUESTIONS=DIR python scripts/golden.py")
    return folder


def _traced(every: int) -> Iterator[tuple[Decided, str]]:
    """How the soft model answers test sets of its task; the confidence is the probability of the whole trace."""
    model = api.load(SOFT_MODEL)
    assert isinstance(model, Model)
    chosen = task(model.trained.task)
    for seed in range(0, TEST_SETS, every):
        drawn = draw_test(chosen, seed)
        for place, triple in enumerate(drawn):
            trace = model.trace(triple.question, triple.table)
            right, value = trace.answer.equals(triple.answer), _places(trace.answer, triple.table)
            rows = [int(step.row_select.sum()) for step in trace.run.steps]
            program = f"{trace.program}; rows {rows}"
            yield Decided(f"{seed}-{place}", program, value, _probability(model, trace), "", right), triple.question


def _probability(model: Model, trace: Trace) -> float:
    """Of the operations and columns that the soft model chooses most, step by step, as it goes on softly."""
    example = encode(read(trace.question, trace.table, model.config), trace.table, model.vocabulary, model.config)
    operations = named(model.config.operations)
    acts, total = acting(operations), 1.0
    choice = execute(model.parameters, model.config, example, SOFT).trace.choice
    for operation, column in zip(choice.operation, choice.column, strict=True):
        place = int(np.argmax(operation))
        total *= float(operation[place])
        if operations[place] in acts:
            total *= float(np.max(column[acts.index(operations[place])]))
    return _rounded(total)


def _without_texts(program: Program, table: Table) -> str:
    """A program whose columns are their places and whose texts are digests."""
    steps = []
    for step in program.steps:
        column = "" if step.column is None else f" column {table.names.index(step.column)}"
        argument = step.argument
        if isinstance(argument, tuple):
            argument = " or ".join(map(_digest, argument))
        elif isinstance(argument, Period):
            argument = _digest(argument.text)
        steps.append(step.operation + column + ("" if argument is None else f" {argument}"))
    return "; ".join(steps)


def _places(answer: Answer, table: Table) -> Any:
    """An answer without the texts of cells: those of a look-up are their column and rows."""
    if answer.kind != "lookup":
        return _digest(answer.value) if isinstance(answer.value, str) else answer.value
    found = sorted({-1 if column is None else table.names.index(column) for _, column in answer.cells})
    return {"columns": found, "rows": _short(sorted({row for row, _ in answer.cells}))}


def _short(values: list[Any]) -> Any:
    return values if len(values) <= LONG else f"{len(values)} values, {_digest(json.dumps(values))}"


def _digest(text: str) -> str:
    return text and "#" + hashlib.sha256(text.encode()).hexdigest()[:8]


def _rounded(confidence: float | None) -> float:
    return round(confidence or 0.0, 6)


def kept(part: str) -> tuple[dict[str, Any], dict[str, Decided]]:
    """Where and when a part was recorded, and what was decided, by id."""
    head, *lines = map(json.loads, _path(part).read_text(encoding="utf-8").splitlines())
    return head, {line["id"]: Decided(**line) for line in lines}


def _path(part: str) -> Path:
    return KEPT / f"{part.replace('/', '-on-')}.jsonl"


def changes(part: str, every: int = 1) -> tuple[list[Change], int]:
    """What is decided in another way than what is kept, and how many were asked."""
    _, before = kept(part)
    found = [(before[one.id], one, question) for one, question in decided(part, every)]
    return [Change(*each) for each in found if _differs(*each[:2])], len(found)


def _differs(before: Decided, now: Decided) -> bool:
    exact = (before.program, before.reason, before.right) == (now.program, now.reason, now.right)
    return not exact or not _same(before.answer, now.answer) or abs(before.confidence - now.confidence) > CLOSE


def _same(one: Any, other: Any) -> bool:
    """Whether two answers are the same, numbers but for the last digits."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return isinstance(one, int | float) and isinstance(other, int | float) and math.isclose(one, other)
    return one == other


def told(change: Change) -> str:
    """A change as people read it."""
    lines = [f"  {change.kind}: {change.before.id} {change.question}"]
    for when, one in (("before", change.before), ("now", change.now)):
        said = one.reason or json.dumps(one.answer, ensure_ascii=False)
        lines.append(f"    {when:6} {'right' if one.right else 'wrong'} {one.confidence:.4f} {one.program} -> {said}")
    return "\n".join(lines)


def compare(chosen: Sequence[str]) -> bool:
    """Print what differs from what is kept; whether nothing does."""
    total = dict.fromkeys(("gained", "lost", "changed", "less or more sure"), 0)
    for part in chosen:
        head, before = kept(part)
        found, count = changes(part)
        for kind in total:
            for change in (each for each in found if each.kind == kind):
                total[kind] += 1
                print(told(change))
        was = sum(one.right for one in before.values())
        now = was + sum(each.now.right - each.before.right for each in found)
        print(f"{part}: {count} asked, right {was} at {head['commit']}, {now} now; {len(found)} differ", flush=True)
    print("in all " + ", ".join(f"{count} {kind}" for kind, count in total.items()))
    return not any(total.values())


def record(chosen: Sequence[str]) -> None:
    """Keep what is decided now, and where that was before any of it was written."""
    here = circumstances("")
    for part in chosen:
        lines = [json.dumps({**here, "command": f"python scripts/golden.py record {part}"})]
        lines += [json.dumps(asdict(one), ensure_ascii=False) for one, _ in decided(part)]
        KEPT.mkdir(exist_ok=True)
        _path(part).write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{part}: {len(lines) - 1} kept", flush=True)


def main(command: str = "", *chosen: str) -> None:
    unknown = [part for part in chosen if part not in parts()]
    if command not in ("compare", "record") or unknown:
        raise SystemExit(f"{__doc__}\nparts: {', '.join(parts())}")
    if command == "record":
        record(chosen or parts())
    elif not compare(chosen or parts()):
        raise SystemExit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
