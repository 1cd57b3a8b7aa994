"""Which program does a question ask for? Selects and remembers, step by step, without executing anything."""

from jaxtyping import Float, Int

from neural_programmer import network
from neural_programmer.arrays import Array, log_softmax, namespace, scan
from neural_programmer.config import NetworkConfig
from neural_programmer.encode import Example
from neural_programmer.executor import Choice, Prepared, first_history, prepare, remember, select
from neural_programmer.operations import acting, conditions, named


def chosen(prepared: Prepared, move: Int[Array, "3"]) -> Choice:
    """The places of an operation, a column and an argument as a selection; what the operation does not use is ignored."""
    xp = namespace(prepared.columns, move)
    allowed, dtype = prepared.allowed, prepared.columns.dtype
    takes, columns, candidates = allowed.argument.shape
    column = xp.astype(xp.arange(columns) == move[1], dtype)
    argument = xp.astype(xp.arange(candidates) == move[2], dtype)
    return Choice(
        xp.astype(xp.arange(allowed.operation.shape[0]) == move[0], dtype),
        xp.broadcast_to(column, allowed.column.shape),
        xp.broadcast_to(argument, (takes, columns, candidates)),
    )


def decided(
    parameters: network.Parameters, config: NetworkConfig, example: Example
) -> tuple[Int[Array, "steps 3"], Float[Array, "steps"]]:
    """The most probable move of every step given those before it, and its log-probability.

    Where an operation uses no column or argument, its place is 0.
    """
    operations = named(config.operations)
    acts, takes = acting(operations), conditions(operations)
    prepared = prepare(parameters, config, example)
    xp = namespace(parameters.words, example.words)
    act = xp.asarray([acts.index(entry) if entry in acts else -1 for entry in operations])
    take = xp.asarray([takes.index(entry) if entry in takes else -1 for entry in operations])

    def step(history: network.History, _: Array) -> tuple[network.History, tuple[Array, Array]]:
        scores = select(parameters, prepared, history)
        operation = xp.argmax(scores.operation)
        of_column, of_argument = act[operation], take[operation]
        column_logs = log_softmax(scores.column[of_column])
        column = xp.where(of_column >= 0, xp.argmax(column_logs), 0)
        argument_logs = log_softmax(scores.argument[of_argument, column])
        argument = xp.where(of_argument >= 0, xp.argmax(argument_logs), 0)
        log = log_softmax(scores.operation)[operation]
        log = log + xp.where(of_column >= 0, column_logs[column], 0.0)
        log = log + xp.where(of_argument >= 0, argument_logs[argument], 0.0)
        move = xp.stack([operation, column, argument])
        return remember(parameters, config, prepared, history, chosen(prepared, move)), (move, log)

    return scan(step, first_history(parameters, prepared), (xp.arange(config.program_steps),))[1]
