"""The error for what the page does not do, with its HTTP status."""

from neural_programmer.errors import NeuralProgrammerError


class Refused(NeuralProgrammerError):
    """One clear sentence, as always; `status` is 400 where the request is at fault in itself."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.status = status
