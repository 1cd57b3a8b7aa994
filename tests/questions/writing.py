"""What the scripts that make the tables share."""

import csv
import datetime


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def date_between(random, first, last):
    first, last = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
    return first + datetime.timedelta(days=random.randrange((last - first).days + 1))


def some(random, share, value, missing):
    """The value, or with this share the text of a missing cell."""
    return missing if random.random() < share else value
