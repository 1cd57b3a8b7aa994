"""What is computed of texts is kept, but not of long ones."""

from neural_programmer.base.once import LONGEST_TEXT, remembered


def test_long_texts_are_not_kept():
    seen = []

    @remembered(10)
    def letters(text, more=0):
        """How many letters a text has."""
        seen.append(len(text))
        return len(text) + more

    assert [letters("ab"), letters("ab"), letters("ab", more=1)] == [2, 2, 3]
    assert letters.__doc__ == "How many letters a text has."
    long = "a" * (LONGEST_TEXT + 1)
    assert letters(long) == letters(long) == LONGEST_TEXT + 1
    assert seen == [2, 2, LONGEST_TEXT + 1, LONGEST_TEXT + 1]
