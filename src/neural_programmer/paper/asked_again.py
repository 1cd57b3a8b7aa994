"""Which questions are asked again: those that were answered wrongly, of some that are looked at in turn.

Nothing but answers is looked at: the program that was meant is not. What went wrong with one table is known for all
questions of the same words, their numbers taken out, so that selections are kept undecided there.
"""

from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, Int

from neural_programmer.base.arrays import Array
from neural_programmer.learning.batches import Triples
from neural_programmer.learning.soft import SoftLearner
from neural_programmer.learning.training import answered

LOOKED_AT = 5_000  # questions at every look


class Trouble(NamedTuple):
    """What one run answered wrongly when it was last looked at; what was not looked at yet is no trouble."""

    wrong_words: Float[Array, "questions"]  # how often a question's words were
    wrong_until: Float[Array, "questions"]  # how many questions were, up to each

    def draw(self, key: Any, count: int) -> tuple[Int[Array, "count"], Array]:
        """So many of the questions that were answered wrongly, and whether there are any."""
        total = self.wrong_until[-1]
        places = jnp.searchsorted(self.wrong_until, jax.random.uniform(key, (count,)) * total, side="right")
        return jnp.minimum(places, len(self.wrong_until) - 1), total > 0


class Looks:
    """What is known of every run."""

    def __init__(self, data: Triples, runs: int) -> None:
        words = np.asarray(data.example.words)
        groups = np.unique(words, axis=0, return_inverse=True)[1].reshape(-1)
        self.count = len(groups)
        self.groups = jnp.asarray(groups)
        self.wrong = jnp.zeros((runs, self.count)), jnp.zeros((runs, int(groups.max()) + 1))
        self.next = 0

    def look(self, learner: SoftLearner, parameters: Any, data: Any) -> None:
        """Ask the next questions, and remember which were answered wrongly, and of which words how many."""
        places = (self.next + np.arange(min(LOOKED_AT, self.count))) % self.count
        self.next = int(places[-1] + 1) % self.count
        self.wrong = _seen(learner, parameters, data, jnp.asarray(places), self.groups, *self.wrong)

    def trouble(self) -> Trouble:
        """[runs, questions] of it."""
        return _trouble(self.groups, *self.wrong)


@partial(jax.jit, static_argnums=0)
def _seen(
    learner: SoftLearner, parameters: Any, data: Any, places: Array, groups: Array, wrong: Array, of_words: Array
) -> tuple[Array, Array]:
    missed = 1.0 - answered(learner, parameters, jax.tree.map(lambda array: array[places], data))
    nothing, group = jnp.zeros(of_words.shape[1]), groups[places]
    asked = nothing.at[group].add(1.0)
    share = jax.vmap(lambda each: nothing.at[group].add(each))(missed) / jnp.maximum(asked, 1.0)
    return wrong.at[:, places].set(missed), jnp.where(asked > 0, share, of_words)


@jax.jit
def _trouble(groups: Array, wrong: Array, of_words: Array) -> Trouble:
    return Trouble(of_words[:, groups], jnp.cumsum(wrong, axis=1))
