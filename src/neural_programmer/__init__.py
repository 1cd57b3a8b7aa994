"""Neural Programmer: learns programs over tables from questions and answers alone.

After Neelakantan, Le and Sutskever, "Neural Programmer: Inducing Latent Programs with Gradient Descent", ICLR 2016.

>>> import neural_programmer
>>> table = neural_programmer.Table(("price", "size"), ([1, 2, 3.5], [10, 20, 30]))
>>> model = neural_programmer.load("runs/three")                            # doctest: +SKIP
>>> print(model.trace("greater 15 size sum price", table).program)          # doctest: +SKIP
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from neural_programmer.api import evaluate, load, reproduce, traces, train
    from neural_programmer.table import Table

__version__ = "0.1.0"
__all__ = ["Table", "evaluate", "load", "reproduce", "traces", "train"]


def __getattr__(name: str) -> Any:
    """The functions of `neural_programmer.api`, imported when they are first asked for."""
    if name == "Table":
        from neural_programmer.table import Table

        return Table
    if name in __all__:
        from neural_programmer import api

        return getattr(api, name)
    raise AttributeError(f"module 'neural_programmer' has no attribute {name!r}")
