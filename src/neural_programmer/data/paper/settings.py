"""The paper's settings as named tasks (section 3.1), each with the paper's network for it: the readers of five and ten
columns are the paper's (section 3.2.1), those of the longer questions our choice. Two tasks go beyond the paper."""

from dataclasses import dataclass, replace

from neural_programmer.data.paper.grammar import PLAIN, TEXTS, VARIED, Grammar, grammar
from neural_programmer.errors import one_of
from neural_programmer.network.config import NetworkConfig
from neural_programmer.programs import operations
from neural_programmer.questions.question import COLUMN

RNN = NetworkConfig(hidden=256, reader="rnn", attention=False, arguments="blended", columns="names")
BIDIRECTIONAL = replace(RNN, reader="bidirectional")
ATTENTION = replace(BIDIRECTIONAL, attention=True)
TEXT = replace(BIDIRECTIONAL, operations=operations.TEXT)


@dataclass(frozen=True)
class Task:
    """A distribution of tables and questions, for training and for testing."""

    name: str
    about: str
    numbers: tuple[str, ...]
    texts: tuple[str, ...] = ()
    varied: bool = False
    lookups: bool = True
    by_category: bool = True
    """Draw a category first, then a template in it; else any template alike."""
    all_columns: bool = False
    """Whether training tables always have all columns, or a random number of them."""
    train_rows: tuple[int, int] = (30, 100)
    test_rows: tuple[int, int] = (120, 120)
    train_range: int = 100
    """Numbers come from [-range, range]."""
    test_range: int = 200
    decimals: int = 2
    test_templates: int | None = None
    """How many templates the test set holds; all of them if nothing is said."""
    questions_per_template: int = 1
    test_numbers: tuple[str, ...] | None = None
    """The columns of numbers in test tables, where they have other names than in training."""
    same_comparison: bool = False
    """Join two conditions of the same kind instead of two different ones."""
    paper: NetworkConfig = RNN
    """The paper's network, for the soft objective."""
    published: float | None = None
    """The paper's accuracy, in percent."""

    @property
    def network(self) -> NetworkConfig:
        """The network of the default configuration, the same for all tasks."""
        return NetworkConfig(operations=operations.TEXT if self.texts else operations.PAPER)

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.texts, *self.numbers)

    @property
    def test_columns(self) -> tuple[str, ...]:
        return (*self.texts, *(self.test_numbers or self.numbers))

    @property
    def grammar(self) -> Grammar:
        """The grammar over all columns: that of the test set."""
        return self.grammar_over(self.test_numbers or self.numbers, self.texts)

    def grammar_over(self, numbers: tuple[str, ...], texts: tuple[str, ...]) -> Grammar:
        return grammar(numbers, texts, self.varied, len(self.columns) > 1, self.lookups, self.same_comparison)

    def words_read(self, pointers: bool, test: bool = False) -> list[str]:
        """Return every word that a model reads: those of the questions, and the names or what is read in their
        place."""
        names = [word for name in (self.test_columns if test else self.columns) for word in name.split()]
        ways = VARIED if self.varied else PLAIN
        said = [word for phrases in ways.values() for phrase in phrases for word in phrase.split()]
        return [*said, "and", "or", *((COLUMN,) if pointers else names), *(TEXTS if self.texts else ())]


TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        Task("single-column", "one column of numbers", ("A",), published=100.0),
        Task("three-columns", "up to three columns of numbers", tuple("ABC"), published=99.02),
        Task("five-columns", "up to five columns of numbers", tuple("ABCDE"), paper=BIDIRECTIONAL, published=99.11),
        Task("ten-columns", "up to ten columns of numbers", tuple("ABCDEFGHIJ"), paper=ATTENTION, published=99.13),
        Task(
            "words-one-column",
            "many words for each operation, one column",
            ("A",),
            varied=True,
            paper=BIDIRECTIONAL,
            published=96.49,
        ),
        Task(
            "words-five-columns",
            "many words for each operation, up to five columns",
            tuple("ABCDE"),
            varied=True,
            by_category=False,
            test_templates=24_000,
            paper=BIDIRECTIONAL,
            published=88.99,
        ),
        Task(
            "text-two-columns",
            "one column of text, one of numbers",
            ("B",),
            ("A",),
            all_columns=True,
            paper=TEXT,
            published=99.11,
        ),
        Task(
            "text-five-columns",
            "up to two columns of text, up to three of numbers",
            tuple("CDE"),
            tuple("AB"),
            paper=TEXT,
            published=98.03,
        ),
        Task(
            "single-column-scalars",
            "the simpler set of the LSTM comparison: short columns of small whole numbers, scalar answers",
            ("A",),
            lookups=False,
            train_rows=(4, 7),
            test_rows=(4, 7),
            train_range=10,
            test_range=10,
            decimals=0,
            questions_per_template=100,
        ),
        Task(
            "same-comparison",
            "two greater or two lesser with different numbers, up to three columns; beyond the paper's network",
            tuple("ABC"),
            same_comparison=True,
            paper=BIDIRECTIONAL,
        ),
        Task(
            "unseen-names",
            "test tables have seven columns of names absent from training; beyond the paper's network",
            tuple("ABCDE"),
            test_numbers=("price", "quantity", "net sales", "year", "size of order", "weight", "age"),
            paper=BIDIRECTIONAL,
        ),
    )
}


def task(name: str) -> Task:
    """Return the task of this name."""
    if name not in TASKS:
        raise one_of("task", name, TASKS)
    return TASKS[name]
