"""What a model decides for a question: a program, how sure it is, and what else it considered."""

from dataclasses import dataclass

from neural_programmer.program import Program


@dataclass(frozen=True)
class Decision:
    """The program to answer a question with; one that declines says why not in `reason`."""

    program: Program
    confidence: float
    reason: str = ""
    others: tuple[tuple[Program, float], ...] = ()
    """The next best programs, with their probabilities."""

    def answering(self) -> "Decision":
        """The same, or the best of the others where it declines and one of them does not."""
        every = ((self.program, self.confidence), *self.others)
        program, confidence = next((one for one in every if one[0].steps[-1].operation != "decline"), every[0])
        return Decision(program, confidence, self.reason, self.others)
