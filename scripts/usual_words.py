"""Count the words of the written questions: `python scripts/usual_words.py OUT`, the most usual first, one a line.

A word with a typing error is taken for one of them (see link.py). Words of a few questions alone are left out. One
without a vector is usual if it is in more of them and no spelling of a word that is far more usual: quid, not wich.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from rapidfuzz import process
from rapidfuzz.distance.DamerauLevenshtein import distance

from neural_programmer.data.written import question_folders
from neural_programmer.questions.tokens import tokenized
from neural_programmer.questions.vectors import shipped

FEWEST, MANY = 5, 10
FAR_MORE = 20


def main(out: Path) -> None:
    times: Counter[str] = Counter()
    for folder in question_folders():
        for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
            times.update({token.key for token in tokenized(json.loads(line)["question"])})
    usual = {word: count for word, count in times.items() if count >= FEWEST and word in shipped().places}
    for word, count in times.items():
        if count >= MANY and word.isalpha() and word not in usual:
            near = process.extract(word, list(usual), scorer=distance, score_cutoff=1, limit=None)
            if not any(usual[other] > FAR_MORE * count for other, *_ in near):
                usual[word] = count
    words = sorted(usual, key=lambda word: (-usual[word], word))
    out.write_text("\n".join(words) + "\n")
    print(f"{len(words):,} words")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
