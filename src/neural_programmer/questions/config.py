"""The settings of reading questions; they are part of a network's settings, and stand in its file."""

from dataclasses import dataclass

from neural_programmer.base.settings import between


@dataclass(frozen=True)
class NearConfig:
    """Which words are offered as cells or columns that they may mean without saying them (see near.py)."""

    like: float = 0.5
    """The cosine of a word and of a text from which the word may mean it."""
    alike: int = 3
    """How many words may mean texts that they are like, and how many columns of yes and no."""
    parts: int = 4
    """How many words may mean written cells that they are part of."""

    def __post_init__(self) -> None:
        between(self, -1, 1, "like")
        between(self, 0, 1_000, "alike", "parts")


NEAR = NearConfig()
