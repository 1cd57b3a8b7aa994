"""The decision of a model on a question: a program, its confidence, and the next best; steps that a user forces."""

from dataclasses import dataclass, replace

from neural_programmer.programs.program import Program


@dataclass(frozen=True)
class Decision:
    """The program that answers a question. Where it declines, `reason` says why."""

    program: Program
    confidence: float
    reason: str = ""
    others: tuple[tuple[Program, float], ...] = ()
    """The next best programs, with their probabilities."""
    partial: bool = False
    """Whether there were too many programs to try them all."""
    notes: tuple[str, ...] = ()
    """Sentences that stand beside the answer (see notes.py)."""

    def answering(self) -> "Decision":
        """Return the decision for the best program that gives an answer; the same decision if none does."""
        if not _declines(self.program):
            return self
        for place, (program, confidence) in enumerate(self.others):
            if not _declines(program):
                others = (self.program, self.confidence), *self.others[:place], *self.others[place + 1 :]
                return replace(self, program=program, confidence=confidence, reason="", others=others)
        return self


@dataclass(frozen=True)
class Forced:
    """A step that a user forces. What is None, the network decides. An argument is a place in `Thought.arguments`."""

    operation: str | None = None
    column: str | None = None
    argument: int | None = None


def _declines(program: Program) -> bool:
    return program.steps[-1].operation == "decline"
