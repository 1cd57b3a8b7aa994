"""What a model decides for a question: a program, how sure it is, and what else it considered; what it has to."""

from dataclasses import dataclass, replace

from neural_programmer.programs.program import Program


@dataclass(frozen=True)
class Decision:
    """The program to answer a question with; one that declines says why not in `reason`."""

    program: Program
    confidence: float
    reason: str = ""
    others: tuple[tuple[Program, float], ...] = ()
    """The next best programs, with their probabilities."""
    partial: bool = False
    """Whether there were too many programs to try them all."""
    notes: tuple[str, ...] = ()
    """Sentences for the answer, whichever program it comes from: see Answer."""

    def answering(self) -> "Decision":
        """The same, or the best of the others where it declines and one of them does not."""
        if not _declines(self.program):
            return self
        for place, (program, confidence) in enumerate(self.others):
            if not _declines(program):
                others = (self.program, self.confidence), *self.others[:place], *self.others[place + 1 :]
                return replace(self, program=program, confidence=confidence, reason="", others=others)
        return self


@dataclass(frozen=True)
class Forced:
    """What a step has to be; None is for the network to decide. An argument is its place in `Thought.arguments`."""

    operation: str | None = None
    column: str | None = None
    argument: int | None = None


def _declines(program: Program) -> bool:
    return program.steps[-1].operation == "decline"
