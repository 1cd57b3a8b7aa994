"""Count the words of the written questions: `python scripts/usual_words.py OUT`, the most usual first, one a line.

A word with a typing error is taken for one of them (see link.py). Words without a vector, most of them errors
themselves, and words of a few questions alone are left out.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from neural_programmer.tasks.written import FOLDER
from neural_programmer.tokens import tokenized
from neural_programmer.vectors import shipped

FEWEST = 5


def main(out: Path) -> None:
    times: Counter[str] = Counter()
    for file in FOLDER.glob("*/questions.jsonl"):
        for line in file.read_text(encoding="utf-8").splitlines():
            times.update({token.key for token in tokenized(json.loads(line)["question"])})
    usual = [(count, word) for word, count in times.items() if count >= FEWEST and word in shipped().places]
    words = [word for _, word in sorted(usual, key=lambda each: (-each[0], each[1]))]
    out.write_text("\n".join(words) + "\n")
    print(f"{len(words):,} words")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
