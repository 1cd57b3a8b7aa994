"""The synthetic language and tables of the paper, and its settings as named tasks."""

from neural_programmer.data.paper.draws import Dataset, Triple, draw_test, draw_train, test_size, train_templates
from neural_programmer.data.paper.settings import TASKS, Task, task

__all__ = ["TASKS", "Dataset", "Task", "Triple", "draw_test", "draw_train", "task", "test_size", "train_templates"]
