"""Record the training that "How it learns" shows before anybody trains: `python scripts/record_training.py [TASK]`.

It goes to src/neural_programmer/page/recorded.json; it takes some minutes.
"""

import json
import sys
import time

from neural_programmer.learning.live import SMALL_TASKS
from neural_programmer.page.learning import RECORDED
from neural_programmer.page.training import Training


def main(task: str = SMALL_TASKS[0]) -> None:
    training = Training()
    training.start(task)
    while training.state == "running":
        time.sleep(1)
    told = training.to_dict()
    assert told["state"] == "done", told["state"]
    RECORDED.write_text(json.dumps(told, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
