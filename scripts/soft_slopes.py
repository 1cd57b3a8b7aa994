"""Which decision of a softly trained network gets no signal: the selections at questions with a difference.

    python scripts/soft_slopes.py FOLDER/more-five-columns-1-run-2.safetensors five-columns results/soft-slopes.json

For every such template and each of the four steps: the most probable operation, what is left for all others, the
probability of the operation that is meant, and how steep two rewards for undecided selections are in the scores: of the
entropy, max_k a(k) |log a(k) + H(a)|, and of the mean logarithm of the probabilities, max_k |1/K - a(k)|.
"""

import json
import sys
from pathlib import Path

import numpy as np

from neural_programmer.data.paper import TASKS, draw_test
from neural_programmer.front import load
from neural_programmer.network.encode import encode, read
from neural_programmer.network.executor import SOFT, execute
from neural_programmer.paper.record import circumstances

SEED = 70_000
SMALLEST = 1e-300


def main(network: Path, task: str, out: Path) -> None:
    model, test, found = load(network), draw_test(TASKS[task], SEED), []
    names = [entry.name for entry in model.config.entries]
    for triple in test:
        if triple.template.category != "arithmetic":
            continue
        question = read(triple.question, triple.table, model.config)
        example = encode(question, triple.table, model.vocabulary, model.config)
        execution = execute(model.parameters, model.config, example, SOFT)
        operation = np.asarray(execution.trace.choice.operation, np.float64)
        logs = np.log(operation + SMALLEST)
        entropy = -np.sum(operation * logs, axis=1, keepdims=True)
        trace, meant = model.trace(triple.question, triple.table), [step.operation for step in triple.program.steps]
        found.append(
            {
                "question": triple.question,
                "answered": str(trace.program),
                "right": bool(triple.answer.equals(trace.answer)),
                "most probable": [names[place] for place in operation.argmax(axis=1)],
                "all others": (1 - operation.max(axis=1)).tolist(),
                "meant": meant,
                "of the meant": [float(operation[step, names.index(name)]) for step, name in enumerate(meant)],
                "slope of the entropy": np.abs(operation * (logs + entropy)).max(axis=1).tolist(),
                "slope of the mean logarithm": np.abs(1 / len(names) - operation).max(axis=1).tolist(),
            }
        )
    command = f"python scripts/soft_slopes.py FOLDER/{network.name} {task} {out}"
    told = {"circumstances": circumstances(command), "task": task, "seed": SEED, "questions": found}
    out.write_text(json.dumps(told, indent=1) + "\n")
    for each in found:
        print(each["question"], each["answered"], [f"{value:.0e}" for value in each["of the meant"]], flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
