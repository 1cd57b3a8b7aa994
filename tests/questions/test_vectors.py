"""What words mean: directions of length one, nearer for words that mean the like; a small file without doubles."""

import numpy as np
import pytest
import safetensors.numpy

from neural_programmer.questions.vectors import SHIPPED, WordVectors, shipped

PLANTED = WordVectors(
    {"north": 0, "east": 1, "south": 2, "far": 3},
    np.array([[0, 100], [50, 0], [0, -7], [120, 90]], np.int8),
)


def test_the_direction_of_a_word_has_length_one_whatever_its_own_length():
    np.testing.assert_allclose(PLANTED.of(["north"]), [0, 1])
    np.testing.assert_allclose(PLANTED.of(["east"]), [1, 0])
    np.testing.assert_allclose(PLANTED.of(["far"]), [0.8, 0.6], rtol=1e-6)


def test_several_words_have_the_mean_of_their_directions():
    """Long and short ones count alike, doubles count twice, order does not matter."""
    half = 0.5**0.5
    np.testing.assert_allclose(PLANTED.of(["north", "east"]), [half, half], rtol=1e-6)
    np.testing.assert_allclose(PLANTED.of(["east", "north"]), [half, half], rtol=1e-6)
    np.testing.assert_allclose(PLANTED.of(["north", "north", "east"]), np.array([1, 2]) / 5**0.5, rtol=1e-6)


def test_unknown_words_give_nothing_and_do_not_count():
    assert not PLANTED.of(["up"]).any()
    assert not PLANTED.of([]).any()
    np.testing.assert_allclose(PLANTED.of(["up", "north"]), [0, 1])


def test_opposite_words_cancel_each_other():
    assert np.isfinite(PLANTED.of(["north", "south"])).all()
    np.testing.assert_allclose(PLANTED.of(["north", "south"]), 0, atol=1e-6)


def test_shapes_and_types():
    for vectors in (PLANTED, shipped()):
        assert vectors.vectors.shape == (len(vectors.places), vectors.dimensions)
        for words in ((), ("north",), ("north", "east"), ("no such word",)):
            found = vectors.of(words)
            assert found.shape == (vectors.dimensions,)
            assert found.dtype == np.float32


def test_what_is_given_out_is_the_same_each_time():
    assert shipped() is shipped()
    np.testing.assert_array_equal(shipped().of(["net", "price"]), shipped().of(("net", "price")))


def test_the_shipped_file_is_small_and_has_every_word_once():
    assert SHIPPED.stat().st_size <= 10e6
    words = safetensors.numpy.load_file(SHIPPED)["words"].tobytes().decode().split("\n")
    assert len(words) == len(set(words)) == len(shipped().places) == len(shipped().vectors) > 10_000
    assert all(word and word == word.casefold() and not word.split()[1:] for word in words)
    assert list(shipped().places.values()) == list(range(len(words)))


def test_every_shipped_word_has_a_direction():
    assert np.abs(shipped().vectors).max(axis=1).min() > 0
    for word in list(shipped().places)[::997]:
        np.testing.assert_allclose(np.linalg.norm(shipped().of([word])), 1, rtol=1e-5)


def test_no_two_common_words_are_the_same():
    words = "price city age total highest more less than before after not or and equal between average".split()
    directions = np.stack([shipped().of([word]) for word in words])
    alike = directions @ directions.T - np.eye(len(words))
    assert alike.max() < 0.97


@pytest.mark.parametrize(
    ("word", "like", "unlike"),
    [
        ("price", "cost", "city"), ("salary", "wage", "river"), ("earns", "salary", "country"),
        ("country", "nation", "weight"), ("population", "inhabitants", "colour"), ("teacher", "instructor", "distance"),
        ("height", "tall", "author"), ("cheapest", "price", "name"), ("doctor", "physician", "garden"),
        ("car", "vehicle", "soup"), ("sold", "sales", "mountain"), ("oldest", "age", "price"),
    ],
)  # fmt: skip
def test_like_words_are_nearer_than_unlike_ones(word, like, unlike):
    one, near, far = (shipped().of([each]) for each in (word, like, unlike))
    assert one @ near > one @ far + 0.15


def test_names_of_several_words_are_near_what_means_the_like():
    name = shipped().of(["unit", "price"])
    assert name @ shipped().of(["cost"]) > name @ shipped().of(["city"]) + 0.2
