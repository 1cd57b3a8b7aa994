"""Neural Programmer: learns programs over tables from questions and answers alone, and answers people's questions.

>>> import neural_programmer
>>> model = neural_programmer.load()                                         # doctest: +SKIP
>>> model.ask("sales.csv", "total revenue where region is Europe")           # doctest: +SKIP

After Neelakantan, Le and Sutskever, "Neural Programmer: Inducing Latent Programs with Gradient Descent", ICLR 2016.

>>> table = neural_programmer.Table(("price", "size"), ([1, 2, 3.5], [10, 20, 30]))
>>> model = neural_programmer.load("runs/three")                            # doctest: +SKIP
>>> print(model.trace("greater 15 size sum price", table).program)          # doctest: +SKIP
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neural_programmer.answer import Answer
    from neural_programmer.api import evaluate, fit, judge, load, reproduce, traces, train
    from neural_programmer.own import operation
    from neural_programmer.source import Source, open_source
    from neural_programmer.table import Table
    from neural_programmer.thinking import Forced, Thought

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Forced",
    "Source",
    "Table",
    "Thought",
    "evaluate",
    "fit",
    "judge",
    "load",
    "open_source",
    "operation",
    "reproduce",
    "traces",
    "train",
]
_ELSEWHERE = {
    "Answer": "answer",
    "Forced": "thinking",
    "Source": "source",
    "Table": "table",
    "Thought": "thinking",
    "open_source": "source",
    "operation": "own",
}


def __getattr__(name: str) -> Any:
    """The functions of `neural_programmer.api` and a few others, imported when they are first asked for."""
    if name in __all__:
        return getattr(importlib.import_module(f"neural_programmer.{_ELSEWHERE.get(name, 'api')}"), name)
    raise AttributeError(f"module 'neural_programmer' has no attribute {name!r}")
