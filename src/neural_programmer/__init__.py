"""Answer questions about tables with programs that people can read; learn such programs from questions and answers.

>>> import neural_programmer
>>> rents = {"city": ["Oslo", "Rome", "Lima"], "rent": [900, 700, 400]}    # or "rents.csv", or a frame
>>> answer = neural_programmer.ask(rents, "what is the highest rent?")
>>> print(answer)
900
>>> [str(step) for step in answer.steps]
['maximum rent']

Ask:   ask, think, run (a program that you wrote), load
Learn: fit (from questions of your own), judge, operation (one of your own)
Paper: train, evaluate, traces, reproduce

After Neelakantan, Le and Sutskever, "Neural Programmer: Inducing Latent Programs with Gradient Descent", ICLR 2016.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neural_programmer.answering.decision import Forced
    from neural_programmer.answering.model import Model
    from neural_programmer.answering.thinking import Thought
    from neural_programmer.api import evaluate, fit, judge, reproduce, traces, train
    from neural_programmer.errors import NeuralProgrammerError
    from neural_programmer.front import ask, load, run, think
    from neural_programmer.programs.answer import Answer
    from neural_programmer.programs.own import operation
    from neural_programmer.tables.source import Source, open_source
    from neural_programmer.tables.table import Table

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Forced",
    "Model",
    "NeuralProgrammerError",
    "Source",
    "Table",
    "Thought",
    "ask",
    "evaluate",
    "fit",
    "judge",
    "load",
    "open_source",
    "operation",
    "reproduce",
    "run",
    "think",
    "traces",
    "train",
]
_ELSEWHERE = {
    "Answer": "programs.answer",
    "Forced": "answering.decision",
    "Model": "answering.model",
    "NeuralProgrammerError": "errors",
    "Source": "tables.source",
    "Table": "tables.table",
    "Thought": "answering.thinking",
    "ask": "front",
    "load": "front",
    "open_source": "tables.source",
    "operation": "programs.own",
    "run": "front",
    "think": "front",
}


def __getattr__(name: str) -> Any:
    """The functions of `neural_programmer.api` and a few others, imported when they are first asked for."""
    if name in __all__:
        return getattr(importlib.import_module(f"neural_programmer.{_ELSEWHERE.get(name, 'api')}"), name)
    raise AttributeError(f"module 'neural_programmer' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names, those that are not imported yet too, and what Python asks every module for."""
    return sorted([*__all__, *(name for name in globals() if name.startswith("__"))])
