"""What every way of training the Neural Programmer shares: its weights, its data as arrays, when it is right."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Bool

from neural_programmer.answering.model import Model
from neural_programmer.base.arrays import Array
from neural_programmer.learning.batches import Triples, encode_dataset, is_correct
from neural_programmer.learning.training import answered
from neural_programmer.network import equations as network
from neural_programmer.network.config import NetworkConfig
from neural_programmer.network.encode import Vocabulary
from neural_programmer.network.executor import HARD, execute
from neural_programmer.network.weights import Trained


@dataclass(frozen=True)
class ProgramLearner:
    """A learner (see training.Learner) but for its objective."""

    config: NetworkConfig
    vocabulary: Vocabulary
    fresh = False  # a fixed training set

    def initial(self, generator: np.random.Generator) -> network.Parameters:
        return network.initial(self.config, len(self.vocabulary), generator)

    def encode(self, dataset: Iterable[Any]) -> Triples:
        return encode_dataset(dataset, self.vocabulary, self.config)

    def correct(self, parameters: network.Parameters, triple: Triples) -> Bool[Array, ""]:
        return is_correct(execute(parameters, self.config, triple.example, HARD), triple.target)

    def answered(self, parameters: Any, data: Any) -> Bool[Array, "restarts questions"]:
        return answered(self, parameters, data)

    def model(self, parameters: network.Parameters, trained: Trained) -> Model:
        return Model(self.config, self.vocabulary, parameters, trained)
